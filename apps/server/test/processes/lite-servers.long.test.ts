/** Several workers on lite servers: one head for all, and reloads of the list of servers on SIGHUP. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createChain, openProducer, type Producer } from "@chain-query/local-chain";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { ask, resultOf } from "../fixtures/ask.ts";
import { copyGrowingChain, forkedChains } from "../fixtures/chain.ts";
import type { RunningCommand } from "../fixtures/command.ts";
import { kept, messages, namesOf, ready, serve, workerListening } from "../fixtures/lite-command.ts";
import { type LiteNetwork, startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const failing = "lite server failing, will be tried again";

test.concurrent("two workers have one head that never goes back, and read from the same servers", async () => {
  using folder = temporaryFolder();
  const chain = await copyGrowingChain(folder.path);
  // Before the lite servers open the chain.
  const producer = await openProducer(chain);
  await using network = await startLiteNetwork(chain, 2);
  await using command = serve(folder.path, network.config, "--workers", "2");
  const url = await command.url;
  await ready(url);
  await expectOneHead(url, producer).finally(() => producer.close());

  const both = await namesOf(url, 2);
  const good = readFileSync(network.config, "utf8");
  const reasons = () => command.log().flatMap(({ msg, reason }) => (msg === kept ? [reason] : []));
  writeFileSync(network.config, "{");
  command.child.kill("SIGHUP");
  await until(() => reasons().length === 1 || undefined);
  expect(reasons()[0]).toContain(`--lite-servers ${network.config}: config: must be JSON`);
  expect(await namesOf(url, 2)).toEqual(both);

  const otherChain = join(folder.path, "other");
  await createChain(otherChain, { seed: 2, startTime: Math.floor(Date.now() / 1000) - 60, accounts: 10 });
  await using other = await startLiteNetwork(otherChain, 1);
  writeFileSync(network.config, readFileSync(other.config));
  command.child.kill("SIGHUP");
  await until(() => reasons().length === 2 || undefined);
  expect(reasons()[1]).toBe("its zero_state is that of another network");
  // Also a worker that starts later does not use them.
  killWorker(command);
  await until(() => command.pids(workerListening).length === 3 || undefined);
  expect(await namesOf(url, 2)).toEqual(both);

  writeFileSync(network.config, good);
  const first = await reload(command, network, 0, both);
  expect(new Set(first).size).toBe(1);
  await network.stop(1);
  expect((await ask(url, "getOutMsgQueueSize", {}, { connection: "close" })).status).toBe(200);

  // A worker that starts meanwhile has read the old file, and waits for a head before it listens.
  await network.start(1);
  await network.stop(0);
  const number = killWorker(command);
  await until(() => sinceSecondDeath(command).includes(`worker ${number}: ${failing}`) || undefined);
  const second = await reload(command, network, 1, first);
  expect(new Set([...first, ...second]).size).toBe(2);
});

test.concurrent("two workers leave the servers of a longer fork after a SIGHUP, without a restart", async () => {
  using folder = temporaryFolder();
  const [fork, right] = await forkedChains(folder.path);
  await using network = await startLiteNetwork(fork.chain, 1);
  await using others = await startLiteNetwork(right.chain, 3);
  await using command = serve(folder.path, network.config, "--workers", "2");
  const url = await command.url;
  await ready(url);
  const head = async (): Promise<number> => (await resultOf(url, "getMasterchainInfo", {}, { connection: "close" })).last.seqno;
  expect(await head()).toBe(fork.seqno);
  const before = await namesOf(url, 2);
  writeFileSync(network.config, readFileSync(others.config));
  command.child.kill("SIGHUP");
  await until(async () => !(await namesOf(url, 2)).some((name) => before.includes(name)) || undefined);
  for (let request = 0; request < 10; request++) expect(await head()).toBe(right.seqno);
  expect((await ask(url, "getOutMsgQueueSize", {}, { connection: "close" })).status).toBe(200);
  const restarted = "the newest block so far is not in the chain of the new lite servers, starting over from theirs";
  for (const message of ["a single lite server is listed, which is trusted with the newest block", restarted])
    await until(
      () => messages(command),
      (logged) => expect(logged).toContain(message),
    );
  expect(messages(command).filter((message) => message === restarted)).toHaveLength(1);
});

/** Produces blocks, and expects that no worker responds with an older head than the worker before it. */
async function expectOneHead(url: string, producer: Producer): Promise<void> {
  const nodes = new Set<string | undefined>();
  const backwards: string[] = [];
  let newest = 0;
  let isProducing = true;
  const askHeads = async (): Promise<void> => {
    while (isProducing) {
      // Each request has a connection of its own, so that the workers alternate. Sequential, so that heads have an order.
      const { body } = await ask(url, "getMasterchainInfo", {}, { connection: "close" });
      const { last } = body.result as { last: { seqno: number } };
      const node = body["@extra"]?.split(":")[1];
      if (last.seqno < newest) backwards.push(`${last.seqno} after ${newest} from worker ${node}`);
      newest = last.seqno;
      nodes.add(node);
    }
  };
  const asking = askHeads();
  for (let block = 0; block < 15; block++) {
    const { seqno } = await producer.step();
    await until(() => newest >= seqno || undefined);
  }
  await until(() => nodes.size === 2 || undefined);
  isProducing = false;
  await asking;
  expect([...nodes].sort()).toEqual(["0", "1"]);
  expect(backwards).toEqual([]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain(`chain_query_head_seqno ${newest}\n`);
  // One series for each server: the workers' gauges are aggregated, not added up.
  expect(metrics.match(/^chain_query_lite_server_ready\{server="[0-9a-f]{8}"\} 1$/gm)?.length).toBe(2);
}

/** Replaces the list by one server. Returns the names of the servers of each worker. */
async function reload(
  command: RunningCommand,
  network: LiteNetwork,
  index: number,
  before: readonly string[],
): Promise<string[]> {
  const url = await command.url;
  network.configure([index]);
  command.child.kill("SIGHUP");
  // The metrics page is made once a second.
  return until(async () => {
    const now = await namesOf(url, 2);
    return now.some((name) => before.includes(name)) ? undefined : now;
  });
}

/** Kills a worker that listens, and returns its number. */
function killWorker(command: RunningCommand): unknown {
  const { worker, pid } = command.log().findLast(({ msg }) => msg === workerListening) ?? {};
  process.kill(Number(pid), "SIGKILL");
  return worker;
}

/** The lines since a worker died for the second time. */
function sinceSecondDeath(command: RunningCommand): string[] {
  const lines = command.log();
  const [, second = lines.length] = lines.flatMap(({ msg }, index) => (msg === "worker died, restarting" ? [index] : []));
  return lines.slice(second).map(({ source, msg }) => `${source}: ${msg}`);
}
