import { type IndexerEvent, runIndexer } from "@chain-query/indexer";
import { chainSteps } from "@chain-query/local-chain";
import { openPostgresWriter } from "@chain-query/postgres-store";

/** A chain with a step a day: accounts freeze and are deleted, and messages wait. */
export const FROZEN = {
  seed: 3,
  accounts: 60,
  rate: 60,
  blockInterval: 86_400,
  shards: 4,
  transactionLimit: 30,
  steps: 24,
} as const;

/** Indexes a chain to its end, and returns what the indexer reported. */
export async function indexWhole(url: string, chain: string): Promise<readonly IndexerEvent[]> {
  const source = chainSteps(chain);
  const newest = await source.newest();
  const end = new AbortController();
  const events: IndexerEvent[] = [];
  const onEvent = (event: IndexerEvent): void => {
    events.push(event);
    if (event.type !== "waits" && event.head === newest) end.abort();
  };
  await runIndexer({ source, openWriter: () => openPostgresWriter({ url }), onEvent }, end.signal);
  await source.close();
  return events;
}
