import { CellError } from "./cell-reader.ts";
import { crc32c } from "./crc32c.ts";

/** What the beginning of a bag of cells tells. */
export interface BocHeader {
  readonly cells: number;
  /** Indices of the roots. */
  readonly roots: readonly number[];
  /** Bytes of a reference. */
  readonly refSize: number;
  /** Where the cells lie in the bytes. */
  readonly from: number;
  readonly to: number;
}

/** The general form, and two older ones with one root and an index (the second with a checksum). */
const GENERAL = 0xb5ee9c72;
const INDEXED = 0x68ff65f3;
const INDEXED_SUMMED = 0xacc3a728;

/** Reads the beginning of a bag of cells, and checks its length and its checksum. Throws a CellError where something is wrong. */
export function bocHeader(bytes: Uint8Array): BocHeader {
  let at = 0;
  const uint = (size: number): number => {
    if (at + size > bytes.length) throw new CellError(`a bag of cells ends within its first ${at + size} bytes`);
    let value = 0;
    for (const end = at + size; at < end; at++) value = value * 256 + (bytes[at] as number);
    return value;
  };
  const magic = uint(4);
  if (magic !== GENERAL && magic !== INDEXED && magic !== INDEXED_SUMMED)
    throw new CellError("these bytes are no bag of cells");
  const flags = uint(1);
  const refSize = magic === GENERAL ? flags & 7 : flags;
  const offsetSize = uint(1);
  if (refSize < 1 || refSize > 4 || offsetSize < 1 || offsetSize > 8)
    throw new CellError("a bag of cells has impossible sizes");
  const cells = uint(refSize);
  const rootCount = uint(refSize);
  const absent = uint(refSize);
  const length = uint(offsetSize);
  if (rootCount < 1 || rootCount + absent > cells) throw new CellError(`a bag of ${cells} cells has ${rootCount} roots`);
  if (cells * 2 > bytes.length) throw new CellError(`a bag of ${cells} cells has ${bytes.length} bytes only`);
  const roots = magic === GENERAL ? Array.from({ length: rootCount }, () => uint(refSize)) : [0];
  if (magic !== GENERAL || flags & 0x80) at += cells * offsetSize;
  const from = at;
  const to = from + length;
  const isSummed = magic === INDEXED_SUMMED || (magic === GENERAL && (flags & 0x40) !== 0);
  const end = to + (isSummed ? 4 : 0);
  if (end !== bytes.length) throw new CellError(`a bag of cells has ${bytes.length} bytes instead of ${end}`);
  if (isSummed && new DataView(bytes.buffer, bytes.byteOffset).getUint32(to, true) !== crc32c(bytes.subarray(0, to))) {
    throw new CellError("a bag of cells does not agree with its checksum");
  }
  return { cells, roots, refSize, from, to };
}
