import { type PostgresServer, type RedisServer, startPostgres, startRedis } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { Redis } from "ioredis";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectRedis } from "../../src/redis/connection.ts";
import { HighWaterMark } from "../../src/sources/high-water-mark.ts";
import { ask, resultOf } from "../fixtures/ask.ts";
import { startWith } from "../fixtures/command.ts";
import { startService } from "../fixtures/service.ts";
import { growingIndex, type IndexOfChain, smallChain } from "../postgres/indexed-chain.ts";

const started = await startRedis();
const reason = "reason" in started ? started.reason : undefined;
const redis = started as RedisServer;
afterAll(() => (reason === undefined ? redis.stop() : undefined));

describe.skipIf(reason !== undefined)(`the high-water mark${reason === undefined ? "" : ` (${reason})`}`, () => {
  /** The high-water mark of an instance, which raises it to the seqno that it reads from the primary. */
  async function markOf(
    name: string,
  ): Promise<Pick<HighWaterMark, "refresh" | "raise"> & { isReady(): boolean; refreshed(): Promise<number | undefined> }> {
    const shared = await connectRedis(redis.url, 60, new Registry(), () => {});
    onTestFinished(() => shared.close());
    const one = new HighWaterMark(shared, name);
    return {
      isReady: () => shared.isReady,
      refresh: () => one.refresh(),
      raise: (seqno) => one.raise(seqno, one.generation),
      async refreshed() {
        await one.refresh();
        return one.read();
      },
    };
  }

  test("has the highest seqno that any instance raised it to", async () => {
    const [one, two, other] = await Promise.all([markOf("a"), markOf("a"), markOf("another chain")]);
    expect([await one.refreshed(), await two.refreshed()]).toEqual([undefined, undefined]);
    await one.raise(7);
    // A value from before an instance connected may be an older copy.
    expect([await one.refreshed(), await two.refreshed(), await other.refreshed()]).toEqual([7, undefined, undefined]);
    await two.raise(5);
    expect([await one.refreshed(), await two.refreshed()]).toEqual([7, 7]);
    await Promise.all([8, 12, 10, 9].map((seqno, index) => (index % 2 === 0 ? one : two).raise(seqno)));
    expect([await one.refreshed(), await two.refreshed()]).toEqual([12, 12]);
  });

  test("goes back to what databases had when a wrong value is deleted", async () => {
    const [one, two, client] = [await markOf("wrong"), await markOf("wrong"), testClient()];
    await one.raise(7);
    await two.raise(7);
    await client.set("head:{wrong}", 1_000_000);
    expect([await one.refreshed(), await two.refreshed()]).toEqual([1_000_000, 1_000_000]);
    await client.del("head:{wrong}");
    expect([await one.refreshed(), await two.refreshed()]).toEqual([undefined, undefined]);
    expect(await client.get("head:{wrong}")).toBeNull();
    await one.raise(8);
    expect([await one.refreshed(), await two.refreshed()]).toEqual([8, undefined]);
  });

  test.for(["abc", "", "Infinity", "1e400", "12.5", "-5", "9007199254740992", "99999999999999999"])(
    "takes %j for no value",
    async (value) => {
      const [one, client] = [await markOf("text"), testClient()];
      await client.set("head:{text}", value);
      expect(await one.refreshed()).toBeUndefined();
      await one.raise(3);
      expect(await client.get("head:{text}")).toBe("3");
      expect(await one.refreshed()).toBe(3);
    },
  );

  test("after Redis was emptied, has no value that an instance only believes to be the newest", async () => {
    const [behind, ahead, client] = [await markOf("lost"), await markOf("lost"), testClient()];
    await behind.raise(7);
    await ahead.raise(9);
    await client.del("head:{lost}");
    // It must read the database, which has block 9.
    expect(await behind.refreshed()).toBeUndefined();
    expect(await client.get("head:{lost}")).toBeNull();
    await behind.raise(9);
    await client.set("head:{lost}", 8);
    expect(await ahead.refreshed()).toBeUndefined();
    await ahead.raise(9);
    expect([await behind.refreshed(), await ahead.refreshed()]).toEqual([9, 9]);
  });

  test("is not trusted because of a row that was read before the connection", async () => {
    const shared = await connectRedis(redis.url, 60, new Registry(), () => {});
    onTestFinished(() => shared.close());
    const one = new HighWaterMark(shared, "row");
    const { generation } = one;
    await redis.kill();
    await redis.start();
    await expect.poll(() => one.generation).not.toBe(generation);
    await one.raise(7, generation);
    await one.refresh();
    expect(await one.read()).toBeUndefined();
    await one.raise(7, one.generation);
    expect(await one.read()).toBe(7);
  });

  test("is not readable while Redis is unavailable, and has the highest seqno again after that", async () => {
    const [one, two] = await Promise.all([markOf("b"), markOf("b")]);
    await one.raise(7);
    await redis.kill();
    expect([await one.refreshed(), await two.refreshed()]).toEqual([undefined, undefined]);
    await one.raise(9);
    await redis.start();
    await expect
      .poll(async () => {
        await Promise.all([one.refresh(), two.refresh()]);
        await one.raise(9);
        await two.raise(7);
        return two.refreshed();
      })
      .toBe(9);
    expect(await one.refreshed()).toBe(9);
  });

  test("is not readable after Redis has recovered with an older copy, until an instance has raised it again", async () => {
    const [behind, ahead, client] = [await markOf("restored"), await markOf("restored"), testClient()];
    await ahead.raise(7);
    await client.save();
    await behind.raise(7);
    expect(await behind.refreshed()).toBe(7);
    await ahead.raise(9);
    await redis.kill();
    await redis.start();
    await expect.poll(() => client.get("head:{restored}")).toBe("7");
    // An instance that starts now knows no more.
    const added = await markOf("restored");
    await expect.poll(() => behind.isReady() && ahead.isReady()).toBe(true);
    // The instance without a newer block cannot know that another one responded with block 9. It must read the database.
    for (let round = 0; round < 10; round++) {
      const values = [await behind.refreshed(), await ahead.refreshed(), await added.refreshed()];
      expect(values).toEqual([undefined, undefined, undefined]);
    }
    for (const one of [behind, ahead, added]) {
      await one.raise(9);
      expect(await one.refreshed()).toBe(9);
    }
  });
});

describe.skipIf(reason !== undefined)(`two instances on an index${reason === undefined ? "" : ` (${reason})`}`, () => {
  let postgres: PostgresServer;
  let index: IndexOfChain;

  beforeAll(async () => {
    postgres = await startPostgres();
    index = await growingIndex(await postgres.createDatabase(), smallChain, 1);
  });
  afterAll(async () => {
    await index?.[Symbol.asyncDispose]();
    await postgres?.stop();
  });

  test("respond with heads that never go back, also when Redis is emptied", async () => {
    const options = {
      redis: redis.url,
      source: { kind: "index" as const, primary: index.url, replicas: [] },
    };
    await using one = await startService(options);
    await using two = await startService(options);
    const client = testClient();
    let isDone = false;
    const heads: number[] = [];
    const reading = (async () => {
      for (let round = 0; !isDone; round++) {
        const { last } = await resultOf((round % 2 === 0 ? one : two).url, "getMasterchainInfo");
        heads.push(last.seqno);
      }
    })();
    const [first, last] = [2, 9];
    for (let seqno = first; seqno <= last; seqno++) {
      expect(await index.grow()).toBe(seqno);
      await until(() => (heads.at(-1) ?? 0) >= seqno - 1 || undefined);
      if (seqno === 5) await client.flushall();
    }
    await expect.poll(async () => (await resultOf(one.url, "getMasterchainInfo")).last.seqno).toBe(last);
    expect(await client.get(await headKey(client))).toBe(String(last));
    isDone = true;
    await reading;
    expect(heads).toEqual(heads.toSorted((a, b) => a - b));
    expect(new Set(heads).size).toBeGreaterThan(3);
  });

  test("do not respond with an older block than another instance, even if no database has its block yet", async () => {
    const options = {
      redis: redis.url,
      source: { kind: "index" as const, primary: index.url, replicas: [] },
    };
    await using one = await startService(options);
    expect((await ask(one.url, "getMasterchainInfo")).status).toBe(200);
    const client = new Redis(redis.url);
    const key = await headKey(client);
    const before = await client.get(key);
    await client.set(key, 1_000_000);
    expect((await ask(one.url, "getMasterchainInfo")).status).toBe(504);
    // The remedy if the value is wrong.
    await client.del(key);
    expect((await ask(one.url, "getMasterchainInfo")).status).toBe(200);
    expect(await client.get(key)).toBe(before);
    client.disconnect();
  });

  test("respond with a new block when all replicas in service have it, also with the consensus block", async () => {
    await using standby = await postgres.startStandby();
    const replicas = [standby.urlOf(index.url)];
    const options = { redis: redis.url, source: { kind: "index" as const, primary: index.url, replicas } };
    await using one = await startService(options);
    await using two = await startService(options);
    const heads = async (): Promise<number[]> => {
      const urls = [one.url, two.url];
      const last = urls.map(async (url) => (await resultOf(url, "getMasterchainInfo")).last.seqno);
      const common = urls.map(async (url) => (await resultOf(url, "getConsensusBlock")).consensus_block);
      return Promise.all([...last, ...common]);
    };
    const replica = async (name: string): Promise<number> => metric(one.url, `database_${name}{database="replica 1"}`);
    const [before = 0] = await heads();
    await until(async () => (await replica("in_service")) === 1 || undefined);

    await standby.pauseReplay();
    await index.grow();
    await until(async () => (await metric(one.url, 'database_head_seqno{database="primary"}')) === before + 1 || undefined);
    // It is left out after two seconds.
    await until(async () => {
      const found = await heads();
      const inService = await Promise.all(
        [one, two].map(({ url }) => metric(url, 'database_in_service{database="replica 1"}')),
      );
      if (inService.includes(0)) return true;
      expect(found).toEqual(Array(4).fill(before));
      return undefined;
    });
    await until(async () => (await heads()).every((seqno) => seqno === before + 1) || undefined);
    expect(await replica("head_seqno")).toBe(before);
    await standby.resumeReplay();
    await until(async () => (await replica("in_service")) === 1 || undefined);

    await index.grow();
    await until(async () => (await heads()).every((seqno) => seqno === before + 2) || undefined);
    // The other instance may have seen it first.
    await until(async () => (await replica("head_seqno")) === before + 2 || undefined);
  });

  test("say how to repair a high-water mark that is ahead of the databases", async () => {
    const environment = { CHAIN_QUERY_POSTGRES: index.url, CHAIN_QUERY_REDIS: redis.url };
    await using command = startWith(environment, "--port", "0", "--max-head-age", "0", "--log-level", "error");
    const url = await command.url;
    const client = testClient();
    const [key = "missing"] = await client.keys("head:*");
    const head = Number(await client.get(key));
    expect(await metric(url, "high_water_mark_seqno")).toBe(head);
    await client.set(key, head + 1000);
    await until(async () => (await metric(url, "high_water_mark_seqno")) === head + 1000 || undefined);
    const reason = `Redis has a newer head than the databases; if they lost no block: redis-cli DEL '${key}'`;
    await until(() => command.log().some((line) => line["reason"] === reason) || undefined);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, JSON.parse(await ready.text()).error]).toEqual([503, reason]);
    await client.del(key);
    await until(async () => (await fetch(`${url}/readyz`)).ok || undefined);
    expect((await ask(url, "getMasterchainInfo")).status).toBe(200);
  });

  test("are not ready without their database, although Redis has the head", async () => {
    const options = {
      redis: redis.url,
      source: { kind: "index" as const, primary: index.url, replicas: [] },
    };
    await using one = await startService(options);
    expect((await fetch(`${one.url}/readyz`)).status).toBe(200);
    await postgres.kill();
    const error = await until(async () => {
      const ready = await fetch(`${one.url}/readyz`);
      return ready.status === 503 ? JSON.parse(await ready.text()).error : undefined;
    });
    expect(error).toBe("no database of this service can be read");
    await postgres.start();
    await until(async () => (await fetch(`${one.url}/readyz`)).ok || undefined);
  });
});

/** A connection for the test itself. */
function testClient(): Redis {
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  return client;
}

/** The key of the high-water mark. */
async function headKey(client: Redis): Promise<string> {
  const [key = "missing"] = await client.keys("head:{chain:*");
  return key;
}

/** The value of one of our metrics. */
async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`chain_query_${name} `));
  return Number(line?.split(" ").at(-1));
}
