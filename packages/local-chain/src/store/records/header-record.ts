import type { BlockHeader, BlockId } from "../../domain.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

/** What a block's key does not tell is all in here, and the id is whole, so that a header can be read without its key. */
export function writeHeader(header: BlockHeader): Uint8Array {
  const writer = new ByteWriter(256);
  writeBlockId(writer, header.id);
  writer.u64(header.startLt).u64(header.endLt).u32(header.time).fixed(header.stateRootHash);
  writeBlockId(writer, header.previous);
  return writer.u32(header.masterchainSeqno).u32(header.transactionCount).u32(header.queueSize).finish();
}

export function readHeader(record: Uint8Array): BlockHeader {
  const reader = new ByteReader(record);
  const header = {
    id: readBlockId(reader),
    startLt: reader.u64(),
    endLt: reader.u64(),
    time: reader.u32(),
    stateRootHash: reader.fixed(32),
    previous: readBlockId(reader),
    masterchainSeqno: reader.u32(),
    transactionCount: reader.u32(),
    queueSize: reader.u32(),
  };
  reader.end();
  return header;
}

export function writeBlockId(writer: ByteWriter, { workchain, shard, seqno, rootHash, fileHash }: BlockId): void {
  writer.i32(workchain).i64(shard).u32(seqno).fixed(rootHash).fixed(fileHash);
}

export function readBlockId(reader: ByteReader): BlockId {
  return {
    workchain: reader.i32(),
    shard: reader.i64(),
    seqno: reader.u32(),
    rootHash: reader.fixed(32),
    fileHash: reader.fixed(32),
  };
}
