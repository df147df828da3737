/** Chains to measure on: one of real contracts, and ones that were filled in bulk. */
import { createChain, openProducer } from "@chain-query/local-chain";

/** Some moment that is over, so that the chain, and every request made from it, is the same in each run. */
const startTime = 1_790_000_000;

/** Makes a chain in four shards, of real contracts and real blocks, with at least so many transactions. */
export async function produceChain(folder: string, transactions: number): Promise<void> {
  await createChain(folder, { seed: 1, shards: 4, accounts: 1000, startTime });
  const producer = await openProducer(folder);
  for (let made = 0; made < transactions; ) made += (await producer.step()).transactionCount;
  await producer.close();
}

/** What the bulk loader of the local chain takes; it lies beside that package's own benches. */
interface BulkLoader {
  bulkLoad(folder: string, options: { accounts: number; transactionsPerStep: number }, transactions: number): Promise<void>;
}

interface MadeUp {
  madeUpAccount(index: number): { workchain: number; hash: Uint8Array };
}

const benches = new URL("bench/", import.meta.resolve("@chain-query/local-chain/package.json"));

/** Fills a chain without executing anything. Its accounts have an equal share of the transactions. */
export async function fillChain(folder: string, accounts: number, transactions: number): Promise<void> {
  const { bulkLoad }: BulkLoader = await import(new URL("bulk-load.ts", benches).href);
  await bulkLoad(folder, { accounts, transactionsPerStep: 100 }, transactions);
}

/** The accounts of such a chain. */
export async function filledAccounts(count: number): Promise<{ workchain: number; hash: Uint8Array }[]> {
  const { madeUpAccount }: MadeUp = await import(new URL("made-up-chain.ts", benches).href);
  return Array.from({ length: count }, (_, index) => madeUpAccount(index));
}
