import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { BlockId, Step, StepAccount, StepGenesis } from "@chain-query/chain-store";
import { commitWithRetries, encodeBatch, writeBatch } from "./commit-batch.ts";
import { connect, type Database, type Queryable, query, type Transaction } from "./connection.ts";
import { type Batch, cellId, encodeAccounts, encodeSteps, tipsAfter } from "./encode-steps.ts";
import { chainRecord, genesisHead, headRowRecord, type StoredHead } from "./head-record.ts";
import { type Lease, takeLease } from "./lease.ts";
import { requireSchema } from "./migrate.ts";
import { isLostConnection, storeError } from "./store-error.ts";
import { type IndexedChain, type PostgresConnection, PostgresStoreError, type PostgresWriter } from "./types.ts";
import { FENCE_HEAD, INSERT_CHAIN, INSERT_HEAD, MOVE_HEAD, READ_CHAIN, READ_HEAD } from "./write-statements.ts";

/** Options of a writer. */
export interface WriterOptions {
  /** Name of the process in messages of others; the same name may take over the lease at once. Default: unique. */
  readonly holder?: string;
  /** How long a writer that ended without closing keeps others out; default: 20. */
  readonly leaseSeconds?: number;
  /**
   * `atomic` (default): rows and head in one transaction. `two-phase`: the head after the rows, for engines whose transactions on
   * several shards are not seen all at once.
   */
  readonly publish?: "atomic" | "two-phase";
}

const LEASE_SECONDS = 20;
const LEASE_NAME = "head";
const GENESIS_BATCH = 5_000;
const MAX_KNOWN_CELLS = 100_000;

interface Head extends StoredHead {
  readonly seqno: number;
  readonly epoch: bigint;
}

/**
 * Opens an index for writing, and takes its lease.
 *
 * @throws PostgresStoreError `busy` if another process writes the index, `schema` if it must be migrated.
 *
 * @example
 * const writer = await openPostgresWriter({ url: "postgres://indexer@localhost/chain" });
 * await writer.begin(await source.genesis());
 * for await (const step of source.steps({ from: writer.head + 1 }, signal)) await writer.write([step]);
 */
export async function openPostgresWriter(connection: PostgresConnection, options: WriterOptions = {}): Promise<PostgresWriter> {
  const sql = connect(connection, "writer");
  try {
    await requireSchema(sql);
    const holder = options.holder ?? `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`;
    const lease = await takeLease(sql, LEASE_NAME, holder, options.leaseSeconds ?? LEASE_SECONDS);
    await query(sql, FENCE_HEAD, [lease.epoch]);
    return writerOn(sql, lease, await readHead(sql), options.publish ?? "atomic", connection);
  } catch (cause) {
    await sql.end({ timeout: 1 });
    throw storeError(cause, connection);
  }
}

function writerOn(
  sql: Database,
  lease: Lease,
  found: Head | undefined,
  publish: "atomic" | "two-phase",
  connection: PostgresConnection,
): PostgresWriter {
  let head = found;
  /** Whether the last write may have been committed although it failed. */
  let isDoubtful = false;
  const knownCells = new Set<string>();

  const moveHead = async (queryable: Queryable, from: number, to: Head): Promise<void> => {
    const parameters = [to.seqno, headRowRecord.encode(to), from, lease.epoch];
    if ((await query(queryable, MOVE_HEAD, parameters)).count !== 1) throw await whyNotMoved(queryable, lease, from);
  };

  /** Returns the steps that are not written yet, and the head before them. */
  const remaining = async (steps: readonly Step[]): Promise<readonly [readonly Step[], Head]> => {
    if (lease.isLost) throw lost();
    if (isDoubtful) {
      const stored = await readHead(sql);
      if (!stored || stored.epoch !== lease.epoch) throw lost();
      head = stored;
    }
    if (!head) throw new RangeError("begin() must be called before write()");
    const { seqno } = head;
    return [isDoubtful ? steps.filter(({ masterchain }) => masterchain.id.seqno > seqno) : steps, head];
  };

  const write = async (given: readonly Step[]): Promise<void> => {
    const [steps, before] = await remaining(given);
    const next = headAfter(before, steps);
    if (next.seqno === before.seqno) return;
    const batch = encodeSteps(steps, knownCells);
    const encoded = encodeBatch(batch);
    const rows = (isRepeated: boolean) => (tx: Transaction) => writeBatch(tx, encoded, isRepeated);
    isDoubtful = true;
    await commitWithRetries(
      async (isRepeated) => {
        if (publish === "atomic")
          return sql.begin(async (tx) => {
            await rows(isRepeated)(tx);
            await moveHead(tx, before.seqno, next);
          });
        await sql.begin(rows(isRepeated));
        return moveHead(sql, before.seqno, next);
      },
      async () => {
        const stored = await readHead(sql);
        return stored?.seqno === next.seqno && stored.epoch === lease.epoch;
      },
    );
    isDoubtful = false;
    head = next;
    remember(knownCells, batch);
  };

  return {
    get head() {
      return head?.seqno ?? 0;
    },
    begin: async (genesis) => {
      try {
        await beginChain(sql, genesis, lease, publish);
        head ??= await readHead(sql);
      } catch (cause) {
        throw storeError(cause, connection);
      }
    },
    write: async (steps) => {
      try {
        await write(steps);
      } catch (cause) {
        isDoubtful &&= isLostConnection(cause);
        throw storeError(cause, connection);
      }
    },
    close: async () => {
      await lease.release();
      await sql.end({ timeout: 5 });
    },
  };
}

function headAfter(before: Head, steps: readonly Step[]): Head {
  let { seqno, transactionCount, shards } = before;
  for (const step of steps) {
    seqno += 1;
    if (step.masterchain.id.seqno !== seqno)
      throw new RangeError(`the step after ${seqno - 1} must be ${seqno}, got ${step.masterchain.id.seqno}`);
    shards = tipsAfter(shards, step);
    for (const { transactions } of [step.masterchain, ...step.shards]) transactionCount += BigInt(transactions.length);
  }
  return { seqno, transactionCount, shards, epoch: before.epoch };
}

async function readHead(sql: Queryable): Promise<Head | undefined> {
  const [row] = await query<{ seqno: number; epoch: bigint; record: Buffer }>(sql, READ_HEAD);
  return row && { seqno: row.seqno, epoch: row.epoch, ...headRowRecord.decode(row.record) };
}

async function whyNotMoved(sql: Queryable, lease: Lease, expected: number): Promise<PostgresStoreError> {
  const stored = await readHead(sql);
  if (stored?.epoch !== lease.epoch) return lost();
  return new PostgresStoreError(
    "lost",
    `the head of the index is ${stored.seqno}, expected ${expected}: the database lost steps`,
  );
}

function lost(): PostgresStoreError {
  return new PostgresStoreError("lost", "another process writes this index now");
}

function remember(known: Set<string>, { cells }: Batch): void {
  if (known.size > MAX_KNOWN_CELLS) known.clear();
  for (const [hash] of cells) if (hash instanceof Uint8Array) known.add(cellId(hash));
}

/** Writes the zero state if the database has none, else compares its identity. */
async function beginChain(sql: Database, genesis: StepGenesis, lease: Lease, publish: "atomic" | "two-phase"): Promise<void> {
  const { masterchain, shards, time, retentionSeconds } = genesis;
  const chain: IndexedChain = { masterchain, shards, time, retentionSeconds };
  const isStored = async (): Promise<boolean> => {
    const [row] = await query<{ record: Buffer }>(sql, READ_CHAIN);
    if (row) checkSameChain(chainRecord.decode(row.record), chain);
    return row !== undefined;
  };
  if (await isStored()) return;
  const publishGenesis = async (tx: Transaction): Promise<void> => {
    await query(tx, INSERT_CHAIN, [chainRecord.encode(chain)]);
    await query(tx, INSERT_HEAD, [lease.epoch, headRowRecord.encode(genesisHead(chain))]);
  };
  await commitWithRetries(async (isRepeated) => {
    if (publish === "atomic")
      return sql.begin(async (tx) => {
        for await (const batch of genesisBatches(genesis)) await writeBatch(tx, encodeBatch(batch), isRepeated);
        await publishGenesis(tx);
      });
    for await (const batch of genesisBatches(genesis)) await sql.begin((tx) => writeBatch(tx, encodeBatch(batch), isRepeated));
    return sql.begin(publishGenesis);
  }, isStored);
}

async function* genesisBatches(genesis: StepGenesis): AsyncGenerator<Batch, void, undefined> {
  const known = new Set<string>();
  let accounts: StepAccount[] = [];
  const next = (): Batch => {
    const batch = encodeAccounts(accounts, known);
    accounts = [];
    remember(known, batch);
    return batch;
  };
  for await (const account of genesis.accounts()) {
    accounts.push(account);
    if (accounts.length === GENESIS_BATCH) yield next();
  }
  if (accounts.length > 0) yield next();
}

/** How long history is kept is not part of a chain's identity. */
function checkSameChain(stored: IndexedChain, chain: IndexedChain): void {
  const idsOf = ({ masterchain, shards }: IndexedChain): string =>
    [masterchain, ...shards].map(zeroStateName).sort().join(", ");
  const [found, expected] = [idsOf(stored), idsOf(chain)];
  if (found !== expected)
    throw new PostgresStoreError(
      "foreign",
      `the database has another chain: its zero states are ${found}, expected ${expected}`,
    );
}

function zeroStateName({ workchain, shard, rootHash }: BlockId): string {
  const name = BigInt.asUintN(64, shard).toString(16).padStart(16, "0");
  return `${workchain}:${name} ${Buffer.from(rootHash).toString("hex")}`;
}
