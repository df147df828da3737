/** The rows of the types, with each compiler and each way to find modules. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runPnpm } from "@chain-query/testing/processes";
import { sharedTarballs } from "@chain-query/testing/services";
import { peers, tooOldForMsw, typescripts } from "./cache.ts";
import { type Row, row } from "./command.ts";
import { packed as packages } from "./consumer.ts";

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
      .map(([name, { options, files }]) =>
        row("typescript", version, `types, ${name}`, async ({ installed, run }) => {
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
          const tsc = await installed(`typescript-${version}`, { typescript: version }, ".bin/tsc");
          await run(tsc, ["--project", config, "--pretty", "false"]);
        }),
      ),
  );
}

const yarn = "4.18.1";

/** The compilers that name types in different ways; the native one does not resolve modules under Plug'n'Play. */
const emitters: Readonly<Record<string, readonly string[]>> = {
  npm: ["5.9.3", "7.0.2"],
  pnpm: ["5.9.3", "7.0.2"],
  "yarn pnp": ["5.9.3"],
};

/** A library that emits declarations, for each package manager: it depends on the client and on TanStack Query for React only. */
export function declarationRows(folder: string): Row[] {
  return Object.entries(emitters).flatMap(([manager, versions]) =>
    versions.map((version) =>
      row("typescript", version, `declarations, ${manager}`, async ({ installed, run }) => {
        const { paths } = await sharedTarballs();
        const packed = Object.fromEntries(packages.map((name) => [name, `file:${paths[name]}`]));
        const cwd = join(folder, `declarations-${manager}-${version}`.replace(" ", "-"));
        await mkdir(cwd);
        const queryCore = peers["@tanstack/query-core"] ?? "";
        const dependencies = {
          "@chain-query/client": packed["@chain-query/client"],
          "@tanstack/react-query": queryCore,
          // Packages see no dependencies of others there, as the README says.
          ...(manager === "yarn pnp" && { "@tanstack/query-core": queryCore }),
          react: "19.3.1",
          typescript: version,
        };
        const compilerOptions = {
          ...nodenext,
          lib: dom,
          types: [],
          target: "es2022",
          strict: true,
          declaration: true,
          emitDeclarationOnly: true,
          // Those of TanStack Query need the types of React.
          skipLibCheck: true,
          outDir: "types",
        };
        const files: Readonly<Record<string, object | string>> = {
          "package.json": { private: true, type: "module", dependencies, overrides: npmOverrides(packed), resolutions: packed },
          "pnpm-workspace.yaml": { overrides: packed },
          "tsconfig.json": { compilerOptions, files: ["declared.ts", "required.cts"] },
          "required.cts": `import { createClient, type RawClient } from "@chain-query/client";
  export const raw: RawClient = createClient({ baseUrl: "http://node.test" }).raw;`,
          ".yarnrc.yml": { enableTelemetry: false, enableImmutableInstalls: false, nodeLinker: "pnp" },
          "yarn.lock": "",
        };
        for (const [name, content] of Object.entries(files)) {
          await writeFile(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
        }
        await cp(fileURLToPath(new URL("consumer/declared.ts.txt", import.meta.url)), join(cwd, "declared.ts"));
        if (manager === "npm") await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], { cwd });
        else if (manager === "pnpm") await runPnpm(["install", "--no-lockfile"], cwd);
        const tsc = ["--project", "tsconfig.json", "--pretty", "false"];
        if (manager !== "yarn pnp") await run(join(cwd, "node_modules/.bin/tsc"), tsc, { cwd });
        else {
          const program = await installed(`yarn-${yarn}`, { "@yarnpkg/cli-dist": yarn }, "@yarnpkg/cli-dist/bin/yarn.js");
          await run(process.execPath, [program, "install"], { cwd });
          await run(process.execPath, [program, "tsc", ...tsc], { cwd });
        }
        const emitted = await readFile(join(cwd, "types/declared.d.ts"), "utf8");
        const named = Array.from(emitted.matchAll(/(?:from|import\()\s*"([^"]+)"/g), ([, specifier = ""]) => specifier);
        const strange = named.filter((name) => !/^@chain-query\/client(\/|$)|^@tanstack\/react-query$/.test(name));
        if (strange.length > 0) throw new Error(`the declarations name ${[...new Set(strange)].join(", ")}:\n${emitted}`);
      }),
    ),
  );
}

/** npm accepts no override of a direct dependency. */
function npmOverrides({ "@chain-query/client": _, ...others }: Readonly<Record<string, string>>): object {
  return others;
}
