import type { StepAccount, StepGenesis } from "@chain-query/chain-store";
import { hex } from "@chain-query/format/cells";
import { shardName } from "@chain-query/format/identifiers";
import { query } from "../client.ts";
import { chainRecord, genesisHead, headRowRecord, ZeroAccountsSum } from "../head-record.ts";
import { INSERT_CHAIN, INSERT_HEAD, READ_CHAIN } from "../statements.ts";
import type { Transactions } from "../transactions.ts";
import { type IndexedChain, PostgresStoreError } from "../types.ts";
import { type Batch, encodeAccounts, rememberCells } from "./encode-steps.ts";
import { commitWithRetries, encodeBatch, writeBatch } from "./write-batch.ts";

/** Accounts of the zero state in memory at a time. */
const ACCOUNTS_PER_BATCH = 5_000;

/**
 * Writes the zero state and the head before the first step into an empty index. For an index with a chain, compares its identity.
 *
 * @throws PostgresStoreError if the database has another chain.
 */
export async function beginChain(transactions: Transactions, genesis: StepGenesis, epoch: bigint): Promise<void> {
  const { masterchain, shards, time, retentionSeconds } = genesis;
  const chain: IndexedChain = { masterchain, shards, time, retentionSeconds };
  const isStored = async (): Promise<boolean> => {
    const [row] = await transactions.run((sql) => query<{ record: Buffer }>(sql, READ_CHAIN));
    if (row) checkSameChain(chainRecord.decode(row.record), chain);
    return row !== undefined;
  };
  if (await isStored()) return;
  await commitWithRetries(async (isRepeated) => {
    const sum = new ZeroAccountsSum();
    const batches = genesisBatches(genesis, sum);
    // Read before the transaction begins: a transaction that waits long for a lite server looks like that of a stopped process.
    const first = await batches.next();
    return transactions.run(async (tx) => {
      if (!first.done) await writeBatch(tx, encodeBatch(first.value), isRepeated);
      for await (const batch of batches) await writeBatch(tx, encodeBatch(batch), isRepeated);
      await query(tx, INSERT_CHAIN, [chainRecord.encode({ ...chain, zeroAccounts: sum.value })]);
      await query(tx, INSERT_HEAD, [epoch, headRowRecord.encode(genesisHead(chain))]);
    });
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

/** The retention is not part of the identity of a chain. */
function checkSameChain(stored: IndexedChain, chain: IndexedChain): void {
  const idsOf = ({ masterchain, shards }: IndexedChain): string =>
    [masterchain, ...shards]
      .map((id) => `${shardName(id)} ${hex(id.rootHash)}`)
      .sort()
      .join(", ");
  const [found, expected] = [idsOf(stored), idsOf(chain)];
  if (found !== expected)
    throw new PostgresStoreError(
      "foreign",
      `the database has another chain: its zero states are ${found}, expected ${expected}`,
    );
}
