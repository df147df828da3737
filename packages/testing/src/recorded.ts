/** Recorded data of real networks, in a folder beside the checkout that a public clone does not have. */
import { existsSync, readFileSync } from "node:fs";

const folder = new URL("../../../../shared/", import.meta.url);

/** The reason of a skipped test. */
export const NO_DATA = "skipped: no recorded data in ../shared/lite";

/** Bytes of real lite servers: a file of `../shared/lite`, undefined if there is no folder. */
export function recorded(file: string, encoding: "utf8" | "latin1" = "utf8"): string | undefined {
  const lite = new URL("lite/", folder);
  return existsSync(lite) ? readFileSync(new URL(file, lite), encoding) : undefined;
}

/** One line of the index of recorded cells. */
export interface RecordedCells {
  readonly file: string;
  /** Facts from the source of the cells, such as hashes and amounts. */
  readonly what: string;
}

/** Cells of real networks, listed in `../shared/bocs/INDEX.md`; empty if there is no folder. */
export function recordedCells(kind: "blocks" | "tx" | "accounts"): readonly RecordedCells[] {
  const index = new URL("bocs/INDEX.md", folder);
  if (!existsSync(index)) return [];
  const lines = readFileSync(index, "utf8").matchAll(/^\| (\S+\.boc) \| (?:\d+|-) \| .* \| ([^|]*) \|$/gm);
  const cells = Array.from(lines, ([, file = "", what = ""]) => ({ file, what })).filter(({ file }) =>
    file.startsWith(`${kind}/`),
  );
  if (cells.length === 0) throw new Error(`the index of recorded cells lists no ${kind}`);
  return cells;
}

/** The bag of cells of a line. */
export function bytesOf({ file }: RecordedCells): Uint8Array {
  return readFileSync(new URL(`bocs/${file}`, folder));
}
