/** Writes the zero state, or the tips from which an index begins. */
import type { BlockHeader, StepAccount, StepGenesis } from "@chain-query/format/store";
import { type Queryable, query } from "../database/client.ts";
import { chainRecord, genesisHead, headRowRecord, isBegun, ZeroAccountsSum } from "../database/head-record.ts";
import { tipsRecord } from "../database/history-row.ts";
import { BEGIN_HISTORY, INSERT_CHAIN, INSERT_HEAD } from "../database/statements.ts";
import type { Transactions } from "../database/transactions.ts";
import type { IndexedChain, PostgresWriter } from "../types.ts";
import { type Batch, encodeAccounts, rememberCells } from "./encode-steps.ts";
import { commitWithRetries, encodeBatch, writeBatch } from "./write-batch.ts";

/** Accounts of the zero state in memory at a time. */
const ACCOUNTS_PER_BATCH = 5_000;

/**
 * Writes the zero state, or the tips from which the index begins, and the head before the first step into an empty index. For an index with
 * a chain, compares its identity.
 *
 * @throws PostgresStoreError if the database has another chain.
 */
export async function beginChain(
  transactions: Transactions,
  genesis: StepGenesis,
  epoch: bigint,
  readTips: NonNullable<Parameters<PostgresWriter["begin"]>[1]> = async () => undefined,
): Promise<void> {
  const isStored = (): Promise<boolean> => transactions.run((sql) => isBegun(sql, genesis));
  if (await isStored()) return;
  const tips = await readTips();
  await commitWithRetries(async (isRepeated) => {
    if (tips !== undefined) return transactions.run((tx) => beginAtTips(tx, genesis, tips, epoch));
    const writeAccounts = await zeroAccountsWriter(genesis);
    return transactions.run(async (tx) => {
      await query(tx, INSERT_CHAIN, [await writeAccounts(tx, isRepeated)]);
      await query(tx, INSERT_HEAD, [0, epoch, headRowRecord.encode(genesisHead(genesis))]);
    });
  }, isStored);
}

/** Returns a function that writes the accounts of the zero states, and returns the record of the chain. */
export async function zeroAccountsWriter(
  genesis: StepGenesis,
): Promise<(tx: Queryable, isRepeated: boolean) => Promise<Uint8Array>> {
  const sum = new ZeroAccountsSum();
  const batches = genesisBatches(genesis, sum);
  // Read before the transaction begins: a transaction that waits long for a lite server looks like a transaction of a stopped process.
  const first = await batches.next();
  return async (tx, isRepeated) => {
    if (!first.done) await writeBatch(tx, encodeBatch(first.value), isRepeated);
    for await (const batch of batches) await writeBatch(tx, encodeBatch(batch), isRepeated);
    return chainRecord.encode({ ...genesis, zeroAccounts: sum.value });
  };
}

async function beginAtTips(tx: Queryable, chain: IndexedChain, tips: readonly BlockHeader[], epoch: bigint): Promise<void> {
  const [masterchain] = tips;
  if (!masterchain) throw new RangeError("an index must begin after a masterchain block, got none");
  const { seqno } = masterchain.id;
  await query(tx, INSERT_CHAIN, [chainRecord.encode({ ...chain, zeroAccounts: new ZeroAccountsSum().value })]);
  await query(tx, BEGIN_HISTORY, [seqno + 1, masterchain.endLt, tipsRecord.encode(tips)]);
  await query(tx, INSERT_HEAD, [seqno, epoch, headRowRecord.encode({ transactionCount: 0n, shards: tips })]);
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
