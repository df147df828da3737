import {
  type AssembledBlock,
  assembleBlock,
  type BlockInput,
  type DeliveredMessage,
  describeShard,
} from "@chain-query/format/blocks";
import { type Cell, writeBoc } from "@chain-query/format/cells";
import { uint32Key } from "@chain-query/format/dictionaries";
import { type AccountId, containsAccount } from "@chain-query/format/identifiers";
import {
  compactProcessed,
  encodePrunedState,
  type ProcessedUpto,
  type QueuedMessage,
  type ShardState,
} from "@chain-query/format/states";
import { seededBytes } from "../random.ts";
import type { BlockCommit, ChainCommit, ProducerState } from "../store/commit.ts";
import {
  CONFIG_KEY,
  COUNTERS_KEY,
  encodeJson,
  encodeShard,
  pastKeyOf,
  poolKey,
  queueKey,
  type ShardTip,
  savedShardKey,
  type WaitingMessage,
} from "../store/producer-state.ts";
import { type Collation, collate } from "./collation.ts";
import { configurationAfter, configurationMessage, newestKeyBlock, nextConfiguration } from "./key-blocks.ts";
import { loadAfter } from "./load.ts";
import { allShards, base64Of, byCreation, type Network, type Shard, shardOf } from "./network.ts";
import { announcements, reshard, reshardings } from "./resharding.ts";

/** A block of a step, and its executed content. */
interface ProducedBlock {
  readonly shard: Shard;
  readonly before: ShardTip;
  readonly collation: Collation;
  readonly block: AssembledBlock;
  /** Of a key block: the new configuration. */
  readonly config: Cell | undefined;
  /** Messages removed from its queue because other shards had imported them. */
  readonly delivered: readonly DeliveredMessage[];
  /** The shards that it replaces, see `Origin`. */
  readonly former: readonly ShardState[];
}

/** Blocks start at multiples of this lt. */
const LT_STEP = 1_000_000n;

/**
 * Produces one step: a block of every shard, then the masterchain block that commits them. Updates the network.
 *
 * @param time - Unix seconds, above the time of the previous step.
 * @param arrived - New external messages.
 */
export async function produceStep(network: Network, time: number, arrived: readonly WaitingMessage[]): Promise<ChainCommit> {
  const { masterchain, shards } = network;
  reshard(network);
  for (const message of arrived) shardOf(allShards(network), message.to).pool.push(message);
  const master = masterchain.tip.ref;
  const seqno = master.seqno + 1;
  const announced = announcements(network, seqno, time);
  // The shard blocks are independent: while one is assembled, the machine executes another.
  const blocks = await Promise.all(
    shards.map((shard) => {
      const startLt = ltAbove([master.endLt, ...tipsOf(shard).map(({ ref }) => ref.endLt)]);
      return produceBlock(network, shard, startLt, time, { master, announces: announced.get(shard) ?? {} });
    }),
  );
  route(network, blocks);
  const tops = blocks.map(({ shard, block }) => ({ block, announced: announced.get(shard) ?? {} }));
  const planned = reshardings(network, tops, time);
  const descriptions = blocks.map(({ block }, i) => describeShard(block, seqno, planned[i]));
  const startLt = ltAbove([master.endLt, ...blocks.map(({ block }) => block.ref.endLt)]);
  const top = await produceBlock(network, masterchain, startLt, time, { shards: descriptions });
  route(network, [top]);
  if (top.config) network.config = base64Of(top.config);
  const { feesCollected, burned } = top.block.valueFlow;
  network.burnt += feesCollected.coins + burned.coins;
  return commitOf(network, top, blocks, arrived);
}

async function produceBlock(
  network: Network,
  shard: Shard,
  startLt: bigint,
  time: number,
  links: Pick<BlockInput, "master" | "shards" | "announces">,
): Promise<ProducedBlock> {
  const { options, population, masterchain } = network;
  const { state, tip: before, delivered, origin } = shard;
  const seqno = state.seqno + 1;
  const isMaster = links.master === undefined;
  const { workchain, shard: prefix } = state.shard;
  const randomSeed = seededBytes(options.seed, "block", workchain, prefix.toString(), seqno);
  const tickTockAccounts = isMaster ? [population.clock.id.hash] : [];
  const proposed = state.masterchain && nextConfiguration(options, seqno, state.masterchain.config);
  const frame = { startLt, time, randomSeed, limit: options.transactionLimit, tickTockAccounts, config: network.config };
  const collation = await collate(network, shard, { ...frame, first: proposed && configurationMessage(proposed) });
  const config = state.masterchain && configurationAfter(collation, state.masterchain);
  const last = collation.imported.at(-1);
  const validators = isMaster ? network.signersOf(seqno)?.group : undefined;
  const isLoadKept = options.resharding === "load" && !isMaster;
  const block = assembleBlock({
    before: state,
    previous: before.ref,
    startLt,
    endLt: collation.endLt,
    time,
    randomSeed,
    transactions: collation.transactions,
    delivered,
    load: isLoadKept
      ? loadAfter(state, { count: collation.transactions.length, leaves: shard.inbound.length > 0 }, options)
      : undefined,
    ...(last && { processed: processedAfter(shard, last, links.master?.seqno ?? seqno) }),
    ...(config ? { config } : {}),
    ...(isMaster ? {} : { previousKeySeqno: newestKeyBlock(masterchain.state) }),
    ...(validators && { validators }),
    ...(origin && { origin: origin.state, ...(origin.mergedWith && { mergedWith: origin.mergedWith.ref }) }),
    ...links,
  });
  shard.state = block.state;
  shard.tip = { id: block.id, ref: block.ref, time };
  shard.origin = undefined;
  return { shard, before, collation, block, config, delivered, former: origin?.former ?? [] };
}

/** The newest blocks that a shard's next block refers to: two after a merge. */
function tipsOf({ tip, origin }: Shard): ShardTip[] {
  return origin?.mergedWith ? [tip, origin.mergedWith] : [tip];
}

function processedAfter({ state }: Shard, { message }: QueuedMessage, masterchainSeqno: number): ProcessedUpto[] {
  const last = { lastLt: message.createdLt, lastHash: message.cell.hash };
  return compactProcessed([...state.processed, { shard: state.shard.shard, masterchainSeqno, ...last }]);
}

/** Moves the messages that blocks sent to the shards of their destinations, and marks imported messages in the senders' queues. */
function route(network: Network, blocks: readonly ProducedBlock[]): void {
  const shards = allShards(network);
  for (const { shard } of blocks) shard.delivered = [];
  const sent = blocks.flatMap(({ block }) => block.enqueued).sort(byCreation);
  for (const queued of sent) shardOf(shards, queued.message.destination as AccountId).inbound.push(queued);
  for (const { shard, collation, block } of blocks) {
    for (const queued of collation.imported) {
      const sender = shardOf(shards, queued.at);
      if (sender !== shard) sender.delivered.push({ queued, importLt: block.ref.endLt });
    }
  }
}

function ltAbove(lts: readonly bigint[]): bigint {
  let highest = 0n;
  for (const lt of lts) if (lt > highest) highest = lt;
  return (highest / LT_STEP + 1n) * LT_STEP;
}

function commitOf(
  network: Network,
  top: ProducedBlock,
  blocks: readonly ProducedBlock[],
  arrived: readonly WaitingMessage[],
): ChainCommit {
  const all = [...blocks, top];
  return {
    masterchain: blockCommit(top),
    shards: blocks.map(blockCommit),
    accounts: all.flatMap(({ collation }) => collation.touched),
    totals: { minted: 0n, burnt: network.burnt },
    producer: changedState(network, all, arrived),
  };
}

function blockCommit({ shard, before, collation, block }: ProducedBlock): BlockCommit {
  return {
    id: block.id,
    boc: block.boc,
    startLt: block.startLt,
    endLt: block.ref.endLt,
    time: block.time,
    stateRootHash: block.stateRootHash,
    state: encodePrunedState(block.state),
    previous: before.id,
    queueSize: shard.state.queue.size,
    transactions: collation.transactions.map(({ transaction }) => ({
      account: { workchain: block.id.workchain, hash: transaction.account },
      cell: transaction.cell,
    })),
  };
}

/** The records of the producer's state that a step changes. */
function changedState(network: Network, blocks: readonly ProducedBlock[], arrived: readonly WaitingMessage[]): ProducerState {
  const put = new Map<string, Uint8Array>([[COUNTERS_KEY, encodeJson(network.counters)]]);
  const remove: string[] = [];
  for (const message of arrived) put.set(poolKey(message), encodeJson(message));
  for (const { shard, before, collation, block, config, delivered, former } of blocks) {
    const { shard: id } = shard.state;
    for (const { shard: old, queue } of former) {
      remove.push(savedShardKey(old), ...Array.from(queue, ([, queued]) => queueKey(old, queued)));
    }
    if (former.length > 0)
      for (const [, queued] of shard.state.queue) put.set(queueKey(id, queued), writeBoc(queued.message.cell));
    put.set(savedShardKey(id), encodeShard(shard));
    const past = shard.state.masterchain?.past.get(uint32Key(before.ref.seqno));
    if (past) put.set(pastKeyOf(past), encodeJson(past));
    if (config) put.set(CONFIG_KEY, writeBoc(config));
    for (const queued of block.enqueued) put.set(queueKey(id, queued), writeBoc(queued.message.cell));
    for (const { queued } of delivered) remove.push(queueKey(id, queued));
    for (const queued of collation.imported) if (containsAccount(id, queued.at)) remove.push(queueKey(id, queued));
    for (const waiting of collation.taken) {
      const key = poolKey(waiting);
      if (!put.delete(key)) remove.push(key);
    }
  }
  return { put, remove };
}
