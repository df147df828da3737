import type { CellBuilder } from "../cells/cell-builder.ts";
import type { CellReader } from "../cells/cell-reader.ts";

/** A block as another block names it, where workchain and shard are known (TL-B ExtBlkRef). A zero state has number and lt 0. */
export interface BlockRef {
  readonly endLt: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

/** Writes a TL-B ExtBlkRef: 608 bits. */
export function writeBlockRef(builder: CellBuilder, block: BlockRef): CellBuilder {
  return builder.bigUint(block.endLt, 64).uint(block.seqno, 32).bytes(block.rootHash).bytes(block.fileHash);
}

/** Reads a TL-B ExtBlkRef. */
export function readBlockRef(reader: CellReader): BlockRef {
  return { endLt: reader.bigUint(64), seqno: reader.uint(32), rootHash: reader.bytes(32), fileHash: reader.bytes(32) };
}
