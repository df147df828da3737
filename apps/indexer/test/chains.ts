import { basename, join } from "node:path";
import { isSameShard, prefixLength } from "@chain-query/format/identifiers";
import { chainSteps, openProducer } from "@chain-query/local-chain";
import { copyMadeChain, createSyntheticChain, type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { migrate, openPostgresWriter, partitionSteps, readIndexStatus } from "@chain-query/postgres-store";
import { DAYS, SMALL } from "@chain-query/testing/chains";
import { temporaryFolder } from "@chain-query/testing/folders";
import { type DatabaseTemplate, sharedPostgres } from "@chain-query/testing/services";
import { heldIndex } from "./holds.ts";
import { indexWhole } from "./indexes.ts";

/** An index of `DAYS` in which `hold` works. */
export async function wholeIndex(): Promise<string> {
  const fill = async (url: string) => {
    await heldIndex.fill(url);
    await indexWhole(url, await madeChain(DAYS));
  };
  return (await sharedPostgres()).createDatabase({ name: "index_of_days", fill });
}

/** An index with equal partitions in which `hold` works. */
export async function partitionedIndex(options: MadeChainOptions = DAYS, every = 5): Promise<string> {
  const folder = await madeChain(options);
  const fill = async (url: string) => {
    await heldIndex.fill(url);
    const source = chainSteps(folder);
    const writer = await openPostgresWriter({ url });
    await writer.begin(await source.genesis());
    await partitionSteps({ url }, { every, last: options.steps });
    for await (const step of source.steps({ from: 1, to: options.steps }, new AbortController().signal))
      await writer.write([step]);
    await writer.close();
    await source.close();
  };
  return (await sharedPostgres()).createDatabase({ name: `parts_${every}_${basename(folder).slice(0, 32)}`, fill });
}

/** The first and last steps of the partitions of an index. */
export async function boundsOf(url: string): Promise<string[]> {
  return (await readIndexStatus({ url })).partitions.map(({ from, to }) => `${from}-${to ?? ""}`);
}
/** Those of `partitionedIndex`. */
export const FIVES: readonly string[] = ["0-4", "5-9", "10-14", "15-19", "20-24", "25-"];

/** The first steps of shards that split or merged, in order. */
export async function eventsOf(folder: string): Promise<Record<"splits" | "merges", readonly number[]>> {
  const source = chainSteps(folder);
  const events = { splits: new Set<number>(), merges: new Set<number>() };
  for await (const step of source.steps({ from: 1, to: await source.newest() }, new AbortController().signal)) {
    for (const { id, previous } of step.shards) {
      if (isSameShard(id, previous)) continue;
      const isSplit = prefixLength(id.shard) > prefixLength(previous.shard);
      events[isSplit ? "splits" : "merges"].add(step.masterchain.id.seqno);
    }
  }
  await source.close();
  return { splits: [...events.splits], merges: [...events.merges] };
}

/** A template of an index without a chain. */
export const emptyIndexTemplate: DatabaseTemplate = {
  name: "index_without_chain",
  fill: async (url) => void (await migrate({ url })),
};

/** Copies `SMALL` into a folder, and makes further steps. Chains of different rates are forks of each other. */
export async function grownChain(folder: string, steps: number, rate: number): Promise<string> {
  const chain = join(folder, `${steps} steps of rate ${rate}`);
  await copyMadeChain(chain, SMALL);
  const producer = await openProducer(chain);
  for (let step = 0; step < steps; step++) await producer.step({ rate });
  await producer.close();
  return chain;
}

/** A folder with a chain whose steps have ten transactions each, and placeholders for hashes of states. */
export async function syntheticChain(steps: number): Promise<string> {
  const folder = join(temporaryFolder(), "chain");
  await createSyntheticChain(folder, { accounts: 20, transactionsPerStep: 10 }, steps * 10);
  return folder;
}
