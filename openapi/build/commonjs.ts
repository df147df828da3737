/**
 * Writes a CommonJS module beside each module of dist, for `require()`: x.cjs and x.d.cts beside x.js and x.d.ts, with their source
 * maps. Run it in the folder of a package after tsc.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

const files = (await readdir("dist", { recursive: true })).map((file) => join("dist", file));

/** Modules stay modules, so that entry points share them and stacks name them: bundling only renames their imports. */
const renamed: Plugin = {
  name: "renamed",
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === "entry-point" ? undefined : { path: path.replace(/^(\..*)\.js$/, "$1.cjs"), external: true },
    );
  },
};

// Maps lead to the sources of tsc's maps.
const { outputFiles } = await build({
  entryPoints: files.filter((file) => file.endsWith(".js")),
  outbase: "dist",
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  plugins: [renamed],
  bundle: true,
  format: "cjs",
  platform: "neutral",
  target: "es2023",
  sourcemap: files.some((file) => file.endsWith(".js.map")),
  sourcesContent: false,
  logLevel: "warning",
  write: false,
});

// esbuild imports a default as Node.js does, where it is all of a CommonJS module. Here it is the module's default, as for its types.
for (const { path, text } of outputFiles) {
  await writeFile(path, text.replaceAll(/(__toESM\(require\("[^"]+"\)), 1\)/g, "$1)"));
}

for (const file of files.filter((each) => /\.d\.ts(\.map)?$/.test(each))) {
  const text = await readFile(file, "utf8");
  const renames = file.endsWith(".map") ? text.replace('.d.ts"', '.d.cts"') : declarationsOf(text);
  await writeFile(file.replace(".d.ts", ".d.cts"), renames);
}

/** Declarations that import the CommonJS modules of this package, and lead to their own map. */
function declarationsOf(text: string): string {
  return text
    .replaceAll(/((?:from |import\()"\.[^"]*)\.[jt]s"/g, '$1.cjs"')
    .replace(/(# sourceMappingURL=.*)\.d\.ts\.map$/, "$1.d.cts.map");
}
