import { CellReader, readBoc, sha256 } from "@chain-query/format/cells";
import type { BlockId } from "../domain.ts";
import { blockKey } from "../store/keys.ts";
import type { Tables } from "../store/tables.ts";
import { blockName, must, mustEqual, naming } from "./fault.ts";

/** Re-hashes a zero state, and compares its time. Gives its bag of cells. */
export function checkZeroState(tables: Tables, id: BlockId, time: number): Uint8Array {
  const name = `zero state ${blockName(id, 0)}`;
  const boc = tables.blockData.get(blockKey(id, 0));
  must(boc !== undefined, () => `the ${name} is missing`);
  mustEqual(sha256(boc), id.fileHash, () => `file hash of the ${name}`);
  const root = naming(name, () => readBoc(boc));
  mustEqual(root.hash, id.rootHash, () => `root hash of the ${name}`);
  // TL-B ShardStateUnsplit: tag, network, shard, number and vertical number come before the time.
  const reader = new CellReader(root).skip(32 + 32 + 104 + 32 + 32);
  mustEqual(time, reader.uint(32), () => `time of the ${name}`);
  return boc;
}
