/** The steps of a live network, read from its lite servers and verified. */

import { buildShardAccount } from "@chain-query/format/accounts";
import type { Cell } from "@chain-query/format/cells";
import { blockName, isSameShard, MASTERCHAIN, namedBlock } from "@chain-query/format/identifiers";
import { readAccounts, readShardTops, readState, readStateShards } from "@chain-query/format/states";
import {
  type BlockHeader,
  type BlockId,
  type Step,
  type StepAccount,
  type StepBlock,
  type StepGenesis,
  type StepRange,
  type StepSource,
  zeroStateHeader,
} from "@chain-query/format/store";
import { commonOldest, isMissing, type LiteClient, LiteError } from "@chain-query/lite";
import { archiveReads, type ReadPart } from "./archive-reads.ts";
import { type LiteStep, type LiteStepBlock, type LiteStepReader, type LiteTip, liteStepReader } from "./lite-step.ts";

/** Options of {@link liteServerSteps}. */
export interface LiteStepsOptions {
  /** The source closes it. Its rate limits the speed: each block and some accounts take a query. */
  readonly client: LiteClient;
  /** Seconds after which history is archival; default: two days. */
  readonly retentionSeconds?: number | undefined;
  /** Milliseconds without a new head after which at least one server must be connected; default: 10,000. */
  readonly headTimeoutMs?: number | undefined;
}

/** Any account of the basechain. To read it, a server needs the states of the masterchain and of a shard. */
const ANY_ACCOUNT = { workchain: 0, hash: new Uint8Array(32) };
/** Steps that are read at the same time. */
const STEPS_AHEAD = 16;
/** Steps of which one masterchain block is looked up. The others are read one after another, since each block names the one before it. */
const STEPS_OF_GROUP = 8;
/** Steps until the sizes of queues are asked for again after a refusal. */
const STEPS_WITHOUT_SIZES = 100;

/**
 * Reads the steps of a network from its lite servers. Verifies all data from the head of the client: masterchain blocks are its ancestors and
 * commit the shard blocks, and accounts are read from the states after them.
 *
 * @example
 * const source = liteServerSteps({ client: liteClient(parseGlobalConfig(text)) });
 * for await (const { masterchain } of source.steps({ from: 1 }, signal)) console.log(masterchain.id.seqno);
 */
export function liteServerSteps({ client, retentionSeconds = 172_800, headTimeoutMs = 10_000 }: LiteStepsOptions): StepSource {
  const readPart = archiveReads(client);

  /** Says so if servers do not have a step. */
  const explain =
    (step: number) =>
    (error: unknown): never => {
      if (!(error instanceof LiteError && isMissing(error))) throw error;
      const message = `the lite servers do not have the blocks and states of step ${step}; if they have deleted them, add others with --lite-archival`;
      throw new LiteError(error.kind, message, { cause: error, code: error.code });
    };

  async function* steps(
    { from, to = Number.POSITIVE_INFINITY, tips, firstTips }: StepRange,
    signal: AbortSignal,
  ): AsyncGenerator<Step> {
    if (!Number.isInteger(from) || from < 1) throw new RangeError(`the first step must be an integer ≥ 1, got ${from}`);
    signal.throwIfAborted();
    if (from > to) return;
    const end = new AbortController();
    const reader = liteStepReader(client, readPart, AbortSignal.any([signal, end.signal]), firstTips);
    const ahead: Promise<LiteStep>[] = [];
    try {
      let head = await headFrom(client, from, headTimeoutMs, signal);
      const proveSizes = queueSizeProofs(client, readPart, signal);
      let sizes = knownSizes(tips);
      let next = from;
      for (let seqno = from; seqno <= to; seqno++) {
        if (seqno > head.seqno) head = await headFrom(client, seqno, headTimeoutMs, signal);
        const last = Math.min(to, head.seqno);
        while (next <= last && ahead.length <= STEPS_AHEAD - STEPS_OF_GROUP) {
          const group = readGroup(reader, next, Math.min(last, next + STEPS_OF_GROUP - 1));
          next += group.length;
          ahead.push(...group);
        }
        const [reading] = ahead.splice(0, 1);
        if (!reading) throw new Error(`step ${seqno} is not being read`);
        const step = await reading.catch(explain(seqno));
        const counted = await addQueueSizes(step, sizes, () => proveSizes(step.masterchain.id));
        sizes = counted.sizes;
        yield counted.step;
        signal.throwIfAborted();
      }
    } finally {
      end.abort(new Error("no caller waits for the steps"));
    }
  }

  const genesis = () => readGenesis(client, readPart, retentionSeconds);

  const tips = async (step: number): Promise<readonly BlockHeader[]> => {
    const zeroStates = async () => {
      const { masterchain, shards, time } = await genesis();
      return [masterchain, ...shards].map((id) => zeroStateHeader(id, time));
    };
    if (step === 0) return zeroStates();
    const { signal } = new AbortController();
    const found = await liteStepReader(client, readPart, signal).tips(step).catch(explain(step));
    // Servers delete states before blocks.
    const { id: at } = found.masterchain;
    await readPart(step, (archival) => client.getAccount(ANY_ACCOUNT, { at, archival, signal })).catch(explain(step));
    const sizes = await queueSizeProofs(client, readPart, signal)(found.masterchain.id);
    const first = found.shards.every((block) => "before" in block) ? [] : await zeroStates();
    return [found.masterchain, ...found.shards].flatMap((block) =>
      "before" in block ? headerOf(block, sizes?.get(blockName(block.id))) : first.filter(({ id }) => isSameShard(id, block)),
    );
  };

  const stepAt = async (time: number): Promise<number> => {
    const { block, time: newest } = await client.waitForHead();
    if (time >= newest) return block.seqno;
    const find = (archival: boolean) => client.lookupBlock(MASTERCHAIN, { time }, { at: block, archival });
    // The steps after this one are read from other servers again.
    return (await archiveReads(client)(block.seqno, find))?.id.seqno ?? block.seqno;
  };

  return {
    genesis,
    tips,
    stepAt,
    newest: async () => (await client.waitForHead()).block.seqno,
    findOldest: async () => commonOldest(await client.findHistories()),
    steps,
    close: () => client.close(),
  };
}

/** Reads steps, the last one first. */
function readGroup(reader: LiteStepReader, from: number, to: number): readonly Promise<LiteStep>[] {
  const group: Promise<LiteStep>[] = [];
  for (let seqno = to; seqno >= from; seqno--) {
    const reading = reader.step(seqno);
    // The caller awaits it later, and throws its error.
    reading.catch(() => {});
    group.unshift(reading);
  }
  return group;
}

function headerOf(block: LiteTip, queueSize: number | undefined): BlockHeader {
  const { before: _parents, queueChange: _change, partialState: _state, transactions, ...header } = block;
  return { ...header, transactionCount: transactions.length, queueSize };
}

/**
 * Waits for a head at or after a step.
 *
 * @throws LiteError if no server is connected, or if no newer head can be verified.
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

async function readGenesis(client: LiteClient, readPart: ReadPart, retentionSeconds: number): Promise<StepGenesis> {
  const masterchain = client.zeroState;
  const readZeroState = (id: BlockId) => readPart(0, (archival) => client.getZeroState(id, { archival }));
  const root = await readZeroState(masterchain);
  const shards = readShardTops(readStateShards(root)).flatMap((top): BlockId[] => {
    const { endLt: _endLt, ...id } = namedBlock(top, top.block);
    return id.seqno === 0 ? [id] : [];
  });
  const { time } = readState(root);
  return {
    time,
    retentionSeconds,
    masterchain,
    shards,
    accounts: () => readZeroAccounts([...shards, masterchain], readZeroState),
  };
}

async function* readZeroAccounts(
  zeroStates: readonly BlockId[],
  readZeroState: (id: BlockId) => Promise<Cell>,
): AsyncGenerator<StepAccount> {
  for (const id of zeroStates) {
    const { accounts } = readState(await readZeroState(id));
    for (const { address: hash, account, last } of readAccounts(accounts)) {
      yield { account: { workchain: id.workchain, hash }, shardAccount: buildShardAccount(account, last) };
    }
  }
}

/** How some servers refuse a size. That they lack a block, which it says as well, is excluded: the blocks of the step were read. */
const NOT_READY = 651;

/** The known sizes of outbound queues by the names of blocks. Each block contains the change of its queue. */
export type QueueSizes = ReadonlyMap<string, number>;

function knownSizes(tips: NonNullable<StepRange["tips"]> = []): QueueSizes {
  return new Map(tips.flatMap(({ id, queueSize }) => (queueSize === undefined ? [] : [[blockName(id), queueSize]])));
}

/**
 * Returns a function that reads the sizes after a masterchain block and the newest blocks of the shards. Undefined if servers refuse, since
 * states of a network's first years do not hold them; then it asks again after some steps.
 */
export function queueSizeProofs(
  client: Pick<LiteClient, "getQueueSizes">,
  readPart: ReadPart,
  signal: AbortSignal,
): (at: BlockId) => Promise<QueueSizes | undefined> {
  let next = 0;
  return async (at) => {
    if (at.seqno < next) return undefined;
    try {
      const sizes = await readPart(at.seqno, (archival) => client.getQueueSizes({ at, archival, signal }));
      return new Map(sizes.map(({ block, size }) => [blockName(block), size]));
    } catch (error) {
      if (!(error instanceof LiteError && (error.kind === "refused" || error.code === NOT_READY))) throw error;
      next = at.seqno + STEPS_WITHOUT_SIZES;
      return undefined;
    }
  };
}

/**
 * Completes a step with the sizes of its queues.
 *
 * @param before - The sizes after the step before.
 * @param prove - Reads the sizes after the step. Only called if they cannot be counted. If they are not known, blocks have none.
 * @returns The step, and the sizes after it.
 */
export async function addQueueSizes(
  { masterchain, shards, accounts }: LiteStep,
  before: QueueSizes,
  prove: () => Promise<QueueSizes | undefined>,
): Promise<{ readonly step: Step; readonly sizes: QueueSizes }> {
  const sizes = new Map(before);
  const blocks = [...shards, masterchain];
  const counted = blocks.map((block) => countSize(block, sizes));
  const proved = counted.includes(undefined) ? await prove() : undefined;
  const added = blocks.map((block, index): StepBlock => {
    const { before: _parents, queueChange: _change, partialState: _state, ...rest } = block;
    return { ...rest, queueSize: counted[index] ?? (proved && provedSize(block, shards, proved)) };
  });
  const top = added.pop();
  if (!top) throw new Error("a step has no masterchain block");
  return { step: { masterchain: top, shards: added, accounts }, sizes: proved ?? sizes };
}

/** Replaces the sizes before a block. Undefined after a split: no block contains the sizes of the two parts of the queue. */
function countSize({ id, before, queueChange }: LiteStepBlock, sizes: Map<string, number>): number | undefined {
  const isSplit = before.length === 1 && before.some((parent) => !isSameShard(parent, id));
  const own = before.map((parent) => (parent.seqno === 0 ? 0 : sizes.get(blockName(parent))));
  for (const parent of before) sizes.delete(blockName(parent));
  if (isSplit) return undefined;
  const size = own.reduce<number | undefined>(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    queueChange,
  );
  if (size === undefined || size < 0) return undefined;
  sizes.set(blockName(id), size);
  return size;
}

/** Counts back from the newest block of the shard, whose size is proved. Undefined if the shard has split or merged within the step. */
function provedSize({ id }: LiteStepBlock, shards: readonly LiteStepBlock[], proved: QueueSizes): number | undefined {
  const later = shards.filter((block) => isSameShard(block.id, id) && block.id.seqno > id.seqno);
  const size = proved.get(blockName(later.at(-1)?.id ?? id));
  return size === undefined ? undefined : later.reduce((sum, { queueChange }) => sum - queueChange, size);
}
