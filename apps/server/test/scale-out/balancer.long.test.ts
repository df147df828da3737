/** Three instances behind HAProxy, over an index in PostgreSQL with a replica, while the chain grows. */

import { validateService } from "@chain-query/conformance";
import { until } from "@chain-query/testing/until";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { readResponse } from "../fixtures/ask.ts";
import { startCallers } from "../fixtures/callers.ts";
import { busiestOf, copyGrowingChain } from "../fixtures/chain.ts";
import { temporaryFolder } from "../fixtures/service.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { readHeads, readHeadsDuring } from "./head-reads.ts";

const folder = temporaryFolder();
let started: Awaited<ReturnType<typeof startDeployment>> | undefined;
let accounts: string[];
beforeAll(async () => {
  const chain = await copyGrowingChain(folder.path);
  accounts = await busiestOf(chain, 2);
  started = await startDeployment(chain);
});
afterAll(async () => {
  if (started !== undefined && !("reason" in started)) await started[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Skips the test on a machine without one of the servers. */
function deployed({ skip }: TestContext): Deployment {
  if (started === undefined) throw new Error("nothing was started");
  return "reason" in started ? skip(started.reason) : started;
}

test("the instances pass every live check and the checks of the limits", async (context) => {
  const { url, headers, produced } = deployed(context);
  const before = produced();
  const options = { baseUrl: url, profile: "live", accounts, seed: 1, fuzz: 5, apiKey: headers["x-api-key"] } as const;
  const { results } = await validateService({ ...options, requestsPerSecond: 0, checkLimits: true });
  expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  expect(results.filter(({ id }) => id.startsWith("limits/")).map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
  expect(produced()).toBeGreaterThan(before + 1);
});

test("callers cannot choose the address that is counted", async (context) => {
  const { url } = deployed(context);
  const addresses = [
    "192.0.2.1",
    "10.0.0.9",
    "172.16.0.9",
    "192.168.0.9",
    "127.0.0.9",
    "127.0.0.1, 192.0.2.2",
    "::1",
    "unknown",
  ];
  const startedAt = performance.now();
  const ask = (address: string) => fetch(`${url}/api/v2/getMasterchainInfo`, { headers: { "x-forwarded-for": address } });
  const statuses = (await Promise.all(addresses.map(ask))).map(({ status }) => status);
  // One request in each second that began meanwhile.
  const seconds = Math.floor((performance.now() - startedAt) / 1000) + 2;
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(seconds);
  expect(new Set(statuses.filter((status) => status !== 200))).toEqual(new Set([429]));
});

test("the head never goes back while the replica is held back", async (context) => {
  const deployment = deployed(context);
  const { standby } = deployment;
  await standby.pauseReplay();
  const first = await readHeads(deployment, 4);
  const held = await readHeadsDuring(deployment, async () => {
    // Until the replica is left out.
    await until(async () => (await readHeads(deployment, 4)).last > first.last + 1 || undefined);
  });
  await standby.resumeReplay();
  const caughtUp = await readHeads(deployment, 200);
  for (const { lower, failed } of [held, caughtUp]) expect({ lower, failed }).toEqual({ lower: [], failed: [] });
  expect(held.last).toBeGreaterThan(held.first);
  expect(caughtUp.first).toBeGreaterThanOrEqual(held.last);
});

test.for(["fast", "immediate"] as const)("PostgreSQL is restarted under load (%s)", async (mode, context) => {
  const deployment = deployed(context);
  const { primary, standby, writing, produced } = deployment;
  const withReplica = await readHeadsDuring(deployment, () => primary.restart(mode));
  await standby.kill();
  const alone = await readHeadsDuring(deployment, () => primary.restart(mode));
  await standby.start();
  expect(withReplica).toMatchObject({ lower: [], failed: [] });
  expect(alone.lower).toEqual([]);
  // No node available, or too slow.
  expect(alone.failed.filter((text) => !/^(542|503|504) /.test(text))).toEqual([]);
  // The indexer continues too.
  const after = produced();
  await until(async () => (await readHeads(deployment, 4)).last > after || undefined);
  // Each instance has two connections for reads and one for keys, the indexer has three.
  await expect.poll(() => primary.connections(writing)).toBeLessThanOrEqual(3 * 3 + 3);
});

test("instances are added, removed, stopped and killed under load", async (context) => {
  const deployment = deployed(context);
  const { url, headers, balancer } = deployment;
  const count = 8;
  // The pause leaves time for the start of other instances.
  const callers = startCallers(url, { count, headers, pause: 50, tries: 3 });
  const added = await deployment.add();
  await until(async () => ((await balancer.requests()).get(added.port) ?? 0) > 20 || undefined);
  const [removed, stopped, killed] = deployment.instances;
  if (removed === undefined || stopped === undefined || killed === undefined) throw new Error("no instances");
  await deployment.remove(removed);
  // Only the health checks of HAProxy notice the second instance.
  await Promise.all([removed.stop(), stopped.stop()]);
  expect(callers.seen()).toMatchObject({ wrong: [], cut: 0 });

  await killed[Symbol.asyncDispose]();
  const atDeath = callers.seen().answered;
  // All losses are known as soon as every caller has continued.
  await until(() => callers.seen().answered > atDeath + 10 * count || undefined);
  const lost = callers.seen();
  expect(lost.wrong.length + lost.cut).toBeLessThanOrEqual(count);
  await deployment.remove(stopped);
  await deployment.remove(killed);
  const { wrong, cut, answered } = await callers.stop();
  expect({ wrong, cut }).toEqual({ wrong: lost.wrong, cut: lost.cut });
  expect(answered).toBeGreaterThan(100);
});

test("without an instance, the load balancer answers as the contract says", async (context) => {
  const { url, instances } = deployed(context);
  await Promise.all(instances.map((instance) => instance[Symbol.asyncDispose]()));
  const { status, body } = await readResponse("getMasterchainInfo", await fetch(`${url}/api/v2/getMasterchainInfo`));
  expect([status, body.error]).toEqual([503, "no instance is ready"]);
});
