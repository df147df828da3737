import { existsSync, readFileSync } from "node:fs";

const folder = new URL("../../../../shared/bocs/", import.meta.url);

/** One line of the index of recorded cells. */
export interface RecordedCells {
  readonly file: string;
  /** Facts from the source of the cells, such as hashes and amounts. */
  readonly what: string;
}

/** Cells of real networks, from a folder beside the checkout; empty if it is absent. */
export function recordedCells(kind: "blocks" | "tx" | "accounts"): readonly RecordedCells[] {
  if (!existsSync(folder)) return [];
  const index = readFileSync(new URL("INDEX.md", folder), "utf8");
  const lines = index.matchAll(/^\| (\S+\.boc) \| (?:\d+|-) \| .* \| ([^|]*) \|$/gm);
  const cells = Array.from(lines, ([, file = "", what = ""]) => ({ file, what })).filter(({ file }) =>
    file.startsWith(`${kind}/`),
  );
  if (cells.length === 0) throw new Error(`the index of recorded cells lists no ${kind}`);
  return cells;
}

/** The bag of cells of a line. */
export function bytesOf({ file }: RecordedCells): Uint8Array {
  return readFileSync(new URL(file, folder));
}
