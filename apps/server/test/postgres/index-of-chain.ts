/** An index of a chain in a folder, in a real PostgreSQL. */
import { chainSteps } from "@chain-query/local-chain";
import { migrate, openPostgresWriter } from "@chain-query/postgres-store";

/** An index that follows a chain. */
export interface IndexOfChain extends AsyncDisposable {
  readonly url: string;
  /** Writes the steps that the chain has and the index lacks. */
  follow(): Promise<void>;
}

/** Indexes a chain. @param url - An empty database. */
export async function indexOf(chain: string, url: string): Promise<IndexOfChain> {
  await migrate({ url });
  const writer = await openPostgresWriter({ url });
  const source = chainSteps(chain);
  await writer.begin(await source.genesis());
  const follow = async (): Promise<void> => {
    const range = { from: writer.head + 1, to: await source.newest() };
    if (range.to < range.from) return;
    for await (const step of source.steps(range, new AbortController().signal)) await writer.write([step]);
  };
  await follow();
  return {
    url,
    follow,
    async [Symbol.asyncDispose]() {
      await source.close();
      await writer.close();
    },
  };
}
