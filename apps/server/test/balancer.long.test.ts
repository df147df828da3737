/** Three instances behind HAProxy, over an index in PostgreSQL with a replica, while the chain grows. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type Fetch, monotonic } from "@chain-query/client";
import { validateService } from "@chain-query/conformance";
import { openProducer } from "@chain-query/local-chain";
import { migrate } from "@chain-query/postgres-store";
import { startHaproxy, startPostgres, startRedis } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { openPostgresApiKeys } from "../src/limits/postgres-api-keys.ts";
import { readResponse, resultOf } from "./fixtures/ask.ts";
import { startCallers } from "./fixtures/callers.ts";
import { busiestOf, copyGrowingChain } from "./fixtures/chain.ts";
import { type RunningCommand, startIndexer, startWith } from "./fixtures/command.ts";
import { temporaryFolder } from "./fixtures/service.ts";

/** An instance that listens. */
interface Instance {
  readonly port: number;
  readonly command: RunningCommand;
}

const instanceCount = 3;
/** Heads that a client reads. */
const headCount = 1_000;
/** Milliseconds between blocks. */
const blockInterval = 500;

const resources = new AsyncDisposableStack();

/** Starts all servers on a chain in a folder, and continues the chain. Returns the reason if this machine lacks a server. */
async function deploy(chain: string) {
  const redis = await startRedis();
  if ("reason" in redis) return redis;
  resources.use(redis);
  const primary = resources.use(await startPostgres());
  const writing = await primary.createDatabase();
  await migrate({ url: writing });
  const standby = resources.use(await primary.startStandby());

  const producer = await openProducer(chain);
  const stop = new AbortController();
  const growth = (async () => {
    for (; !stop.signal.aborted; await sleep(blockInterval)) await producer.step();
    await producer.close();
  })();
  resources.defer(async () => {
    stop.abort();
    await growth;
  });
  const indexing = ["run", "--from-chain", chain, "--admin-address", "127.0.0.1:0"];
  await resources.use(startIndexer({ CHAIN_QUERY_POSTGRES: writing }, ...indexing)).url;

  const reading = { CHAIN_QUERY_POSTGRES: `${writing},${standby.urlOf(writing)}`, CHAIN_QUERY_REDIS: redis.url };
  const editor = openPostgresApiKeys(writing);
  const { text: key } = await editor.add("conformance", { rate: 0 });
  await editor.close();
  const limits = ["--keyless-rate", "1", "--trusted-proxies", "127.0.0.1", "--max-head-age", "0"];
  const start = async (): Promise<Instance> => {
    const command = resources.use(startWith(reading, "--port", "0", ...limits, "--shutdown-delay", "3s"));
    return { command, port: Number(new URL(await command.url).port) };
  };
  const instances = await Promise.all(Array.from({ length: instanceCount }, start));
  const balancer = await startHaproxy({ ports: instances.map(({ port }) => port), configuration });
  if ("reason" in balancer) return balancer;
  resources.use(balancer);
  return {
    /** The index has a replica, which all instances read. The indexer writes at `writing`. */
    ...{ primary, standby, writing, balancer, instances, url: balancer.url },
    /** An API key without a limit. */
    headers: { "x-api-key": key },
    /** The newest block of the chain, which the index may not have yet. */
    produced: () => producer.head.seqno,
    /** Starts one more instance, and adds it to the load balancer. */
    async add(): Promise<Instance> {
      const instance = await start();
      instances.push(instance);
      await balancer.add(instance.port);
      return instance;
    },
    /** Takes an instance from the load balancer. It keeps running. */
    async remove(instance: Instance): Promise<void> {
      await balancer.remove(instance.port);
      instances.splice(instances.indexOf(instance), 1);
    },
  };
}

/** The configuration for operators, with addresses of this machine instead of the container engine's. */
function configuration(port: number): string {
  const text = readFileSync(new URL("../deploy/haproxy.cfg", import.meta.url), "utf8");
  return text
    .replace("maxconn 20000", "maxconn 1000")
    .replace("bind :8080", `bind 127.0.0.1:${port}`)
    .replace("server:8080 resolvers docker init-addr none", "127.0.0.1:1 disabled");
}

let started: Awaited<ReturnType<typeof deploy>> | undefined;
let accounts: string[];
beforeAll(async () => {
  const chain = await copyGrowingChain(resources.use(temporaryFolder()).path);
  accounts = await busiestOf(chain, 2);
  started = await deploy(chain);
});
afterAll(() => resources.disposeAsync());

/** Skips the test on a machine without one of the servers. */
function deployed({ skip }: TestContext) {
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
  const networks = ["192.0.2.1", "10.0.0.9", "172.16.0.9", "192.168.0.9"];
  const addresses = [...networks, "127.0.0.9", "127.0.0.1, 192.0.2.2", "::1", "unknown"];
  const startedAt = performance.now();
  const ask = (address: string) => fetch(`${url}/api/v2/getMasterchainInfo`, { headers: { "x-forwarded-for": address } });
  const statuses = (await Promise.all(addresses.map(ask))).map(({ status }) => status);
  // One request in each second that began meanwhile.
  const seconds = Math.floor((performance.now() - startedAt) / 1000) + 2;
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(seconds);
  expect(new Set(statuses.filter((status) => status !== 200))).toEqual(new Set([429]));
});

test.for(["fast", "immediate"] as const)("PostgreSQL is restarted under load (%s)", async (mode, context) => {
  const deployment = deployed(context);
  const { url, headers, primary, standby, writing, produced } = deployment;
  /** What callers see during a restart and while fifty more requests are answered. */
  const duringRestart = async () => {
    const callers = startCallers(url, { count: 4, headers, pause: 10, tries: 3 });
    await primary.restart(mode);
    const { answered } = callers.seen();
    await until(() => callers.seen().answered > answered + 50);
    return callers.stop();
  };
  expect(await duringRestart()).toMatchObject({ wrong: [], cut: 0 });
  await standby.kill();
  const alone = await duringRestart();
  await standby.start();
  // No node available, or too slow.
  expect(alone.wrong.filter((text) => !/: (542|503|504) /.test(text))).toEqual([]);
  // The indexer continues too.
  const after = produced();
  const ask = () => fetch(`${url}/api/v2/getMasterchainInfo`, { headers });
  const head = async () => ((await (await ask()).json()) as { result?: { last: { seqno: number } } }).result?.last.seqno ?? 0;
  await until(async () => (await head()) > after);
  // Each instance has two connections for reads and one for keys, the indexer has three.
  await expect.poll(() => primary.connections(writing)).toBeLessThanOrEqual(3 * 3 + 3);
});

test("a monotonic client sees no step back while one of two instances is ten seconds behind", async (context) => {
  const { primary, writing } = deployed(context);
  await using delayed = await primary.startStandby({ recovery_min_apply_delay: "10s" });
  const instances = [writing, delayed.urlOf(writing)].map((url) =>
    startWith({ CHAIN_QUERY_POSTGRES: url }, "--port", "0", "--keyless-rate", "0", "--max-head-age", "0"),
  );
  await using cleanup = new AsyncDisposableStack();
  for (const instance of instances) cleanup.use(instance);
  const urls = await Promise.all(instances.map(({ url }) => url));
  const balancer = await startHaproxy({ ports: urls.map((url) => Number(new URL(url).port)), configuration });
  if ("reason" in balancer) return context.skip(balancer.reason);
  cleanup.use(balancer);
  // A new replica is as recent as its primary, and falls behind from then on.
  const heads = () => Promise.all(urls.map(async (url) => (await resultOf(url, "getMasterchainInfo")).last.seqno));
  await until(heads, ([first = 0, second = 0]) => first > second + 5);

  /** Reads heads one after another, as often as 50 callers of one client at a time. */
  const stepsBack = async (fetch: Fetch | undefined): Promise<number> => {
    const chain = createClient({ baseUrl: balancer.url, fetch, rateLimit: false, retry: { maxRetries: 20 } });
    let [steps, left] = [0, headCount];
    const read = async (): Promise<void> => {
      for (let previous = 0; left-- > 0; ) {
        const { seqno } = (await chain.getMasterchainInfo()).last;
        if (seqno < previous) steps++;
        previous = seqno;
      }
    };
    await Promise.all(Array.from({ length: 50 }, read));
    return steps;
  };
  expect(await stepsBack(undefined)).toBeGreaterThan(0);
  expect(await stepsBack(monotonic())).toBe(0);
});

test("instances are added, removed, stopped and killed under load", async (context) => {
  const deployment = deployed(context);
  const { url, headers, balancer } = deployment;
  const count = 8;
  // The pause leaves time for the start of other instances.
  const callers = startCallers(url, { count, headers, pause: 50, tries: 3 });
  const added = await deployment.add();
  await until(async () => ((await balancer.requests()).get(added.port) ?? 0) > 20);
  const [removed, stopped, killed] = deployment.instances;
  if (removed === undefined || stopped === undefined || killed === undefined) throw new Error("no instances");
  await deployment.remove(removed);
  // Only the health checks of HAProxy notice the second instance.
  await Promise.all([removed, stopped].map(({ command }) => command[Symbol.asyncDispose]()));
  expect(callers.seen()).toMatchObject({ wrong: [], cut: 0 });

  killed.command.child.kill("SIGKILL");
  await killed.command.exit;
  const atDeath = callers.seen().answered;
  // All losses are known as soon as every caller has continued.
  await until(() => callers.seen().answered > atDeath + 10 * count);
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
  for (const { command } of instances) command.child.kill("SIGKILL");
  await Promise.all(instances.map(({ command }) => command.exit));
  const { status, body } = await readResponse("getMasterchainInfo", await fetch(`${url}/api/v2/getMasterchainInfo`));
  expect([status, body.error]).toEqual([503, "no instance is ready"]);
});
