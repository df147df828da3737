export { readBoc, readBocRoots } from "./cells/boc-reader.ts";
export { writeBoc } from "./cells/boc-writer.ts";
export { bytesOfText, textOf } from "./cells/byte-text.ts";
export { Cell, type CellType, MAX_BITS, MAX_REFS } from "./cells/cell.ts";
export { CellBuilder } from "./cells/cell-builder.ts";
export { CellError, CellReader } from "./cells/cell-reader.ts";
export type { Digest } from "./cells/digest.ts";
export { merkleUpdate, prunedBranch } from "./cells/exotic.ts";
export { sha256 } from "./cells/representation.ts";
