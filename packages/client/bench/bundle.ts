/** How many bytes a program takes: minified by esbuild for browsers, then gzip. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Bundles the text of a module, whose imports are looked up from a folder. Dependencies on Node.js count as nothing. */
export async function bundledSize(contents: string, resolveDir: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    // Some address Node's modules, which a browser build replaces or leaves out.
    external: ["node:*", "crypto", "http", "https", "util", "stream", "zlib", "fs", "path", "url", "buffer"],
    legalComments: "none",
    logLevel: "error",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}
