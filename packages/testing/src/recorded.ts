/** Recorded data of real networks, in a folder beside the checkout that a public clone does not have. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../../../shared/", import.meta.url);

/** The reason of a skipped test. */
export const NO_DATA = "skipped: no recorded data in ../shared/lite";

/** Bytes of real lite servers: a file of `../shared/lite`, undefined if there is no folder. */
export function recorded(file: string, encoding: "utf8" | "latin1" = "utf8"): string | undefined {
  const lite = new URL("lite/", folder);
  return existsSync(lite) ? readFileSync(new URL(file, lite), encoding) : undefined;
}

/** A bag of cells that was once read wrongly: a file of `../shared/cases`, undefined if there is no folder. */
export function recordedCase(file: string): Uint8Array | undefined {
  const cases = new URL("cases/", folder);
  return existsSync(cases) ? readFileSync(new URL(file, cases)) : undefined;
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

/** A file of recorded data. */
export interface RecordedFile {
  /** From `../shared` on, such as `lite/ton-net/masterchain-info.hex`. */
  readonly file: string;
  readonly bytes: Buffer;
}

/** All files of recorded cells and of recorded lite-server bytes; empty if there is no folder. */
export function recordedFiles(): readonly RecordedFile[] {
  return ["bocs/", "lite/"].flatMap((name) => {
    const top = new URL(name, folder);
    if (!existsSync(top)) return [];
    const paths = readdirSync(top, { recursive: true, encoding: "utf8" }).filter((path) => /\.\w+$/.test(path));
    return paths.sort().map((path) => ({ file: `${name}${path}`, bytes: readFileSync(new URL(path, top)) }));
  });
}

/** The first bytes of a bag of cells, in its three forms. */
const MAGIC = ["b5ee9c72", "68ff65f3", "acc3a728"].map((magic) => Buffer.from(magic, "hex"));

/** All bags of cells in a file: it is one, or has bags in hexadecimal digits, alone or within a lite server's answer. */
export function bagsIn({ file, bytes }: RecordedFile): readonly Buffer[] {
  if (file.endsWith(".boc")) return [bytes];
  const text = bytes.toString("utf8").replaceAll(/^#.*$/gm, "");
  const digits = (file.endsWith(".hex") ? text.replaceAll(/\s/g, "") : text).matchAll(/[0-9a-f]{16,}/gi);
  return Array.from(digits, ([run]) => [...bagsWithin(Buffer.from(run, "hex"))]).flat();
}

function* bagsWithin(bytes: Buffer): Generator<Buffer, void, undefined> {
  for (let at = 0; ; ) {
    const starts = MAGIC.map((magic) => bytes.indexOf(magic, at)).filter((start) => start >= 0);
    if (starts.length === 0) return;
    const start = Math.min(...starts);
    const [flags = 0, offsetSize = 0] = bytes.subarray(start + 4);
    const refSize = flags & 7;
    const uint = (place: number, size: number) => bytes.readUIntBE(start + 6 + place, size);
    const [cells, roots] = [uint(0, refSize), uint(refSize, refSize)];
    const index = flags & 0x80 ? cells * offsetSize : 0;
    const checksum = flags & 0x40 ? 4 : 0;
    at = start + 6 + (3 + roots) * refSize + offsetSize + index + uint(3 * refSize, offsetSize) + checksum;
    yield bytes.subarray(start, at);
  }
}
