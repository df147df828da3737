/** Limits of instances with one Redis, which may fail, and floods of requests that show how they count. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type RedisServer, startRedis } from "@chain-query/testing/services";
import { Redis } from "ioredis";
import { describe, expect, type TestContext, test } from "vitest";
import type { Status } from "../../src/status/status.ts";
import { testChain } from "../fixtures/chain.ts";
import { start } from "../fixtures/command.ts";
import { startService, type TestService, temporaryFolder } from "../fixtures/service.ts";

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

  test("log each change of it once", async ({ expect, skip }) => {
    await using redis = await ownRedis(skip);
    using folder = temporaryFolder();
    const options = ["--no-produce", "--port", "0", "--chain", testChain];
    await using command = start(...options, "--keys", join(folder.path, "keys"), "--redis", redis.url);
    await command.url;
    const lines = (): string[] => command.log().flatMap(({ msg }) => /^Redis is (\w+)/.exec(String(msg))?.[1] ?? []);
    const newest = () => lines().at(-1);
    await expect.poll(newest).toBe("ready");
    await redis.kill();
    await expect.poll(newest).toBe("unavailable");
    await redis.start();
    await expect.poll(newest).toBe("ready");
    // A busy machine may delay replies, and so make more changes.
    expect(lines().filter((line, index) => line === lines()[index - 1])).toEqual([]);
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
