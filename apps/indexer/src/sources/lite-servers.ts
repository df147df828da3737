/** The steps of a live network, read from its lite servers and verified. */

import { buildShardAccount } from "@chain-query/format/accounts";
import { blockName, isSameShard, namedBlock } from "@chain-query/format/identifiers";
import { readAccounts, readShardTops, readState, readStateShards } from "@chain-query/format/states";
import type { BlockId, Step, StepAccount, StepBlock, StepGenesis, StepRange, StepSource } from "@chain-query/format/store";
import { type LiteClient, LiteError } from "@chain-query/lite-client";
import { type LiteStep, type LiteStepBlock, liteStepReader } from "./lite-step.ts";

/** Options of {@link liteServerSteps}. */
export interface LiteStepsOptions {
  /** The source closes it. Its rate limits the speed: each block and some accounts take a query. */
  readonly client: LiteClient;
  /** Seconds after which history is archival; default: two days. */
  readonly retentionSeconds?: number | undefined;
  /** Milliseconds without a new head after which at least one server must be connected; default: 10,000. */
  readonly headTimeoutMs?: number | undefined;
}

/** Steps that are read at the same time. */
const STEPS_AHEAD = 16;

/**
 * Reads the steps of a network from its lite servers. Verifies all data from the head of the client: masterchain blocks are its ancestors and
 * commit the shard blocks, and accounts are read from the states after them.
 *
 * @example
 * const source = liteServerSteps({ client: liteClient(parseGlobalConfig(text)) });
 * for await (const { masterchain } of source.steps({ from: 1 }, signal)) console.log(masterchain.id.seqno);
 */
export function liteServerSteps({ client, retentionSeconds = 172_800, headTimeoutMs = 10_000 }: LiteStepsOptions): StepSource {
  async function* steps({ from, to = Number.POSITIVE_INFINITY, tips }: StepRange, signal: AbortSignal): AsyncGenerator<Step> {
    if (!Number.isInteger(from) || from < 1) throw new RangeError(`the first step must be an integer ≥ 1, got ${from}`);
    signal.throwIfAborted();
    if (from > to) return;
    const end = new AbortController();
    const reader = liteStepReader(client, AbortSignal.any([signal, end.signal]));
    const ahead: ReturnType<typeof reader.readStep>[] = [];
    try {
      let head = await headFrom(client, from, headTimeoutMs, signal);
      let sizes: QueueSizes = tips
        ? new Map(tips.map(({ id, queueSize }) => [blockName(id), queueSize]))
        : await queueSizesAfter(client, await reader.masterchainId(from - 1), signal);
      let next = from;
      for (let seqno = from; seqno <= to; seqno++) {
        if (seqno > head.seqno) head = await headFrom(client, seqno, headTimeoutMs, signal);
        for (; ahead.length < STEPS_AHEAD && next <= Math.min(to, head.seqno); next++) {
          const reading = reader.readStep(next);
          // The loop awaits it later, and throws its error.
          reading.catch(() => {});
          ahead.push(reading);
        }
        const [reading] = ahead.splice(0, 1);
        if (!reading) throw new Error(`step ${seqno} is not being read`);
        const step = await reading;
        const counted = await addQueueSizes(step, sizes, () => queueSizesAfter(client, step.masterchain.id, signal));
        sizes = counted.sizes;
        yield counted.step;
        signal.throwIfAborted();
      }
    } finally {
      end.abort(new Error("no caller waits for the steps"));
    }
  }

  return {
    genesis: () => readGenesis(client, retentionSeconds),
    newest: async () => (await client.waitForHead()).block.seqno,
    steps,
    close: () => client.close(),
  };
}

/**
 * Waits for a head at or after a step.
 *
 * @throws LiteError if no server is connected, or if too few are for a new head.
 */
async function headFrom(client: LiteClient, seqno: number, headTimeoutMs: number, signal: AbortSignal): Promise<BlockId> {
  for (;;) {
    const timeout = AbortSignal.timeout(headTimeoutMs);
    try {
      return (await client.waitForHead({ seqno, signal: AbortSignal.any([signal, timeout]) })).block;
    } catch (error) {
      if (signal.aborted || !timeout.aborted) throw error;
    }
    if (client.problem !== undefined) throw new LiteError("unavailable", client.problem);
    if (client.servers.some(({ state }) => state === "ready")) continue;
    const reasons = client.servers.map(({ name, state, reason }) => `${name}: ${reason ?? state}`);
    throw new LiteError("unavailable", `no lite server is connected; ${reasons.join("; ")}`);
  }
}

async function readGenesis(client: LiteClient, retentionSeconds: number): Promise<StepGenesis> {
  const masterchain = client.zeroState;
  const root = await client.getZeroState(masterchain, { archival: true });
  const shards = readShardTops(readStateShards(root)).flatMap((top): BlockId[] => {
    const { endLt: _endLt, ...id } = namedBlock(top, top.block);
    return id.seqno === 0 ? [id] : [];
  });
  const { time } = readState(root);
  return { time, retentionSeconds, masterchain, shards, accounts: () => readZeroAccounts(client, [...shards, masterchain]) };
}

async function* readZeroAccounts(client: LiteClient, zeroStates: readonly BlockId[]): AsyncGenerator<StepAccount> {
  for (const id of zeroStates) {
    const { accounts } = readState(await client.getZeroState(id, { archival: true }));
    for (const { address: hash, account, last } of readAccounts(accounts)) {
      yield { account: { workchain: id.workchain, hash }, shardAccount: buildShardAccount(account, last) };
    }
  }
}

/**
 * The sizes of the outbound queues by the names of blocks. A server can prove a size only while it has the state of the block, but each block
 * contains the change of its queue.
 */
export type QueueSizes = ReadonlyMap<string, number>;

/** The sizes after a masterchain block and the newest blocks of the shards. No messages wait in zero states. */
async function queueSizesAfter(client: LiteClient, at: BlockId, signal: AbortSignal): Promise<QueueSizes> {
  if (at.seqno === 0) return new Map();
  const sizes = await client.getQueueSizes({ at, archival: true, signal });
  return new Map(sizes.map(({ block, size }) => [blockName(block), size]));
}

/**
 * Completes a step with the sizes of its queues.
 *
 * @param before - The sizes after the step before.
 * @param prove - Reads the sizes after the step. Only called if they cannot be counted.
 * @returns The step, and the sizes after it.
 */
export async function addQueueSizes(
  { masterchain, shards, accounts }: LiteStep,
  before: QueueSizes,
  prove: () => Promise<QueueSizes>,
): Promise<{ readonly step: Step; readonly sizes: QueueSizes }> {
  const sizes = new Map(before);
  const added: StepBlock[] = [];
  let proved: QueueSizes | undefined;
  for (const block of [...shards, masterchain]) {
    const { id, before: parents, queueChange: _change, partialState: _state, ...rest } = block;
    let size = countedSize(block, sizes);
    if (size === undefined) {
      proved ??= await prove();
      size = provedSize(block, shards, proved);
    }
    for (const parent of parents) sizes.delete(blockName(parent));
    sizes.set(blockName(id), size);
    added.push({ ...rest, id, queueSize: size });
  }
  const top = added.pop();
  if (!top) throw new Error("a step has no masterchain block");
  return { step: { masterchain: top, shards: added, accounts }, sizes };
}

/** Undefined after a split: no block contains the sizes of the two parts of the queue. */
function countedSize({ id, before, queueChange }: LiteStepBlock, sizes: QueueSizes): number | undefined {
  let size = queueChange;
  for (const parent of before) {
    const own = parent.seqno === 0 ? 0 : sizes.get(blockName(parent));
    const isSplit = before.length === 1 && !isSameShard(parent, id);
    if (own === undefined || isSplit) return undefined;
    size += own;
  }
  return size >= 0 ? size : undefined;
}

/** Counts back from the newest block of the shard, whose size is proved. */
function provedSize({ id }: LiteStepBlock, shards: readonly LiteStepBlock[], proved: QueueSizes): number {
  const later = shards.filter((block) => isSameShard(block.id, id) && block.id.seqno > id.seqno);
  const newest = later.at(-1)?.id ?? id;
  const size = proved.get(blockName(newest));
  if (size === undefined) throw new LiteError("proof", `the size of the queue after block ${blockName(newest)} is not known`);
  return later.reduce((sum, { queueChange }) => sum - queueChange, size);
}
