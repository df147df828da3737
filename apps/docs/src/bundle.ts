/** Small files for browsers, made of a source and all that it imports. */
import { type BuildOptions, build } from "esbuild";

/** The browsers that style sheets are written for. */
export const styleTargets: string[] = ["chrome123", "firefox120", "safari17.5"];

/** Bundles one entry as a classic script, because a browser loads no module from a disk, or as a style sheet. */
export async function bundled(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    bundle: true,
    format: "iife",
    minify: true,
    target: "es2022",
    legalComments: "none",
    ...options,
    write: false,
  });
  return outputFiles?.[0]?.text ?? "";
}
