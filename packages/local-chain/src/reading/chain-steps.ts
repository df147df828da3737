import { setTimeout as sleep, setImmediate as yieldToEvents } from "node:timers/promises";
import { buildShardAccount } from "@chain-query/format/accounts";
import { type Cell, readBoc } from "@chain-query/format/cells";
import { accountName, blockName, containsPrefix, shardsOfPrefix, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import {
  type AccountId,
  accountKey,
  accountOf,
  accountRecord,
  type BlockHeader,
  ChainStoreError,
  changesOfAccounts,
  isFirstChange,
  readStepTransactions,
  type ShardId,
  type Step,
  type StepAccount,
  type StepBlock,
  type StepGenesis,
  type StepRange,
  type StepSource,
} from "@chain-query/format/store";
import { chainFileToRead } from "../store/chain-folder.ts";
import { blockLtKey, numberRecord, type StoredGenesis, versionKey } from "../store/records.ts";
import {
  type CellOfRecord,
  cellOfRecord,
  headerAt,
  knownBlock,
  knownHeader,
  missing,
  storedGenesis,
  storedHead,
} from "../store/store-contents.ts";
import { readError } from "../store/store-error.ts";
import { MAX_DEPTH, openTables, type Seek, seekIn, type Tables } from "../store/tables.ts";

/** Milliseconds between two reads of the head of a chain that another process writes. */
const POLL_INTERVAL = 50;
/** Accounts that are read in one event-loop tick. */
const ACCOUNTS_PER_TICK = 256;

/**
 * Opens a chain to read it step by step, also while another process writes it. One step is in memory at a time.
 *
 * @param directory - A folder that `createChain` or `chain-query-local-chain init` made.
 * @returns The source; `close` it when done.
 * @throws ChainStoreError if the folder holds no chain, one of another version or a damaged one.
 *
 * @example
 * const source = chainSteps("my-chain");
 * for await (const { masterchain } of source.steps({ from: 1 }, signal)) console.log(masterchain.id.seqno);
 */
export function chainSteps(directory: string): StepSource {
  const tables = openTables(chainFileToRead(directory), "read");
  const genesis = storedGenesis(tables);
  const cellOf = cellOfRecord(tables);
  const reading: StepReading = { genesis, cellOf, byLt: seekIn(tables.blocksByLt), versions: seekIn(tables.versions) };
  let closing: Promise<void> | undefined;

  /** LMDB ends the process if a closed environment is read. */
  const read = <T>(what: () => T): T => {
    if (closing) throw new ChainStoreError("the chain is closed");
    try {
      return what();
    } catch (cause) {
      throw readError(cause);
    }
  };
  const newest = (): number => read(() => storedHead(tables).seqno);

  /** LMDB makes a new snapshot in each event-loop tick, so even the first check needs a tick of its own. */
  const reached = async (seqno: number, signal: AbortSignal): Promise<void> => {
    for (let pause = 0; newest() < seqno; pause = POLL_INTERVAL) {
      await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  };

  async function* steps(
    { from, to = Number.POSITIVE_INFINITY, firstTips }: StepRange,
    signal: AbortSignal,
  ): AsyncGenerator<Step> {
    if (!Number.isInteger(from) || from < 1) throw new RangeError(`the first step must be an integer ≥ 1, got ${from}`);
    signal.throwIfAborted();
    await reached(Math.min(from, to), signal);
    for (let seqno = from; seqno <= to; seqno++) {
      await reached(seqno, signal);
      yield read(() => readStep(tables, reading, seqno, firstTips));
      await yieldToEvents();
      signal.throwIfAborted();
    }
  }

  async function* accounts(): AsyncGenerator<StepAccount> {
    let start = Buffer.of();
    for (;;) {
      const keys = read(() =>
        Array.from(tables.accounts.getKeys({ start, limit: ACCOUNTS_PER_TICK }), (key) => Buffer.from(key)),
      );
      yield* read(() => keys.flatMap((key) => accountAsOf(tables, cellOf, accountOf(key), 0) ?? []));
      const last = keys.at(-1);
      if (!last) return;
      // The first key after it.
      start = Buffer.concat([last, Buffer.of(0)]);
      await yieldToEvents();
    }
  }

  const { time: genesisTime, retentionSeconds, masterchain, shards } = genesis;
  return {
    genesis: async (): Promise<StepGenesis> => ({ time: genesisTime, retentionSeconds, masterchain, shards, accounts }),
    newest: async () => newest(),
    tips: async (step) =>
      read(() => {
        const top = knownHeader(tables, genesis, masterchain, step);
        return [top, ...topsAt(tables, reading, top).map((shard) => knownHeader(tables, genesis, shard, shard.seqno))];
      }),
    stepAt: async (time) => {
      let [low, high] = [0, newest()];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (read(() => knownHeader(tables, genesis, masterchain, middle)).time < time) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    steps,
    close: () => {
      closing ??= tables.root.close();
      return closing;
    },
  };
}

interface StepReading {
  readonly genesis: StoredGenesis;
  readonly cellOf: CellOfRecord;
  readonly byLt: Seek;
  readonly versions: Seek;
}

function readStep(tables: Tables, reading: StepReading, seqno: number, firstTips: StepRange["firstTips"]): Step {
  const { genesis, cellOf, versions } = reading;
  const masterchain = readStepBlock(tables, knownHeader(tables, genesis, genesis.masterchain, seqno));
  const tops = topsAt(tables, reading, masterchain);
  const shards = tops.flatMap((top) => blocksUpTo(tables, top, seqno));
  const accounts = changesOfAccounts([...shards, masterchain]).map(({ first }): StepAccount => {
    const { account } = first;
    const changed = accountAsOf(tables, cellOf, account, seqno);
    const hasBefore = firstTips !== undefined && isFirstChange(firstTips, first);
    const before = hasBefore ? versions.downwards(versionKey(account, seqno - 1), accountKey(account)) : undefined;
    if (!changed || (hasBefore && !before))
      throw missing(`account ${accountName(account)} as of masterchain block ${changed ? seqno - 1 : seqno}`);
    return { ...changed, ...(before && { before: shardAccountOf(cellOf, before) }) };
  });
  return { masterchain, shards, accounts };
}

/** A shard with the seqno of a block; 0 for its zero state. */
type Top = ShardId & { readonly seqno: number };

/** The newest block of each shard as of a masterchain block, by rising prefix. Masterchain blocks end after the blocks that they commit. */
function topsAt(tables: Tables, { genesis: { shards }, byLt }: StepReading, step: Pick<BlockHeader, "id" | "endLt">): Top[] {
  const tops: Top[] = [];
  for (let prefix = 0n; prefix < 2n ** 64n; ) {
    const smallest = { workchain: 0, shard: BigInt.asIntN(64, prefix | 1n) };
    const zeroState = shards.find((shard) => containsPrefix(shard, smallest)) ?? { workchain: 0, shard: WHOLE_WORKCHAIN };
    let top: Top = { ...zeroState, seqno: 0 };
    for (const shard of shardsOfPrefix(smallest, MAX_DEPTH)) {
      const record = byLt.downwards(blockLtKey(shard, step.endLt), blockLtKey(shard, 0n));
      const seqno = record ? newestUpTo(tables, { ...shard, seqno: numberRecord.decode(record) }, step.id.seqno) : 0;
      if (seqno > top.seqno) top = { ...shard, seqno };
    }
    tops.push(top);
    const marked = BigInt.asUintN(64, top.shard);
    prefix = marked + (marked & -marked);
  }
  return tops;
}

/**
 * The number of a block of a shard, or of the newest one before it, that the step or a former one commits; 0 if the shard has none. A later
 * step commits blocks that end before the masterchain block of the step, if they do not know it.
 */
function newestUpTo(tables: Tables, top: Top, step: number): number {
  let { seqno } = top;
  for (; seqno > 0; seqno--) {
    const header = headerAt(tables, top, seqno);
    if (!header) return 0;
    if (header.masterchainSeqno <= step) break;
  }
  return seqno;
}

/** The blocks of a shard that a step commits, up to the newest one. A step commits blocks of a shard on one side of a split or a merge only. */
function blocksUpTo(tables: Tables, top: Top, step: number): StepBlock[] {
  const blocks: StepBlock[] = [];
  for (let { seqno } = top; seqno > 0; seqno--) {
    const header = headerAt(tables, top, seqno);
    if (!header || header.masterchainSeqno < step) break;
    blocks.unshift(readStepBlock(tables, header));
  }
  return blocks;
}

function readStepBlock(tables: Tables, header: BlockHeader): StepBlock {
  const { masterchainSeqno: _committedBy, transactionCount, ...rest } = header;
  const { id } = rest;
  const transactions = readStepTransactions(readBoc(knownBlock(tables, id, id.seqno)), id.workchain);
  if (transactions.length === transactionCount) return { ...rest, transactions };
  throw new ChainStoreError(
    `the chain is damaged: block ${blockName(id)} must have ${transactionCount} transactions, got ${transactions.length}`,
  );
}

/** The version of an account in a step; undefined if the step did not change it. Step 0 is the zero state. */
function accountAsOf(tables: Tables, cellOf: CellOfRecord, account: AccountId, step: number): StepAccount | undefined {
  const record = tables.versions.get(versionKey(account, step));
  return record && { account, shardAccount: shardAccountOf(cellOf, record) };
}

function shardAccountOf(cellOf: CellOfRecord, record: Uint8Array): Cell {
  const { cell, last } = accountRecord.decode(record);
  return buildShardAccount(cellOf(cell), last);
}
