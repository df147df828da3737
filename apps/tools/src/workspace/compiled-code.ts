/** Lets the processes of a run share compiled code. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packages.ts";

/**
 * Gives the processes that this one starts a cache of compiled code. They start the same programs hundreds of times, and compiling is a fifth
 * of their CPU time. Emptied at each run, since copies of the workspace in temporary folders would fill it.
 */
export function shareCompiledCode(): void {
  if (process.env["NODE_COMPILE_CACHE"]) return;
  const folder = join(root, "node_modules/.cache/compiled-code");
  rmSync(folder, { recursive: true, force: true });
  process.env["NODE_COMPILE_CACHE"] = folder;
}
