/** An index of a chain, in a real PostgreSQL. */
import type { StepSource } from "@chain-query/chain-store";
import { migrate, openPostgresWriter, partitionSteps } from "@chain-query/postgres-store";

/** An index that follows a chain. */
export interface IndexOfChain extends AsyncDisposable {
  readonly url: string;
  /** Writes the steps that the chain has and the index lacks. */
  follow(): Promise<void>;
  /** Writes the next step, and returns its seqno. */
  grow(): Promise<number>;
}

/**
 * Indexes a chain.
 *
 * @param source - Closed with the index.
 * @param url - An empty database, or one with an index of the chain.
 * @param last - The last step to write at first.
 * @param partition - Steps of a partition.
 */
export async function indexOf(source: StepSource, url: string, last?: number, partition?: number): Promise<IndexOfChain> {
  await migrate({ url });
  if (partition !== undefined) await partitionSteps({ url }, { every: partition, last: last ?? (await source.newest()) });
  const writer = await openPostgresWriter({ url });
  await writer.begin(await source.genesis());
  const follow = async (to?: number): Promise<void> => {
    const range = { from: writer.head + 1, to: to ?? (await source.newest()) };
    if (range.to < range.from) return;
    for await (const step of source.steps(range, new AbortController().signal)) await writer.write([step]);
  };
  await follow(last);
  return {
    url,
    follow: () => follow(),
    async grow() {
      await follow(writer.head + 1);
      return writer.head;
    },
    async [Symbol.asyncDispose]() {
      await source.close();
      await writer.close();
    },
  };
}
