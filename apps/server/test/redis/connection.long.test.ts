import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type RedisServer, startRedis } from "@chain-query/testing/services";
import { Redis } from "ioredis";
import { Registry } from "prom-client";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { redisLimiter } from "../../src/limits/limiter.ts";
import { connectRedis, type SharedRedis } from "../../src/redis/connection.ts";

const started = await startRedis();
const reason = "reason" in started ? started.reason : undefined;
const redis = started as RedisServer;
afterAll(() => (reason === undefined ? redis.stop() : undefined));

interface Wire {
  readonly url: string;
  readonly connections: () => number;
  /** From now on, replies arrive after some milliseconds; never if that is undefined. */
  slow(milliseconds: number | undefined): void;
}

/** Something between an instance and Redis that delivers replies late. It ends with the test. */
async function slowWire(): Promise<Wire> {
  let milliseconds: number | undefined = 0;
  let connections = 0;
  const server = createServer((near) => {
    connections++;
    const far = connect(redis.port, "127.0.0.1");
    near.pipe(far);
    far.on("data", async (reply) => {
      if (milliseconds === undefined) return;
      if (milliseconds > 0) await delay(milliseconds);
      near.write(reply);
    });
    for (const socket of [near, far]) socket.on("error", () => {});
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    slow: (value) => {
      milliseconds = value;
    },
  };
}

async function connected(url: string, deadline = 60): Promise<{ readonly shared: SharedRedis; failures(): Promise<number> }> {
  const registry = new Registry();
  const shared = await connectRedis(url, deadline, registry, () => {});
  onTestFinished(() => shared.close());
  const failures = async (): Promise<number> =>
    Number(/^chain_query_redis_failures_total (\d+)$/m.exec(await registry.metrics())?.[1]);
  return { shared, failures };
}

describe.skipIf(reason !== undefined)(`the connection to Redis${reason === undefined ? "" : ` (${reason})`}`, () => {
  test("reads all values of one tick of the event loop with one command, each once", async () => {
    const { shared } = await connected(redis.url);
    const { client } = shared;
    await client.mset("one", "1", "two", "2");
    await client.lpush("list", "no text");
    await client.config("RESETSTAT");
    const names = ["one", "two", "one", "absent", "list"];
    expect(await Promise.all(names.map((name) => shared.read(name)))).toEqual(["1", "2", "1", null, null]);
    await client.set("one", "3");
    expect(await shared.read("one")).toBe("3");
    const stats = await client.info("commandstats");
    expect([/cmdstat_mget:calls=(\d+)/.exec(stats)?.[1], stats.includes("cmdstat_get:")]).toEqual(["2", false]);
  });

  test("does not make a request wait longer for its second reply than for one, nor count that as a failure", async () => {
    const wire = await slowWire();
    const { shared, failures } = await connected(wire.url, 20);
    let counted = 0;
    const events = { onLocalCount: () => void counted++ };
    const limiter = redisLimiter(shared, "chain")("key-5", 5, events);
    expect(await limiter.take("alice", 0)).toMatchObject({ remaining: 4 });
    expect(counted).toBe(0);
    wire.slow(undefined);
    const ended: string[] = [];
    const first = limiter.take("carol", 0).finally(() => ended.push("the one that has waited for nothing"));
    const decision = limiter.take("bob", 0.9 * shared.replyTimeout).finally(() => ended.push("the one that has waited"));
    const failed = decision.then(failures);
    expect(await decision).toMatchObject({ remaining: 4 });
    await first;
    expect(ended).toEqual(["the one that has waited", "the one that has waited for nothing"]);
    expect([counted, await failed]).toEqual([2, 0]);
  });

  test("is not made to a node of a cluster, which has no reply to reads for several owners", async () => {
    const clustered = await startRedis({ isCluster: true });
    if ("reason" in clustered) throw new Error(clustered.reason);
    onTestFinished(() => clustered.stop());
    const client = new Redis(clustered.url);
    onTestFinished(() => client.disconnect());
    await client.cluster("ADDSLOTSRANGE", 0, 16_383);
    await expect.poll(() => client.cluster("INFO")).toContain("cluster_state:ok");
    const { shared } = await connected(clustered.url);
    expect([shared.isReady, shared.problem]).toEqual([
      false,
      "the server must be no part of a Redis Cluster, got cluster_enabled:1",
    ]);
  });

  test("is replaced after many commands without a reply, although the other end has not closed it", async () => {
    const wire = await slowWire();
    const { shared } = await connected(wire.url, 5);
    wire.slow(undefined);
    await shared.read("one").catch(() => {});
    await expect.poll(wire.connections, { timeout: 10_000 }).toBeGreaterThan(1);
    wire.slow(0);
    await expect.poll(() => shared.isReady, { timeout: 10_000 }).toBe(true);
    expect(await shared.read("absent")).toBeNull();
  });
});
