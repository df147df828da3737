/** Bytes of real lite servers, in a folder beside the checkout that a public clone does not have. */
import { existsSync, readFileSync } from "node:fs";

const folder = new URL("../../../../shared/lite/", import.meta.url);

export const NO_DATA = "skipped: no recorded data in ../shared/lite";

/** A file of the folder; undefined if there is no folder. */
export function recorded(file: string, encoding: "utf8" | "latin1" = "utf8"): string | undefined {
  return existsSync(folder) ? readFileSync(new URL(file, folder), encoding) : undefined;
}
