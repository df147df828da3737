export { type BocLimits, readBoc, readBocRoots, writeBoc, writeBocRoots, writePooledBoc } from "./bag-of-cells.ts";
export { base64, concat, fromBinaryString, hex, isEqual, sha256, toBinaryString } from "./bytes.ts";
export { Cell, type CellType, type Digest, MAX_BITS, MAX_REFS } from "./cell.ts";
export { CellBuilder } from "./cell-builder.ts";
export { CellError, CellReader, PrunedCellError } from "./cell-reader.ts";
export { createMerkleUpdate, openMerkleUpdate, readMerkleUpdate, replacePruned } from "./merkle.ts";
export { createMerkleProof, mergeTrees, openMerkleProof } from "./merkle-proof.ts";
export { createPrunedBranch } from "./pruned-branch.ts";
