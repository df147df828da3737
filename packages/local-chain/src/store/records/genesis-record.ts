import type { BlockId } from "../../domain.ts";
import type { ChainGenesis } from "../commit.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { readBlockId, writeBlockId } from "./header-record.ts";

/** What a chain began with; the bytes of its zero states lie with those of the blocks. */
export interface StoredGenesis extends Pick<ChainGenesis, "time" | "retentionSeconds" | "options"> {
  readonly masterchain: BlockId;
  readonly shards: readonly BlockId[];
}

export function writeGenesis({ time, retentionSeconds, options, masterchain, shards }: StoredGenesis): Uint8Array {
  const writer = new ByteWriter(1024)
    .u32(time)
    .u32(retentionSeconds)
    .bytes(Buffer.from(JSON.stringify(options)));
  writeBlockId(writer, masterchain);
  writer.u32(shards.length);
  for (const shard of shards) writeBlockId(writer, shard);
  return writer.finish();
}

export function readGenesis(record: Uint8Array): StoredGenesis {
  const reader = new ByteReader(record);
  const time = reader.u32();
  const retentionSeconds = reader.u32();
  const options: StoredGenesis["options"] = JSON.parse(Buffer.from(reader.bytes()).toString("utf8"));
  const masterchain = readBlockId(reader);
  const shards = Array.from({ length: reader.u32() }, () => readBlockId(reader));
  reader.end();
  return { time, retentionSeconds, options, masterchain, shards };
}
