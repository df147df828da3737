/** The rows of the types, with each compiler and each way to find modules. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installed, tooOldForMsw, typescripts } from "./cache.ts";
import { type Row, run } from "./command.ts";

/** A project: its compiler options and its files, and the first version of the compiler that refuses the options. */
interface Consumer {
  options: object;
  files: readonly string[];
  until?: string;
}

const dom = ["es2022", "dom", "dom.asynciterable"];
const bundler = { module: "esnext", moduleResolution: "bundler" };
const nodenext = { module: "nodenext", moduleResolution: "nodenext" };
const node10 = { module: "commonjs", moduleResolution: "node10" };

/** Programs for Node.js with and without DOM types, one for browsers only, and two that use `require()`. msw needs the DOM types. */
const consumers: Readonly<Record<string, Consumer>> = {
  nodenext: { options: { ...nodenext, lib: dom, types: ["node"] }, files: ["types.ts", "types-msw.ts"] },
  "nodenext, no dom": { options: { ...nodenext, lib: ["es2022"], types: ["node"] }, files: ["types.ts"] },
  "bundler, no node": { options: { ...bundler, lib: dom, types: [] }, files: ["types.ts", "types-msw.ts"] },
  "node16, CommonJS": { options: { module: "node16", lib: dom, types: ["node"] }, files: ["types.cts"] },
  node10: { options: { ...node10, lib: dom, types: ["node"] }, files: ["types.ts"], until: "7" },
};

/** Each compiler with each project: strict, skipLibCheck off. */
export function typescriptRows(project: string): Row[] {
  return typescripts.flatMap((version) =>
    Object.entries(consumers)
      .filter(([, { until = "99" }]) => Number.parseInt(version, 10) < Number(until))
      .map(([name, { options, files }]) => ({
        runtime: "typescript",
        version,
        what: `types, ${name}`,
        async prove(signal) {
          const config = join(project, `tsconfig.${version}.${name.replace(/\W+/g, "-")}.json`);
          const compilerOptions = {
            ...options,
            target: "es2022",
            strict: true,
            exactOptionalPropertyTypes: true,
            skipLibCheck: false,
            // The compiler's own declarations are not ours to check.
            skipDefaultLibCheck: true,
            // Version 6 accepts node10 only with this.
            ...(version.startsWith("6.") ? { ignoreDeprecations: "6.0" } : {}),
            noEmit: true,
          };
          const usable = files.filter((file) => file !== "types-msw.ts" || version !== tooOldForMsw);
          await writeFile(config, JSON.stringify({ compilerOptions, files: usable }));
          const folder = await installed(`typescript-${version}`, { typescript: version }, signal);
          await run(join(folder, "node_modules/.bin/tsc"), ["--project", config, "--pretty", "false"], {
            cwd: project,
            signal,
          });
        },
      })),
  );
}
