import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether a chain was made in a folder. One that was begun and not finished is none. */
export function hasChain(folder: string): boolean {
  return existsSync(join(folder, "chain.mdb"));
}
