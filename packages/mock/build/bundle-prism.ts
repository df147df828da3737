/**
 * Replaces the compiled `dist/responses/prism.js` with a bundle of the parts of Prism that answer requests, so that the published package
 * does not depend on Prism and its 140 packages. Lists the bundled packages and their licences beside it.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { prismOperations } from "../src/responses/prism-operations.ts";

const home = fileURLToPath(new URL("..", import.meta.url));

/** Modules of Prism that responses of this contract do not need, each with the reason. */
const unused = [
  // Generates by `x-faker`, which no schema has.
  /^@faker-js\/faker$/,
  // Resolves references to other documents; the contract has none.
  /^json-schema-ref-parser$/,
  // Calls other services; the contract has no callbacks.
  /^\.\/callback\/callbacks$/,
  // Parses forms for callbacks.
  /^\.\.\/validator\/validators\/(body|headers)$/,
  // Logs requests and responses; the mock has its own log.
  /^\.\.\/utils\/logger$/,
];

const replacements: Plugin = {
  name: "replacements",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) =>
      unused.some((pattern) => pattern.test(path)) ? { path, namespace: "unused" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "unused" }, () => ({
      contents: "module.exports = { logRequest() {}, logResponse() {} };",
    }));
    onLoad({ filter: /[/\\]prism-operations\.ts$/ }, () => ({
      contents: `export const prismOperations = JSON.parse(${JSON.stringify(JSON.stringify(prismOperations))});`,
    }));
  },
};

const { metafile } = await build({
  absWorkingDir: home,
  entryPoints: ["src/responses/prism.ts"],
  outfile: "dist/responses/prism.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // CommonJS modules of the bundle require modules of Node.js.
  banner: { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' },
  plugins: [replacements],
  metafile: true,
});
for (const name of ["prism.js.map", ...["js", "js.map", "d.ts", "d.ts.map"].map((kind) => `prism-operations.${kind}`)]) {
  rmSync(join(home, "dist/responses", name));
}

/** A package of the bundle, as its package.json describes it. */
interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: unknown;
  readonly folder: string;
}

const [output] = Object.values(metafile.outputs);
const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
const folders = new Set(used.flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
const bundled = [...folders]
  .map((folder): Bundled => {
    return { ...JSON.parse(readFileSync(join(home, folder, "package.json"), "utf8")), folder: join(home, folder) };
  })
  .sort((one, other) => (one.name < other.name ? -1 : 1));

writeFileSync(
  join(home, "dist/bundled.json"),
  `${JSON.stringify(
    bundled.map(({ name, version, license }) => ({ name, version, license })),
    null,
    2,
  )}\n`,
);
writeFileSync(join(home, "dist/bundled-licenses.txt"), bundled.map(licenceSection).join(`\n${"-".repeat(80)}\n\n`));

function licenceSection({ name, version, license, author, folder }: Bundled): string {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0)
    texts.push(`No licence file. Author: ${typeof author === "string" ? author : JSON.stringify(author)}`);
  return `${[`${name} ${version}: ${license}`, ...texts].join("\n\n")}\n`;
}
