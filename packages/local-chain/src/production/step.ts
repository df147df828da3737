import { type AssembledBlock, assembleBlock, type DeliveredMessage, describeShard } from "@chain-query/format/blocks";
import type { QueuedMessage } from "@chain-query/format/states";
import type { AccountId } from "../domain.ts";
import type { BlockCommit, ChainCommit } from "../store/commit.ts";
import { seededBytes } from "../traffic/random.ts";
import { type Collation, collate } from "./collation.ts";
import { allShards, type Network } from "./network.ts";
import type { WaitingMessage } from "./pool.ts";
import { recordsOfStep } from "./records.ts";
import { byCreation, type Shard, shardOf } from "./shard.ts";

/** A block of a step, and what ran in it. */
export interface ProducedBlock {
  readonly shard: Shard;
  readonly before: Shard["tip"];
  readonly collation: Collation;
  readonly block: AssembledBlock;
  /** Messages that left its queue because others had taken them. */
  readonly delivered: readonly DeliveredMessage[];
}

/** The lts of blocks begin at multiples of this. */
const LT_STEP = 1_000_000n;

/**
 * Produces one step: a block of every shard, then the masterchain block that commits them. Changes the network.
 *
 * @param time - Unix seconds, above those of the step before.
 * @param arrived - Messages from outside that came since.
 */
export async function produceStep(network: Network, time: number, arrived: readonly WaitingMessage[]): Promise<ChainCommit> {
  const { masterchain, shards } = network;
  for (const message of arrived) shardOf(allShards(network), message.to).pool.push(message);
  const master = masterchain.tip.ref;
  // No block of the row needs another, so while one is executed the next may be put together.
  const blocks = await Promise.all(
    shards.map((shard) => produceBlock(network, shard, ltAbove([master.endLt, shard.tip.ref.endLt]), time, { master })),
  );
  route(network, blocks);
  const seqno = master.seqno + 1;
  const descriptions = blocks.map(({ block }) => describeShard(block, seqno));
  const startLt = ltAbove([master.endLt, ...blocks.map(({ block }) => block.ref.endLt)]);
  const top = await produceBlock(network, masterchain, startLt, time, { shards: descriptions });
  route(network, [top]);
  return commitOf(network, top, blocks, arrived);
}

async function produceBlock(
  network: Network,
  shard: Shard,
  startLt: bigint,
  time: number,
  links: Pick<Parameters<typeof assembleBlock>[0], "master" | "shards">,
): Promise<ProducedBlock> {
  const { options, people } = network;
  const { state, tip: before, delivered } = shard;
  const seqno = state.seqno + 1;
  const isMaster = links.master === undefined;
  const { workchain, shard: prefix } = state.shard;
  const randomSeed = seededBytes(options.seed, "block", workchain, prefix.toString(), seqno);
  const startedByClock = isMaster ? [people.clock.id.hash] : [];
  const frame = { startLt, time, randomSeed, limit: options.transactionLimit, startedByClock };
  const collation = await collate(network, shard, frame);
  const last = collation.imported.at(-1);
  const block = assembleBlock({
    before: state,
    previous: before.ref,
    startLt,
    endLt: collation.endLt,
    time,
    randomSeed,
    transactions: collation.transactions,
    delivered,
    ...(last ? { processed: [processedUpto(shard, last, links.master?.seqno ?? seqno)] } : {}),
    ...links,
  });
  shard.state = block.state;
  shard.tip = { id: block.id, ref: block.ref, time };
  return { shard, before, collation, block, delivered };
}

function processedUpto({ state }: Shard, { message }: QueuedMessage, masterchainSeqno: number) {
  return { shard: state.shard.shard, masterchainSeqno, lastLt: message.createdLt, lastHash: message.cell.hash };
}

/** Tells everybody what these blocks sent, and the senders what these blocks took. */
function route(network: Network, blocks: readonly ProducedBlock[]): void {
  const everybody = allShards(network);
  for (const { shard } of blocks) shard.delivered = [];
  const sent = blocks.flatMap(({ block }) => block.enqueued).sort(byCreation);
  for (const queued of sent) shardOf(everybody, queued.message.destination as AccountId).inbound.push(queued);
  for (const { shard, collation, block } of blocks) {
    for (const queued of collation.imported) {
      const sender = shardOf(everybody, queued.message.source as AccountId);
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
    totals: { minted: 0n, burnt: network.masterchain.state.totalValidatorFees.coins },
    producer: recordsOfStep(network, all, arrived),
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
    previous: before.id,
    queueSize: shard.state.queue.size,
    transactions: collation.transactions.map(({ transaction }, i) => ({
      account: { workchain: block.id.workchain, hash: transaction.account },
      cell: transaction.cell,
      boc: collation.bocs[i] as Uint8Array,
    })),
  };
}
