/** Type-checks a consumer with each compiler. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installed, tooOldForMsw, typescripts } from "./cache.ts";
import { type Row, run } from "./command.ts";

const dom = ["es2022", "dom", "dom.asynciterable"];
const bundler = { module: "esnext", moduleResolution: "bundler" };
const nodenext = { module: "nodenext", moduleResolution: "nodenext" };

/** Programs for Node.js with and without DOM types, and one for browsers only. msw needs the DOM types. */
const consumers = {
  nodenext: { options: { ...nodenext, lib: dom, types: ["node"] }, msw: true },
  "nodenext, no dom": { options: { ...nodenext, lib: ["es2022"], types: ["node"] }, msw: false },
  "bundler, no node": { options: { ...bundler, lib: dom, types: [] }, msw: true },
};

/** Each compiler with each way to find modules: strict, skipLibCheck off. */
export function typescriptRows(project: string, signal: AbortSignal): Row[] {
  return typescripts.flatMap((version) =>
    Object.entries(consumers).map(([name, { options, msw }]) => ({
      runtime: "typescript",
      version,
      what: `types, ${name}`,
      async prove() {
        const config = join(project, `tsconfig.${version}.${name.replace(/\W+/g, "-")}.json`);
        const compilerOptions = {
          ...options,
          target: "es2022",
          strict: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck: false,
          // The compiler's own declarations are not ours to check.
          skipDefaultLibCheck: true,
          noEmit: true,
        };
        const files = msw && version !== tooOldForMsw ? ["types.ts", "types-msw.ts"] : ["types.ts"];
        await writeFile(config, JSON.stringify({ compilerOptions, files }));
        const folder = await installed(`typescript-${version}`, { typescript: version }, signal);
        await run(join(folder, "node_modules/.bin/tsc"), ["--project", config, "--pretty", "false"], { cwd: project, signal });
      },
    })),
  );
}
