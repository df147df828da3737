import {
  type AssembledBlock,
  assembleBlock,
  type BlockInput,
  type DeliveredMessage,
  describeShard,
} from "@chain-query/format/blocks";
import { type Cell, writeBoc } from "@chain-query/format/cells";
import { addCurrencies } from "@chain-query/format/currencies";
import { uint32Key } from "@chain-query/format/dictionaries";
import { type AccountId, accountName, containsAccount } from "@chain-query/format/identifiers";
import {
  compactProcessed,
  encodePrunedState,
  type MasterchainExtra,
  type ProcessedUpto,
  type QueuedMessage,
  type ShardDescription,
  type ShardState,
} from "@chain-query/format/states";
import { seededBytes } from "../random.ts";
import { newestKeyBlock } from "../reading/state-reader.ts";
import type { BlockCommit, ChainCommit, ProducerState } from "../store/commit.ts";
import {
  CONFIG_KEY,
  COUNTERS_KEY,
  encodeJson,
  encodeShard,
  LIBRARIES_KEY,
  pastKeyOf,
  poolKey,
  queueKey,
  type ShardTip,
  savedShardKey,
  type WaitingMessage,
} from "../store/producer-state.ts";
import { type Collation, collate } from "./collation.ts";
import { configurationAfter, configurationMessage, librariesAfter, nextConfiguration } from "./key-blocks.ts";
import { allShards, base64Of, byCreation, type Network, type Shard, shardOf } from "./network.ts";
import {
  type Announced,
  announcedBefore,
  announcements,
  descriptionOf,
  isLastBlock,
  loadAfter,
  reshard,
  reshardings,
} from "./resharding.ts";
import { referredMaster, shardBlockCount, timeInStep } from "./shard-blocks.ts";

/** A block of a step, and its executed content. */
interface ProducedBlock {
  readonly shard: Shard;
  readonly before: ShardTip;
  readonly collation: Collation;
  readonly block: AssembledBlock;
  readonly announced: Announced;
  /** Of a key block: the new configuration. */
  readonly config: Cell | undefined;
  /** Of a masterchain block that changes them: the public libraries. */
  readonly libraries: MasterchainExtra["libraries"];
  /** Messages removed from its queue because other shards had imported them. */
  readonly delivered: readonly DeliveredMessage[];
  /** The shards that it replaces, see `Origin`. */
  readonly former: readonly ShardState[];
}

/** Blocks start at multiples of this lt. */
const LT_STEP = 1_000_000n;

/**
 * Produces one step: blocks of the shards, then the masterchain block that commits them. Updates the network.
 *
 * @param time - Unix seconds, above the time of the previous step.
 * @param arrived - New external messages.
 */
export async function produceStep(network: Network, time: number, arrived: readonly WaitingMessage[]): Promise<ChainCommit> {
  const { masterchain, shards, options } = network;
  const seqno = masterchain.tip.ref.seqno + 1;
  for (const shard of shards) stampDelivered(network, shard);
  reshard(network, (shard) => shardBlockCount(options, seqno, shard) > 0);
  for (const message of arrived) shardOf(allShards(network), message.to).pool.push(message);
  const rows = await produceShardBlocks(network, seqno, time, announcements(network, seqno, time));
  const blocks = rows.flat();
  route(network, blocks);
  stampDelivered(network, masterchain);
  const startLt = ltAbove([masterchain.tip.ref.endLt, ...blocks.map(({ block }) => block.ref.endLt)]);
  const top = await produceBlock(network, masterchain, startLt, time, { shards: describeShards(network, rows, time) });
  routeWithin(top);
  route(network, [top]);
  if (top.config) network.config = base64Of(top.config);
  const { feesCollected, burned } = top.block.valueFlow;
  network.burnt += feesCollected.coins + burned.coins;
  return commitOf(network, top, blocks, arrived);
}

/** In rounds: of each shard that has another block. By shard, then by number. */
async function produceShardBlocks(
  network: Network,
  seqno: number,
  time: number,
  announces: ReturnType<typeof announcements>,
): Promise<ProducedBlock[][]> {
  const { masterchain, shards, options } = network;
  const { time: before } = masterchain.tip;
  const counts = shards.map((shard) => {
    if (isLastBlock(network, shard)) return 0;
    const isNeeded = shard.origin !== undefined || announces.scheduled.includes(shard);
    return Math.max(isNeeded ? 1 : 0, shardBlockCount(options, seqno, shard.state.shard));
  });
  const rows: ProducedBlock[][] = shards.map(() => []);
  for (let round = 1; round <= Math.max(...counts); round++) {
    // The blocks of different shards are independent: while one is assembled, the machine executes another.
    const made = shards.map(async (shard, i) => {
      const count = counts[i] ?? 0;
      if (round > count) return;
      const master = referredMaster(network, shard);
      const startLt = ltAbove([master.endLt, ...tipsOf(shard).map(({ ref }) => ref.endLt)]);
      const links = { master, announces: announces.of(shard, round === count) };
      const block = await produceBlock(network, shard, startLt, timeInStep(before, time, round / count), links);
      routeWithin(block);
      rows[i]?.push(block);
    });
    await Promise.all(made);
  }
  return rows;
}

/** The masterchain's description of each shard: of its newest block, with the fees of all new ones. */
function describeShards(network: Network, rows: readonly (readonly ProducedBlock[])[], time: number): ShardDescription[] {
  const { shards, masterchain } = network;
  const tops = shards.map((shard, i) => ({
    shard: shard.state.shard,
    announced: rows[i]?.at(-1)?.announced ?? announcedBefore(network, shard),
  }));
  const planned = reshardings(network, tops, time);
  return shards.flatMap((shard, i) => {
    const row = rows[i] ?? [];
    const last = row.at(-1);
    const known = descriptionOf(network, shard.state.shard);
    if (!last) return known ? [{ ...known, resharding: planned[i] }] : [];
    const feesCollected = row.map(({ block }) => block.valueFlow.feesCollected).reduce(addCurrencies);
    return [{ ...describeShard(last.block, masterchain.tip.ref.seqno + 1, planned[i]), feesCollected }];
  });
}

async function produceBlock(
  network: Network,
  shard: Shard,
  startLt: bigint,
  time: number,
  links: Pick<BlockInput, "master" | "shards" | "announces">,
): Promise<ProducedBlock> {
  const { options, population, masterchain } = network;
  const { state, tip: before, origin } = shard;
  const seqno = state.seqno + 1;
  const isMaster = links.master === undefined;
  // A block that does not know the newest masterchain block does not know what other shards did until then.
  const isBehind = links.master !== undefined && links.master.seqno < masterchain.tip.ref.seqno;
  const delivered = isBehind ? [] : shard.delivered;
  const { workchain, shard: prefix } = state.shard;
  const randomSeed = seededBytes(options.seed, "block", workchain, prefix.toString(), seqno);
  const tickTockAccounts = isMaster ? [population.clock.id.hash] : [];
  const proposed = state.masterchain && nextConfiguration(options, seqno, state.masterchain.config);
  const frame = { startLt, time, randomSeed, limit: options.transactionLimit, tickTockAccounts, config: network.config };
  const first = proposed && configurationMessage(proposed);
  const collation = await collate(network, shard, { ...frame, first, isImporting: !isBehind });
  const config = state.masterchain && configurationAfter(collation, state.masterchain);
  const libraries = state.masterchain && librariesAfter(collation, state.masterchain);
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
    accountCells: collation.touched.flatMap(({ before, shardAccount }) => [before, shardAccount].flatMap(({ refs }) => refs)),
    delivered,
    load: isLoadKept
      ? loadAfter(state, { count: collation.transactions.length, leaves: !isBehind && shard.inbound.length > 0 }, options)
      : undefined,
    ...(last && { processed: processedAfter(shard, last, links.master?.seqno ?? seqno) }),
    ...(config ? { config } : {}),
    ...(libraries && { libraries }),
    ...(isMaster ? {} : { previousKeySeqno: newestKeyBlock(masterchain.state.seqno, masterchain.state.masterchain) }),
    ...(validators && { validators }),
    ...(origin && { former: origin.former, ...(origin.mergedWith && { mergedWith: origin.mergedWith.ref }) }),
    ...links,
  });
  shard.state = block.state;
  shard.tip = { id: block.id, ref: block.ref, time };
  shard.origin = undefined;
  if (!isBehind) shard.delivered = [];
  const changes = { announced: links.announces ?? {}, config, libraries };
  return { shard, before, collation, block, ...changes, delivered, former: origin?.former ?? [] };
}

/** The newest blocks that a shard's next block refers to: two after a merge. */
function tipsOf({ tip, origin }: Shard): ShardTip[] {
  return origin?.mergedWith ? [tip, origin.mergedWith] : [tip];
}

function processedAfter({ state }: Shard, { message }: QueuedMessage, masterchainSeqno: number): ProcessedUpto[] {
  const last = { lastLt: message.createdLt, lastHash: message.cell.hash };
  return compactProcessed([...state.processed, { shard: state.shard.shard, masterchainSeqno, ...last }]);
}

/** Moves the messages that a block sent within its shard: the shard's next block imports them, also in the same step. */
function routeWithin({ shard, block }: ProducedBlock): void {
  const within = block.enqueued.filter((queued) => isWithin(shard, queued));
  shard.inbound.push(...within);
  // Messages of other shards may have been created later, if the block does not know them.
  if (within.length > 0) shard.inbound.sort(byCreation);
}

function isWithin({ state }: Shard, { message }: QueuedMessage): boolean {
  return containsAccount(state.shard, message.destination as AccountId);
}

/** Moves the messages that blocks sent to other shards, and marks imported messages in the senders' queues. */
function route(network: Network, blocks: readonly ProducedBlock[]): void {
  const shards = allShards(network);
  const receivers = new Set<Shard>();
  for (const { shard, block } of blocks) {
    for (const queued of block.enqueued) {
      const receiver = shardOf(shards, queued.message.destination as AccountId);
      if (receiver === shard) continue;
      receiver.inbound.push(queued);
      receivers.add(receiver);
    }
  }
  for (const { inbound } of receivers) inbound.sort(byCreation);
  for (const { shard, collation } of blocks) {
    for (const queued of collation.imported) {
      const sender = shardOf(shards, queued.at);
      if (sender !== shard) sender.delivered.push({ queued, importLt: shard.tip.ref.endLt });
    }
  }
}

/** A block that removes an imported message from its queue states the newest block of the shard that has imported it. */
function stampDelivered(network: Network, shard: Shard): void {
  shard.delivered = shard.delivered.map(({ queued }) => {
    const receiver = shardOf(allShards(network), queued.message.destination as AccountId);
    return { queued, importLt: receiver.tip.ref.endLt };
  });
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
  const touched = new Map(all.flatMap(({ collation }) => collation.touched.map((one) => [accountName(one.account), one])));
  return {
    masterchain: blockCommit(top),
    shards: blocks.map(blockCommit),
    accounts: [...touched.values()],
    burnt: network.burnt,
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
    queueSize: block.state.queue.size,
    transactions: collation.transactions.map(({ transaction }) => ({
      account: { workchain: block.id.workchain, hash: transaction.account },
      cell: transaction.cell,
    })),
    ...(shard.tip.id.seqno !== block.id.seqno && { accounts: collation.touched }),
  };
}

/** The records of the producer's state that a step changes. */
function changedState(network: Network, blocks: readonly ProducedBlock[], arrived: readonly WaitingMessage[]): ProducerState {
  const put = new Map<string, Uint8Array>([[COUNTERS_KEY, encodeJson(network.counters)]]);
  const remove: string[] = [];
  for (const message of arrived) put.set(poolKey(message), encodeJson(message));
  for (const { shard, before, collation, block, config, libraries, delivered, former } of blocks) {
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
    const root = libraries?.rootCell();
    if (root) put.set(LIBRARIES_KEY, writeBoc(root));
    else if (libraries) remove.push(LIBRARIES_KEY);
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
