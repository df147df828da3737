/** Limits of instances whose Redis fails, is misconfigured or has other content. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "@chain-query/testing/until";
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import type { Status } from "../../src/status/status.ts";
import { testChain } from "../fixtures/chain.ts";
import { start, startFromShell } from "../fixtures/command.ts";
import { startService, type TestService, temporaryFolder } from "../fixtures/service.ts";
import { expectCountedTogether, flood, flush, instances, isReady, ownRedis, path, rate } from "./shared-limit.ts";

const statusOf = async ({ url }: TestService): Promise<Status> => (await (await fetch(`${url}/status.json`)).json()) as Status;
const stateOf = async (service: TestService): Promise<unknown> => (await statusOf(service)).redis;

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
      await expect.poll(call).toBe("ready");
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

  test("logs each change of Redis once", async ({ expect, skip }) => {
    await using redis = await ownRedis(skip);
    using folder = temporaryFolder();
    const options = ["--no-produce", "--port", "0", "--chain", testChain];
    await using command = start(...options, "--keys", join(folder.path, "keys"), "--redis", redis.url);
    const url = await command.url;
    const lines = (): string[] => command.log().flatMap(({ msg }) => /^Redis is (\w+)/.exec(String(msg))?.[1] ?? []);
    const newest = () => lines().at(-1);
    await expect.poll(newest).toBe("ready");
    await redis.kill();
    await expect.poll(newest).toBe("unavailable");
    await redis.start();
    await expect.poll(newest).toBe("ready");
    await expect.poll(() => isReady(url)).toBe(1);
    // A busy machine may delay replies, and so make more changes.
    expect(lines().filter((line, index) => line === lines()[index - 1])).toEqual([]);
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
