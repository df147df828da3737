/** Changes the leader of a cluster while an indexer writes, instances read, and callers send requests. */

import { verifyIndex } from "@chain-query/postgres-store";
import { until } from "@chain-query/testing/until";
import { afterAll, beforeAll, expect, type TestContext } from "vitest";
import { busiestOf, copyGrowingChain } from "../fixtures/chain.ts";
import { temporaryFolder } from "../fixtures/service.ts";
import { type Deployment, startDeployment } from "../scale-out/deployment.ts";
import { type HeadReads, readHeads, readHeadsDuring } from "../scale-out/head-reads.ts";
import { addKeys, readAccounts } from "./acknowledged.ts";
import { type ClusteredIndex, type ClusterOptions, clusteredIndex } from "./cluster.ts";

export interface ClusteredDeployment extends Deployment, ClusteredIndex {
  /** The folder of the chain. */
  readonly chain: string;
}

/** Starts a deployment for the tests of a file or a `describe`. The result returns it, or skips the test on a machine without the servers. */
export function sharedDeployment(options: ClusterOptions): (context: TestContext) => ClusteredDeployment {
  const folder = temporaryFolder();
  let chain: string;
  let started: Awaited<ReturnType<typeof startDeployment<ClusteredIndex>>> | undefined;
  beforeAll(async () => {
    chain = await copyGrowingChain(folder.path);
    started = await startDeployment(chain, (cleanup) => clusteredIndex(cleanup, options));
  });
  afterAll(async () => {
    if (started !== undefined && !("reason" in started)) await started[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  return ({ skip }) => {
    if (started === undefined) throw new Error("nothing was started");
    return "reason" in started ? skip(started.reason) : { ...started, chain };
  };
}

/** The losses of several changes. */
interface Losses {
  /** API keys that were added, and are gone. */
  readonly lostKeys: number;
}

/** Changes the leader several times. Prints the times without responses and without new blocks. */
export async function changeLeaders(
  deployment: ClusteredDeployment,
  { name, times }: { readonly name: string; readonly times: number },
  change: () => Promise<void>,
): Promise<Losses> {
  const { url, headers, chain, cluster, indexer, produced, writing } = deployment;
  const all: HeadReads[] = [];
  let [added, lostKeys] = [0, 0];
  await cluster.whole();
  const reading = readAccounts(url, headers, await busiestOf(chain, 2));
  for (let time = 0; time < times; time++) {
    const adding = addKeys(writing);
    const reads = await readHeadsDuring(deployment, async () => {
      await change();
      const target = produced() + 1;
      await until(async () => (await readHeads(deployment, 4)).last >= target || undefined);
    });
    const keys = await adding.lost();
    added += keys.added;
    lostKeys += keys.lost;
    all.push(reads);
    expect(reads.lower).toEqual([]);
    // No database available, or too slow.
    expect(reads.failed.filter((text) => !/^(542|503|504) /.test(text))).toEqual([]);
    // The indexer has never ended.
    expect(indexer.child.exitCode).toBe(null);
    await cluster.whole();
  }
  const accounts = await reading.expectTrue(chain);
  await verifyIndex({ url: writing });
  const seconds = (of: (reads: HeadReads) => number) => all.map((reads) => (of(reads) / 1000).toFixed(1)).join(" ");
  console.log(
    `${name}: no response for ${seconds((reads) => reads.longestSilence)} s, ` +
      `no new block for ${seconds((reads) => reads.longestStandstill)} s, ${all.flatMap(({ failed }) => failed).length} heads failed, ` +
      `${accounts} accounts as of a block, ${lostKeys} of ${added} keys lost`,
  );
  return { lostKeys };
}

/** Kills the leader. It comes back as a replica. */
export async function killLeader({ cluster }: ClusteredDeployment): Promise<void> {
  const leader = await cluster.leader();
  await leader.kill();
  await cluster.leader();
  await leader.start();
}

/** Stops all processes of the leader, whose connections stay open, until another one leads. */
export async function freezeLeader({ cluster }: ClusteredDeployment): Promise<void> {
  const leader = await cluster.leader();
  await leader.signal("SIGSTOP");
  await cluster.leader();
  await leader.signal("SIGCONT");
}

/**
 * Kills the leader when no replica has the last blocks of a response.
 *
 * @param lacking - Called when the new leader lacks them, before the indexer writes them again.
 */
export async function loseBlocks(
  deployment: ClusteredDeployment,
  lacking: () => Promise<void> = async () => {},
): Promise<void> {
  const { cluster, indexer } = deployment;
  const leader = await cluster.leader();
  const replicas = cluster.nodes.filter((node) => node !== leader);
  await Promise.all(replicas.map((replica) => replica.kill()));
  const { last } = await readHeads(deployment, 4);
  await until(async () => (await readHeads(deployment, 4)).last >= last + 3 || undefined);
  indexer.child.kill("SIGSTOP");
  await leader.kill();
  await Promise.all(replicas.map((replica) => replica.start()));
  await cluster.leader();
  await lacking();
  indexer.child.kill("SIGCONT");
  await leader.start();
}
