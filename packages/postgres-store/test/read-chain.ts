/** A local chain, its index in PostgreSQL and readers of both, for the tests of a file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AccountId, Transaction } from "@chain-query/chain-store";
import { type ChainReader, chainSteps, createChain, openChain, openProducer } from "@chain-query/local-chain";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import { migrate, openPostgresReader, openPostgresWriter, type PostgresConnection, type PostgresReader } from "../src/index.ts";

export const STEPS = 24;
/** Small blocks in four shards: messages wait. One block a day: accounts freeze and are deleted. */
export const OPTIONS = { seed: 3, accounts: 60, rate: 60, blockInterval: 86_400, shards: 4, transactionLimit: 30 } as const;

export interface ReadChain extends AsyncDisposable {
  readonly folder: string;
  readonly server: PostgresServer;
  readonly chain: ChainReader;
  readonly reader: PostgresReader;
  readonly connection: PostgresConnection;
  /** Every account that any message names. */
  readonly accounts: readonly AccountId[];
  /** The transactions of these accounts. */
  readonly transactions: readonly Transaction[];
  /** Makes one more index, of this chain or of one in another folder. */
  indexed(to?: number, from?: string): Promise<PostgresConnection>;
}

/** Makes the chain and its index. */
export async function startReadChain(): Promise<ReadChain> {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-reader-"));
  const produce = async () => {
    await createChain(folder, OPTIONS);
    const producer = await openProducer(folder);
    await producer.steps(Array.from({ length: STEPS }, () => ({})));
    await producer.close();
  };
  const [server] = await Promise.all([startPostgres(), produce()]);
  const indexed = async (to = STEPS, from = folder): Promise<PostgresConnection> => {
    const written = { url: await server.createDatabase() };
    await migrate(written);
    const [source, writer] = [chainSteps(from), await openPostgresWriter(written)];
    await writer.begin(await source.genesis());
    for await (const step of source.steps({ from: 1, to }, new AbortController().signal)) await writer.write([step]);
    await Promise.all([source.close(), writer.close()]);
    return written;
  };
  const connection = await indexed();
  const chain = openChain(folder);
  const reader = openPostgresReader(connection);
  const accounts = await accountsOf(folder);
  const transactions = accounts.flatMap((account) => [...chain.transactions(account)]);
  return {
    ...{ folder, server, chain, reader, connection, accounts, transactions, indexed },
    async [Symbol.asyncDispose]() {
      await reader.close();
      await chain.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accountsOf(from: string): Promise<AccountId[]> {
  const source = chainSteps(from);
  const found = new Map<string, AccountId>();
  const add = (account: AccountId) => found.set(`${account.workchain}:${Buffer.from(account.hash).toString("hex")}`, account);
  for await (const { account } of (await source.genesis()).accounts()) add(account);
  for await (const { accounts: changed } of source.steps({ from: 1, to: STEPS }, new AbortController().signal))
    for (const { account } of changed) add(account);
  await source.close();
  return [...found.values()];
}
