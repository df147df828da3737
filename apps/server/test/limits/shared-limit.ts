/** Instances with one Redis, and floods of requests that show how they count. */
import { setTimeout as delay } from "node:timers/promises";
import { type RedisServer, startRedis } from "@chain-query/testing/services";
import { Redis } from "ioredis";
import { expect, type TestContext } from "vitest";
import { startService, type TestService } from "../fixtures/service.ts";

/** Starts the Redis of one test, or skips it on a machine without one. */
export async function ownRedis(skip: TestContext["skip"]): Promise<RedisServer> {
  const started = await startRedis();
  return "reason" in started ? skip(started.reason) : started;
}

export const rate = 7;
export const path = "/api/v2/getMasterchainInfo";

interface Counted {
  /** The requests left, of each request that was admitted. */
  readonly left: number[];
  refused: number;
  readonly other: number[];
  /** Of `performance.now()`. */
  readonly started: number;
}

/** Calls all instances until enough is counted. */
export async function flood(urls: readonly string[], isDone: (counted: Counted) => boolean): Promise<Counted> {
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
export async function expectCountedTogether(redis: RedisServer, urls: readonly string[]): Promise<void> {
  for (;;) {
    await flush(redis);
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

export async function flush(redis: RedisServer): Promise<void> {
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
}

async function countsAlone(urls: readonly string[]): Promise<number> {
  const counts = await Promise.all(urls.map((url) => metric(url, "chain_query_limiter_local_counts_total")));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The state of an instance's connection to Redis, from its metrics. */
export async function isReady(url: string): Promise<number> {
  return metric(url, "chain_query_redis_ready");
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

/** Instances, here in one process, which would count alone without Redis. */
export async function instances(
  redis: RedisServer,
  count: number,
): Promise<AsyncDisposable & { urls: string[]; services: TestService[] }> {
  const services = await Promise.all(
    Array.from({ length: count }, () => startService({ keylessRate: rate, redis: redis.url })),
  );
  return {
    services,
    urls: services.map(({ url }) => url),
    async [Symbol.asyncDispose]() {
      await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
    },
  };
}
