import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as delay, setImmediate as nextTick } from "node:timers/promises";
import { type RedisServer, startRedis } from "@chain-query/testing/services";
import { Redis } from "ioredis";
import { afterAll, describe, expect, onTestFinished, type TestContext, test } from "vitest";
import { redisLimiter } from "../../src/limits/limiter.ts";
import { connectRedis, type SharedRedis } from "../../src/limits/redis.ts";
import type { Status } from "../../src/status/status.ts";
import { startService, type TestService } from "../fixtures/service.ts";
import { startWire } from "../fixtures/wire.ts";

const started = await startRedis();
const reason = "reason" in started ? started.reason : undefined;
const redis = started as RedisServer;
afterAll(() => (reason === undefined ? redis.stop() : undefined));

async function connected(url: string, problems: (string | undefined)[] = []): Promise<SharedRedis> {
  const shared = await connectRedis(url, 5, (problem) => problems.push(problem));
  onTestFinished(() => shared.close());
  return shared;
}

/** A limiter of five requests, with the number of those that it counted without Redis. */
function limiterOn(shared: SharedRedis) {
  const alone = { count: 0 };
  const limiter = redisLimiter(shared, "chain")("key-5", 5, { onLocalCount: () => void alone.count++ });
  return { limiter, alone };
}

describe.skipIf(reason !== undefined)(`the connection to Redis${reason === undefined ? "" : ` (${reason})`}`, () => {
  test("has a share of the deadline for a reply, and sends nothing after a silence until a new connection replies; both are reported once", async () => {
    const wire = await startWire(redis.port);
    const problems: (string | undefined)[] = [];
    const shared = await connected(wire.to(redis.url), problems);
    const { limiter, alone } = limiterOn(shared);
    await expect.poll(() => shared.problem, { timeout: 10_000 }).toBeUndefined();
    expect(await limiter.take("alice")).toMatchObject({ remaining: 4 });
    wire.freeze();
    expect(await limiter.take("bob")).toMatchObject({ allowed: true, remaining: 4 });
    expect(alone.count).toBeGreaterThan(0);
    await expect.poll(() => shared.problem, { timeout: 10_000 }).toMatch(/Socket timeout|timed out/);
    const tried = wire.connections();
    await expect.poll(() => wire.connections(), { timeout: 10_000 }).toBeGreaterThan(tried + 1);
    const order: string[] = [];
    const decision = limiter.take("carol").then(() => order.push("counted"));
    await nextTick();
    order.push("the next turn of the event loop");
    await decision;
    expect(order).toEqual(["counted", "the next turn of the event loop"]);
    wire.thaw();
    await expect.poll(() => shared.problem, { timeout: 10_000 }).toBeUndefined();
    expect(wire.connections()).toBeGreaterThan(1);
    const countInRedis = async (): Promise<boolean> => {
      const before = alone.count;
      await limiter.take("dave");
      return alone.count === before;
    };
    await expect.poll(countInRedis, { timeout: 10_000 }).toBe(true);
    // A busy machine may delay replies, and so make more changes.
    expect(problems.filter((problem, index) => index > 0 && !problem === !problems[index - 1])).toEqual([]);
  });

  test("does not let a request wait for a reply that arrives slowly", async () => {
    const wire = await startWire(redis.port);
    const shared = await connected(wire.to(redis.url));
    const { limiter, alone } = limiterOn(shared);
    await expect.poll(() => shared.problem, { timeout: 10_000 }).toBeUndefined();
    await limiter.take("alice");
    const before = alone.count;
    // The silence between two bytes is shorter than that after which the connection ends; the whole reply takes longer.
    wire.slowDown();
    await limiter.take("bob");
    expect(alone.count).toBe(before + 1);
  });

  test("is not made to a node of a cluster, which does not have the keys of all callers", async () => {
    const clustered = await startRedis({ isCluster: true });
    if ("reason" in clustered) throw new Error(clustered.reason);
    onTestFinished(() => clustered.stop());
    const client = new Redis(clustered.url);
    onTestFinished(() => client.disconnect());
    await client.cluster("ADDSLOTSRANGE", 0, 16_383);
    await expect.poll(() => client.cluster("INFO")).toContain("cluster_state:ok");
    const shared = await connected(clustered.url);
    await expect
      .poll(() => shared.problem, { timeout: 10_000 })
      .toBe("the server must be no part of a Redis Cluster, got cluster_enabled:1");
  });
});

test("reports a long text of the server in 200 printable characters", async () => {
  const server = createServer((socket) => {
    const reply = `-ERR \u001b[2J${"x".repeat(1 << 14)}\r\n`;
    // One for each command.
    socket.on("error", () => {}).on("data", (bytes) => socket.write(reply.repeat(`${bytes}`.match(/^\*/gm)?.length ?? 0)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const problems: (string | undefined)[] = [];
  const shared = await connectRedis(url, 60, (problem) => problems.push(problem));
  onTestFinished(() => shared.close());
  await expect.poll(() => problems.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(problems[0]).toMatch(/^ERR \?\[2Jx+…x{100}$/);
  expect(problems[0]?.length).toBeLessThanOrEqual(201);
});

/** Starts the Redis of one test, or skips it on a machine without one. */
async function ownRedis(skip: TestContext["skip"]): Promise<RedisServer> {
  const started = await startRedis();
  return "reason" in started ? skip(started.reason) : started;
}

const rate = 7;
const path = "/api/v2/getMasterchainInfo";

interface Counted {
  /** The requests left, of each request that was admitted. */
  readonly left: number[];
  refused: number;
  readonly other: number[];
  /** Of `performance.now()`. */
  readonly started: number;
}

/** Calls all instances until enough is counted. */
async function flood(urls: readonly string[], isDone: (counted: Counted) => boolean): Promise<Counted> {
  const counted: Counted = { left: [], refused: 0, other: [], started: performance.now() };
  const call = async (url: string): Promise<void> => {
    while (!isDone(counted)) {
      const response = await fetch(url + path);
      await response.arrayBuffer();
      if (response.status === 200) counted.left.push(Number(/r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]));
      else if (response.status === 429) counted.refused++;
      else counted.other.push(response.status);
      await delay(20);
    }
  };
  await Promise.all(urls.flatMap((url) => [call(url), call(url)]));
  return counted;
}

/** How many responses had each number of requests left, from the first request of a window to its last one. */
const countsOf = ({ left }: Counted): number[] =>
  Array.from({ length: rate }, (_, index) => left.filter((one) => one === rate - 1 - index).length);

/** Whether a second window has begun, and one was used up. */
function hasWindows(counted: Counted): boolean {
  const counts = countsOf(counted);
  return (counts[0] ?? 0) >= 2 && (counts.at(-1) ?? 0) >= 1 && counted.refused > 10;
}

/**
 * Floods a new window of all instances, and fails unless each window admitted `rate` requests, or fewer if fewer were sent. Starts over if an
 * instance counted a request alone, which is correct when a busy machine delays a reply of Redis.
 */
async function expectCountedTogether(redis: RedisServer, urls: readonly string[]): Promise<void> {
  for (;;) {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    const before = await countsAlone(urls);
    const counted = await flood(urls, hasWindows);
    if ((await countsAlone(urls)) !== before) continue;
    const counts = countsOf(counted);
    const total = counts.reduce((a, b) => a + b, 0);
    expect(counted.other).toEqual([]);
    expect(counted.left.length, "every admitted request has its own number in its window").toBe(total);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts[0]).toBeLessThanOrEqual(Math.floor((performance.now() - counted.started) / 1000) + 1);
    return;
  }
}

async function countsAlone(urls: readonly string[]): Promise<number> {
  const counts = await Promise.all(urls.map((url) => metric(url, "chain_query_limiter_local_counts_total")));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The state of an instance's connection to Redis, from its metrics. */
const isReady = (url: string): Promise<number> => metric(url, "chain_query_redis_ready");

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

async function stateOf({ url }: TestService): Promise<unknown> {
  return ((await (await fetch(`${url}/status.json`)).json()) as Status).redis;
}

describe.concurrent("instances with one Redis", () => {
  test("admit exactly the rate together, and that of each while Redis is killed", async ({ expect, skip }) => {
    await using redis = await ownRedis(skip);
    // In one process, in which they would count alone without Redis.
    await using stack = new AsyncDisposableStack();
    const options = { keylessRate: rate, redis: redis.url };
    const urls = (await Promise.all([1, 2, 3].map(async () => stack.use(await startService(options))))).map(({ url }) => url);
    // Each counts its pages alone.
    const left = urls.map(async (url) => (await fetch(`${url}/healthz`)).headers.get("ratelimit"));
    expect(await Promise.all(left)).toEqual(urls.map(() => '"page";r=49;t=1'));
    await expectCountedTogether(redis, urls);
    await redis.kill();
    const during = await flood(urls, (counted) => counted.left.length >= 2 * rate && counted.refused > 0);
    await redis.start();
    const most = urls.length * rate * (Math.floor((performance.now() - during.started) / 1000) + 2);
    expect(during.other).toEqual([]);
    expect(during.left.length).toBeLessThanOrEqual(most);
    for (const url of urls) await expect.poll(() => isReady(url)).toBe(1);
    await expectCountedTogether(redis, urls);
  });

  test("start without it, say so, and use it as soon as it is available", async ({ expect, skip }) => {
    await using redis = await ownRedis(skip);
    await redis.kill();
    await using service = await startService({ keylessRate: rate, redis: redis.url });
    expect(await stateOf(service)).toBe("unavailable");
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await isReady(service.url)).toBe(0);
    expect((await fetch(service.url + path)).headers.get("ratelimit")).toBe(`"keyless";r=${rate - 1};t=1`);
    await redis.start();
    await expect.poll(() => isReady(service.url)).toBe(1);
    // The page is kept for a while.
    await expect.poll(() => stateOf(service)).toBe("ready");
  });

  test("say that they count alone while it is a replica, and count in it again after that", async ({ expect, skip }) => {
    await using redis = await ownRedis(skip);
    const client = new Redis(redis.url);
    await using service = await startService({ keylessRate: 1_000, redis: redis.url });
    const call = async (): Promise<unknown> => {
      expect((await fetch(service.url + path)).status).toBe(200);
      // Pages have a limit of their own.
      await delay(100);
      return stateOf(service);
    };
    await expect.poll(call).toBe("ready");
    await client.call("REPLICAOF", "127.0.0.1", "1");
    await expect.poll(call).toBe("unavailable");
    await client.call("REPLICAOF", "NO", "ONE");
    await expect.poll(call).toBe("ready");
    client.disconnect();
  });

  test("use no other database of it than the one that they were started with", async ({ expect, skip }) => {
    await using redis = await ownRedis(skip);
    await using service = await startService({ keylessRate: rate, redis: `${redis.url}/99` });
    await fetch(service.url + path);
    expect(await stateOf(service)).toBe("unavailable");
    await using other = await startService({ keylessRate: rate, redis: `${redis.url}/3` });
    const client = new Redis(`${redis.url}/3`);
    // A count exists for a second.
    const countIn3 = async (): Promise<number> => {
      await fetch(other.url + path);
      return (await client.keys("*:keyless:*")).length;
    };
    await expect.poll(countIn3).toBe(1);
    await expect.poll(() => stateOf(other)).toBe("ready");
    client.disconnect();
  });

  test("count one caller alone whose counter in it is no number", async ({ expect, skip }) => {
    await using redis = await ownRedis(skip);
    await using service = await startService({ keylessRate: rate, redis: redis.url, trustedProxies: ["127.0.0.1"] });
    const client = new Redis(redis.url);
    await client.lpush("chain:keyless:{192.0.2.1}", "wrong");
    client.disconnect();
    const headers = { "x-forwarded-for": "192.0.2.1" };
    for (let round = 0; round < 5; round++) expect((await fetch(service.url + path, { headers })).status).toBe(200);
    await expect.poll(() => stateOf(service)).toBe("ready");
  });
});
