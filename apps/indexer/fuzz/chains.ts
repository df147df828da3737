import { type IndexerEvent, runIndexer } from "@chain-query/indexer";
import { chainSteps, createChain, openProducer } from "@chain-query/local-chain";
import { migrate, openPostgresWriter } from "@chain-query/postgres-store";
import type { PostgresServer } from "@chain-query/test-services";

/** Makes a small chain of executed contracts. */
export async function produceChain(folder: string, steps: number): Promise<void> {
  await createChain(folder, { seed: 5, accounts: 20, shards: 2, rate: 1 });
  const producer = await openProducer(folder);
  await producer.steps(Array.from({ length: steps }, () => ({})));
  await producer.close();
}

/** Makes a database with the tables of an index, and indexes a chain to its end. */
export async function indexOf(server: PostgresServer, chain?: string): Promise<string> {
  const url = await server.createDatabase();
  await migrate({ url });
  if (chain === undefined) return url;
  const source = chainSteps(chain);
  const newest = await source.newest();
  const end = new AbortController();
  const onEvent = (event: IndexerEvent): void => {
    if (event.type !== "waits" && event.head === newest) end.abort();
  };
  await runIndexer({ source, openWriter: () => openPostgresWriter({ url }), onEvent }, end.signal);
  await source.close();
  return url;
}
