import { readBlockShards } from "@chain-query/format/blocks";
import { type Cell, CellBuilder, CellReader, writeBoc } from "@chain-query/format/cells";
import { lookUp } from "@chain-query/format/dictionaries";
import { intersects, namedBlock, type ShardId } from "@chain-query/format/identifiers";
import { EXTERNAL_QUEUE_LIMIT, lookUpShard, readQueueSize, readShardTops, readStateShards } from "@chain-query/format/states";
import { prove, proveInState } from "../proving/proofs.ts";
import { noBlock } from "./accounts.ts";
import { type Answers, refused } from "./lite-chain.ts";

export const shardAnswers: Answers<"getShardInfo" | "getAllShardsInfo"> = {
  getShardInfo: (chain, { id, workchain, shard, exact }) => {
    if (id.workchain !== -1) throw refused("reference block must belong to the masterchain");
    if (shard === 0n) throw refused("requested shard is invalid");
    const { value: found, proof: shardProof } = proveInState(chain, id, (state) => {
      const top = lookUpShard(readStateShards(state), { workchain, shard });
      return exact && top?.shard !== shard ? undefined : top;
    });
    return {
      id,
      shardblk: found ? namedBlock(found, found.block) : noBlock(0),
      shardProof,
      shardDescr: found ? writeBoc(leafOf(readStateShards(chain.state(id)), found)) : new Uint8Array(),
    };
  },
  getAllShardsInfo: (chain, { id }) => {
    if (id.workchain !== -1) throw refused("reference block must belong to the masterchain");
    const { value: shards, proof } = prove(chain.block(id).root, readBlockShards);
    return { id, proof: writeBoc(proof), data: writeBoc(new CellBuilder().maybeRef(shards).cell()) };
  },
};

/** The cell of a shard in the tree of shards, which begins with the bit 0. TL-B `bt_leaf$0 leaf:ShardDescr`. */
function leafOf(shards: Cell | undefined, { workchain, shard }: ShardId): Cell {
  const leaf = shards && lookUp(shards, new CellBuilder().int(workchain, 32).cell().bytes, 32);
  if (!leaf) throw new TypeError("the shard must be one of the tree");
  let cell = leaf.ref();
  for (let mark = 1n << 63n; ; mark >>= 1n) {
    const reader = new CellReader(cell);
    if (!reader.bit()) return cell;
    const left = reader.ref();
    cell = BigInt.asUintN(64, shard) & mark ? reader.ref() : left;
  }
}

export const queueAnswers: Answers<"getOutMsgQueueSizes" | "getBlockOutMsgQueueSize"> = {
  getOutMsgQueueSizes: (chain, { wc, shard }) => {
    const head = chain.shardHead();
    const asked = wc !== undefined && shard !== undefined ? { workchain: wc, shard } : undefined;
    if (asked?.shard === 0n) throw refused("requested shard is invalid");
    const tops = readShardTops(readStateShards(chain.state(head)));
    const blocks = [head, ...tops.map((shard) => namedBlock(shard, shard.block))];
    const shards = blocks
      .filter((block) => !asked || intersects(asked, block))
      .map((id) => ({ id, size: requireQueueSize(chain.state(id)) }));
    return { shards, extMsgQueueSizeLimit: EXTERNAL_QUEUE_LIMIT };
  },
  getBlockOutMsgQueueSize: (chain, { mode, id }) => {
    if (!(mode & 1)) return { mode, id, size: BigInt(requireQueueSize(chain.state(id))) };
    const { value, proof } = proveInState(chain, id, requireQueueSize);
    return { mode, id, size: BigInt(value), proof };
  },
};

function requireQueueSize(state: Cell): number {
  const size = readQueueSize(state);
  if (size === undefined) throw refused("no out_msg_queue_size in shard state");
  return size;
}
