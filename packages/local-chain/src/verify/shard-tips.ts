import { type Cell, CellReader } from "@chain-query/format/cells";
import { readEntries } from "@chain-query/format/dictionaries";
import type { BlockId } from "../domain.ts";

/** The newest block of a shard, as a masterchain block commits it (TL-B ShardDescr). */
export interface ShardTip extends BlockId {
  readonly startLt: bigint;
  readonly endLt: bigint;
}

const WHOLE = 1n << 63n;

/** The shards in a TL-B McBlockExtra, by workchain and shard. */
export function readShardTips(masterchainExtra: Cell): ShardTip[] {
  const reader = new CellReader(masterchainExtra).skip(16 + 1);
  const root = reader.maybeRef();
  if (!root) return [];
  return Array.from(readEntries(root, 32)).flatMap(({ key, leaf }) => {
    const workchain = Buffer.from(key).readInt32BE();
    return [...tipsIn(leaf.ref(), workchain, WHOLE)];
  });
}

/** TL-B BinTree ShardDescr: a fork halves the shard. */
function* tipsIn(cell: Cell, workchain: number, shard: bigint): Generator<ShardTip, void, undefined> {
  const reader = new CellReader(cell);
  if (!reader.bit()) {
    yield readTip(reader, workchain, shard);
    return;
  }
  const half = (shard & -shard) >> 1n;
  yield* tipsIn(reader.ref(), workchain, shard - half);
  yield* tipsIn(reader.ref(), workchain, shard + half);
}

function readTip(reader: CellReader, workchain: number, shard: bigint): ShardTip {
  reader.skip(4);
  const seqno = reader.uint(32);
  reader.skip(32);
  const startLt = reader.bigUint(64);
  const endLt = reader.bigUint(64);
  const rootHash = reader.bytes(32);
  const fileHash = reader.bytes(32);
  return { workchain, shard: BigInt.asIntN(64, shard), seqno, rootHash, fileHash, startLt, endLt };
}
