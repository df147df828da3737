import type { BlockId, StepAccount, StepGenesis } from "@chain-query/chain-store";
import { type Queryable, query } from "../client.ts";
import { chainRecord, genesisHead, headRowRecord } from "../head-record.ts";
import type { Transactions } from "../transactions.ts";
import { type IndexedChain, PostgresStoreError } from "../types.ts";
import { type ZeroAccounts, ZeroAccountsSum } from "../zero-accounts.ts";
import { commitWithRetries, encodeBatch, writeBatch } from "./commit-batch.ts";
import { type Batch, encodeAccounts, rememberCells } from "./encode-steps.ts";
import { INSERT_CHAIN, INSERT_HEAD, READ_CHAIN } from "./write-statements.ts";

/** Accounts of the zero state that are in memory at a time. */
const ACCOUNTS_PER_BATCH = 5_000;

/** Whether rows and the head are one transaction. */
export type Publish = "atomic" | "two-phase";

/**
 * Writes the zero state and the head before the first step if the database has none, else compares the chain's identity.
 *
 * @throws PostgresStoreError if the database has another chain.
 */
export async function beginChain(
  transactions: Transactions,
  genesis: StepGenesis,
  epoch: bigint,
  publish: Publish,
): Promise<void> {
  const { masterchain, shards, time, retentionSeconds } = genesis;
  const chain: IndexedChain = { masterchain, shards, time, retentionSeconds };
  const isStored = async (): Promise<boolean> => {
    const [row] = await transactions.run((sql) => query<{ record: Buffer }>(sql, READ_CHAIN));
    if (row) checkSameChain(chainRecord.decode(row.record), chain);
    return row !== undefined;
  };
  if (await isStored()) return;
  const publishGenesis = async (tx: Queryable, zeroAccounts: ZeroAccounts): Promise<void> => {
    await query(tx, INSERT_CHAIN, [chainRecord.encode({ ...chain, zeroAccounts })]);
    await query(tx, INSERT_HEAD, [epoch, headRowRecord.encode(genesisHead(chain))]);
  };
  await commitWithRetries(async (isRepeated) => {
    const sum = new ZeroAccountsSum();
    const batches = genesisBatches(genesis, sum);
    if (publish === "atomic") {
      // Lite servers may take long. A transaction that waits for them would be taken for that of a stopped process.
      const first = await batches.next();
      return transactions.run(async (tx) => {
        if (!first.done) await writeBatch(tx, encodeBatch(first.value), isRepeated);
        for await (const batch of batches) await writeBatch(tx, encodeBatch(batch), isRepeated);
        await publishGenesis(tx, sum.value);
      });
    }
    for await (const batch of batches) await transactions.run((tx) => writeBatch(tx, encodeBatch(batch), isRepeated));
    return transactions.run((tx) => publishGenesis(tx, sum.value));
  }, isStored);
}

async function* genesisBatches(genesis: StepGenesis, sum: ZeroAccountsSum): AsyncGenerator<Batch, void, undefined> {
  const known = new Set<string>();
  let accounts: StepAccount[] = [];
  const next = (): Batch => {
    const batch = encodeAccounts(accounts, known);
    accounts = [];
    rememberCells(known, batch);
    for (const [key, , record] of batch.versions)
      if (key instanceof Uint8Array && record instanceof Uint8Array) sum.add(key, record);
    return batch;
  };
  for await (const account of genesis.accounts()) {
    accounts.push(account);
    if (accounts.length === ACCOUNTS_PER_BATCH) yield next();
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
  return `${workchain}:${BigInt.asUintN(64, shard).toString(16).padStart(16, "0")} ${Buffer.from(rootHash).toString("hex")}`;
}
