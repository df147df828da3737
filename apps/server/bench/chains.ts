/** Chains to measure on: one of real contracts, and ones that were filled in bulk. */
import { createChain, openProducer } from "@chain-query/local-chain";
import { createSyntheticChain, syntheticAccount } from "@chain-query/local-chain/testing";

/** Some moment that is over, so that the chain, and every request made from it, is the same in each run. */
const startTime = 1_790_000_000;

/** Makes a chain in four shards, of real contracts and real blocks, with at least so many transactions. */
export async function produceChain(folder: string, transactions: number): Promise<void> {
  await createChain(folder, { seed: 1, shards: 4, accounts: 1000, startTime });
  const producer = await openProducer(folder);
  for (let made = 0; made < transactions; ) made += (await producer.step()).transactionCount;
  await producer.close();
}

/** Fills a chain without executing anything. Its accounts have an equal share of the transactions. */
export async function fillChain(folder: string, accounts: number, transactions: number): Promise<void> {
  await createSyntheticChain(folder, { accounts, transactionsPerStep: 100 }, transactions);
}

/** The accounts of such a chain. */
export async function filledAccounts(count: number): Promise<{ workchain: number; hash: Uint8Array }[]> {
  return Array.from({ length: count }, (_, index) => syntheticAccount(index));
}
