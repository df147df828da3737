export { readBoc, readBocRoots, writeBoc, writeBocRoots } from "./bag-of-cells.ts";
export { fromBinaryString, sha256, toBinaryString } from "./bytes.ts";
export { Cell, type CellType, type Digest, MAX_BITS, MAX_REFS } from "./cell.ts";
export { CellBuilder } from "./cell-builder.ts";
export { CellError, CellReader } from "./cell-reader.ts";
export { createMerkleUpdate, createPrunedBranch } from "./merkle.ts";
