/** Indexes of made chains in PostgreSQL, and services on them. */
import { createHash } from "node:crypto";
import type { StepSource } from "@chain-query/format/store";
import { chainSteps } from "@chain-query/local-chain";
import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { migrate, openPostgresWriter, partitionSteps } from "@chain-query/postgres-store";
import { RESHARDED, UNEVEN } from "@chain-query/testing/chains";
import type { PostgresDatabases } from "@chain-query/testing/services";
import { resultOf } from "../fixtures/ask.ts";
import { startService, type TestService } from "../fixtures/service.ts";

/** A chain whose shards split and merge, whose validators sign its blocks and rotate, and whose configuration suspends accounts. */
export const reshardedChain: MadeChainOptions = { ...RESHARDED, validators: 4, keyBlocks: 5, suspended: 30 * 86_400 };

/** The same with none to three blocks of a shard in a step, without signatures. */
export const unevenChain: MadeChainOptions = { ...UNEVEN, blockInterval: 86_400, puppets: 20, steps: RESHARDED.steps };

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
 * @param first - The first step of an index that begins late.
 */
export async function indexOf(
  source: StepSource,
  url: string,
  last?: number,
  partition?: number,
  first?: number,
): Promise<IndexOfChain> {
  await migrate({ url });
  if (partition !== undefined) await partitionSteps({ url }, { every: partition, last: last ?? (await source.newest()) });
  const writer = await openPostgresWriter({ url });
  await writer.begin(await source.genesis(), async () => (first === undefined ? undefined : source.tips(first - 1)));
  const follow = async (to?: number): Promise<void> => {
    const range = { from: writer.head + 1, to: to ?? (await source.newest()), firstTips: writer.firstTips };
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

/** What an index has. */
interface IndexExtent {
  /** The last step. Default: the chain's. */
  readonly last?: number;
  /** Steps of a partition. */
  readonly partition?: number;
  /** The first step of an index that begins late. */
  readonly first?: number;
}

/** Makes a database with an index of a chain. Equal ones are copies of a template. */
export async function indexedDatabase(
  server: PostgresDatabases,
  chain: MadeChainOptions,
  { last = chain.steps, partition, first }: IndexExtent = {},
): Promise<string> {
  const contents = createHash("sha256")
    .update(JSON.stringify([chain, last, partition, first]))
    .digest("hex");
  return server.createDatabase({
    name: `index_${contents.slice(0, 32)}`,
    async fill(url) {
      await using _ = await indexOf(chainSteps(await madeChain(chain)), url, last, partition, first);
    },
  });
}

/** Goes on with the index of a chain. It grows one step at a time, as if the chain did. */
export async function growingIndex(url: string, chain: MadeChainOptions, head: number): Promise<IndexOfChain> {
  return indexOf(chainSteps(await madeChain(chain)), url, head);
}

/** Starts the service on a database and its replicas. */
export function serviceOn(primary: string, ...replicas: string[]): Promise<TestService> {
  return startService({ source: { kind: "index", primary, replicas } });
}

/** The newest masterchain block in a response of a service. */
export async function headOf(url: string): Promise<number> {
  return (await resultOf(url, "getMasterchainInfo")).last.seqno;
}
