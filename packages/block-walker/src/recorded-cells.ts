import { existsSync, readFileSync } from "node:fs";

const folder = new URL("../../../../shared/bocs/", import.meta.url);

/** One line of the index of real cells: what is known of them from elsewhere. */
export interface RealCells {
  readonly file: string;
  readonly what: string;
}

/** Real networks' cells of a kind, where their folder lies beside the checkout; none otherwise. */
export function realCells(kind: "blocks" | "tx" | "accounts"): readonly RealCells[] {
  if (!existsSync(folder)) return [];
  const index = readFileSync(new URL("INDEX.md", folder), "utf8");
  return [...index.matchAll(/^\| (\S+\.boc) \| \d+ \| .* \| ([^|]*) \|$/gm)]
    .map(([, file = "", what = ""]) => ({ file, what }))
    .filter(({ file }) => file.startsWith(`${kind}/`));
}

export function bytesOf({ file }: RealCells): Uint8Array {
  return readFileSync(new URL(file, folder));
}
