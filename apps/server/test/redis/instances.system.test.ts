import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type RedisServer, startRedis } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { Redis } from "ioredis";
import { describe, expect, type TestContext, test } from "vitest";
import type { Status } from "../../src/status/status.ts";
import { testChain } from "../fixtures/chain.ts";
import { start, startFromShell } from "../fixtures/command.ts";
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

async function flush(redis: RedisServer): Promise<void> {
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
}

async function countsAlone(urls: readonly string[]): Promise<number> {
  const counts = await Promise.all(urls.map((url) => metric(url, "chain_query_limiter_local_counts_total")));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The state of an instance's connection to Redis, from its metrics. */
async function isReady(url: string): Promise<number> {
  return metric(url, "chain_query_redis_ready");
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

const statusOf = async ({ url }: TestService): Promise<Status> => (await (await fetch(`${url}/status.json`)).json()) as Status;
const stateOf = async (service: TestService): Promise<unknown> => (await statusOf(service)).redis;

/** Instances, here in one process, which would count alone without Redis. */
async function instances(
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

describe.concurrent("three instances with Redis", () => {
  test("admit exactly the rate together, and that of each while Redis is killed, stopped or flushed", async ({
    expect,
    skip,
  }) => {
    await using redis = await ownRedis(skip);
    await using three = await instances(redis, 3);
    await expectCountedTogether(redis, three.urls);
    const faults: readonly (readonly [string, () => unknown, () => unknown])[] = [
      ["killed", () => redis.kill(), () => redis.start()],
      ["stopped", () => process.kill(redis.pid, "SIGSTOP"), () => process.kill(redis.pid, "SIGCONT")],
      ["flushed", () => flush(redis), () => {}],
    ];
    for (const [name, begin, end] of faults) {
      await begin();
      const during = await flood(three.urls, ({ left, refused }) => left.length >= 2 * rate && refused > 0);
      await end();
      const most = three.urls.length * rate * (Math.floor((performance.now() - during.started) / 1000) + 2);
      expect(during.other, name).toEqual([]);
      expect(during.left.length).toBeLessThanOrEqual(most);
      for (const url of three.urls) await expect.poll(() => isReady(url)).toBe(1);
      await expectCountedTogether(redis, three.urls);
    }
  });
});

describe.concurrent("one instance with Redis", () => {
  test("starts without Redis, says so, and uses it as soon as it is available", async ({ expect, skip }) => {
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

  test.for<readonly [string, readonly string[], readonly string[]]>([
    ["has no memory left", ["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]],
    ["is a replica", ["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]],
  ])(
    "says that it counts alone while Redis %s, and counts in Redis again after that",
    async ([_, begin, end], { expect, skip }) => {
      await using redis = await ownRedis(skip);
      const send = async ([command = "", ...parameters]: readonly string[]): Promise<void> => {
        const client = new Redis(redis.url);
        await client.call(command, ...parameters);
        client.disconnect();
      };
      await using service = await startService({ keylessRate: 1_000, redis: redis.url });
      const call = async (): Promise<unknown> => {
        expect((await fetch(service.url + path)).status).toBe(200);
        // Pages have a limit of their own.
        await delay(100);
        return stateOf(service);
      };
      expect(await call()).toBe("ready");
      await send(begin);
      try {
        await expect.poll(call).toBe("unavailable");
        const { time } = await statusOf(service);
        // The metrics page is made once a second.
        await until(async () => {
          expect(await call()).toBe("unavailable");
          return (await statusOf(service)).time > time + 1 || undefined;
        });
      } finally {
        await send(end);
      }
      await expect.poll(call).toBe("ready");
    },
  );

  test("of two workers has one log line when Redis becomes unavailable, and one when it has recovered", async ({
    expect,
    skip,
  }) => {
    await using redis = await ownRedis(skip);
    using folder = temporaryFolder();
    const options = ["--no-produce", "--port", "0", "--workers", "2", "--chain", testChain];
    await using command = start(...options, "--keys", join(folder.path, "keys"), "--redis", redis.url);
    const url = await command.url;
    const lines = (): string[] => command.log().flatMap(({ msg }) => /^Redis is (\w+)/.exec(String(msg))?.[1] ?? []);
    await expect.poll(lines).toEqual(["ready"]);
    await redis.kill();
    await expect.poll(lines).toEqual(["ready", "unavailable"]);
    await redis.start();
    await expect.poll(lines).toEqual(["ready", "unavailable", "ready"]);
    // The other worker logs nothing.
    await expect.poll(() => isReady(url)).toBe(1);
    expect(lines().length).toBe(3);
  });

  test("uses no other database of Redis than the one that it was started with", async ({ expect, skip }) => {
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

  test("counts one caller alone whose counter in Redis is no number, and the others in Redis", async ({ expect, skip }) => {
    await using redis = await ownRedis(skip);
    await using service = await startService({ keylessRate: rate, redis: redis.url, trustedProxies: ["127.0.0.1"] });
    const client = new Redis(redis.url);
    await client.lpush("chain:keyless:{192.0.2.1}", "wrong");
    const from = (address: string) => fetch(service.url + path, { headers: { "x-forwarded-for": address } });
    for (let round = 0; round < 5; round++) expect((await from("192.0.2.1")).status).toBe(200);
    const statuses = new Set<number>();
    const countOfOther = async (): Promise<number> => {
      statuses.add((await from("192.0.2.2")).status);
      return Number(await client.get("chain:keyless:{192.0.2.2}"));
    };
    await expect.poll(countOfOther).toBeGreaterThan(0);
    expect([...statuses]).toEqual([200]);
    await expect.poll(() => stateOf(service)).toBe("ready");
    client.disconnect();
  });

  test("counts its pages alone", async ({ skip }) => {
    await using redis = await ownRedis(skip);
    await using both = await instances(redis, 2);
    const left = async (url: string | undefined): Promise<string | null> =>
      (await fetch(`${url}/healthz`)).headers.get("ratelimit");
    expect([await left(both.urls[0]), await left(both.urls[1])]).toEqual(['"page";r=49;t=1', '"page";r=49;t=1']);
  });

  test("whose clock is one hour off counts like the others", async ({ skip }) => {
    await using redis = await ownRedis(skip);
    using folder = temporaryFolder();
    const preload = join(folder.path, "clock.mjs");
    writeFileSync(preload, "const now = Date.now; Date.now = () => now() + 3_600_000;\n");
    const options = ["--no-produce", "--port", "0", "--keyless-rate", String(rate), "--log-level", "silent"];
    await using ahead = startFromShell(
      `export NODE_OPTIONS="--import=${preload}"; exec "$@"`,
      ...[...options, "--chain", testChain, "--keys", join(folder.path, "keys"), "--redis", redis.url],
    );
    await using service = await startService({ keylessRate: rate, redis: redis.url });
    const urls = [await ahead.url, service.url];
    await expectCountedTogether(redis, urls);
  });
});
