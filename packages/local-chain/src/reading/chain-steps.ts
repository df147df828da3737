import { setTimeout as sleep, setImmediate as yieldToEvents } from "node:timers/promises";
import { buildShardAccount } from "@chain-query/format/accounts";
import { readBoc } from "@chain-query/format/cells";
import { accountName, blockName, isSameShard } from "@chain-query/format/identifiers";
import {
  type AccountId,
  accountOf,
  accountRecord,
  type BlockHeader,
  ChainStoreError,
  headerRecord,
  lastTransactions,
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
import { blockKey, type StoredGenesis, versionKey } from "../store/records.ts";
import { type CellOfRecord, cellOfRecord, knownHeader, storedGenesis, storedHead } from "../store/store-contents.ts";
import { readError } from "../store/store-error.ts";
import { openTables, type Tables } from "../store/tables.ts";

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

  async function* steps({ from, to = Number.POSITIVE_INFINITY }: StepRange, signal: AbortSignal): AsyncGenerator<Step> {
    if (!Number.isInteger(from) || from < 1) throw new RangeError(`the first step must be an integer ≥ 1, got ${from}`);
    signal.throwIfAborted();
    await reached(Math.min(from, to), signal);
    const next = read(() => new Map(genesis.shards.map((shard) => [shard, firstBlockOf(tables, shard, from)])));
    for (let seqno = from; seqno <= to; seqno++) {
      await reached(seqno, signal);
      yield read(() => readStep(tables, genesis, cellOf, next, seqno));
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

  const { time, retentionSeconds, masterchain, shards } = genesis;
  return {
    genesis: async (): Promise<StepGenesis> => ({ time, retentionSeconds, masterchain, shards, accounts }),
    newest: async () => newest(),
    steps,
    close: () => {
      closing ??= tables.root.close();
      return closing;
    },
  };
}

/** @param next - By shard: the seqno of the first block that no earlier step committed. It is moved on. */
function readStep(
  tables: Tables,
  genesis: StoredGenesis,
  cellOf: CellOfRecord,
  next: Map<ShardId, number>,
  seqno: number,
): Step {
  const masterchain = readStepBlock(tables, knownHeader(tables, genesis, genesis.masterchain, seqno));
  const shards: StepBlock[] = [];
  for (const [shard, first] of next) {
    let at = first;
    for (; ; at++) {
      const header = headerOf(tables, shard, at);
      if (!header || header.masterchainSeqno > seqno) break;
      shards.push(readStepBlock(tables, header));
    }
    next.set(shard, at);
  }
  const accounts = lastTransactions([...shards, masterchain]).map(({ account }) => {
    const changed = accountAsOf(tables, cellOf, account, seqno);
    if (!changed) throw missing(`account ${accountName(account)} as of masterchain block ${seqno}`);
    return changed;
  });
  return { masterchain, shards, accounts };
}

/** The first block of a shard that is not in a step before `step`, if it exists already: a binary search. */
function firstBlockOf(tables: Tables, shard: ShardId, step: number): number {
  const tip = storedHead(tables).tips.find((one) => isSameShard(one, shard));
  let low = 1;
  let high = (tip?.seqno ?? 0) + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const header = headerOf(tables, shard, middle);
    if (header && header.masterchainSeqno < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

function headerOf(tables: Tables, shard: ShardId, seqno: number): BlockHeader | undefined {
  const record = tables.blocks.get(blockKey(shard, seqno));
  return record && headerRecord.decode(record);
}

function readStepBlock(tables: Tables, header: BlockHeader): StepBlock {
  const { masterchainSeqno: _committedBy, transactionCount, ...rest } = header;
  const name = blockName(rest.id);
  const boc = tables.blockData.get(blockKey(rest.id, rest.id.seqno));
  if (!boc) throw missing(`block ${name}`);
  const transactions = readStepTransactions(readBoc(boc), rest.id.workchain);
  if (transactions.length === transactionCount) return { ...rest, transactions };
  throw new ChainStoreError(
    `the chain is damaged: block ${name} must have ${transactionCount} transactions, got ${transactions.length}`,
  );
}

/** The version of an account in a step; undefined if the step did not change it. Step 0 is the zero state. */
function accountAsOf(tables: Tables, cellOf: CellOfRecord, account: AccountId, step: number): StepAccount | undefined {
  const record = tables.versions.get(versionKey(account, step));
  if (!record) return undefined;
  const { cell, last } = accountRecord.decode(record);
  return { account, shardAccount: buildShardAccount(cellOf(cell), last) };
}

function missing(what: string): ChainStoreError {
  return new ChainStoreError(`the chain is damaged: ${what} is missing`);
}
