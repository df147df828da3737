import { setImmediate as nextTick } from "node:timers/promises";
import { Databases, type IndexHead } from "@chain-query/postgres-store";
import { type RedisServer, sharedPostgres, startRedis } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { Redis } from "ioredis";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { connectRedis, type SharedRedis } from "../../src/redis/connection.ts";
import { HighWaterMark } from "../../src/sources/high-water-mark.ts";
import { newestTips } from "../../src/sources/newest-tips.ts";
import { ServedHead } from "../../src/sources/served-head.ts";
import { growingIndex, indexedDatabase, smallChain } from "../postgres/indexed-chain.ts";

/** An instance on an index with one block, and the high-water mark that it has in common with others. */
async function instance(redis: RedisServer, cleanup: AsyncDisposableStack) {
  const server = await sharedPostgres();
  const index = cleanup.use(await growingIndex(await indexedDatabase(server, smallChain, { last: 1 }), smallChain, 1));
  const shared = await connectRedis(redis.url, 60, new Registry(), () => {});
  cleanup.defer(() => shared.close());
  const released = Promise.withResolvers<void>();
  const wire = { isHeld: false, release: () => released.resolve() };
  const slow: SharedRedis = Object.create(shared, {
    run: {
      async value(...args: Parameters<SharedRedis["run"]>) {
        if (wire.isHeld) await released.promise;
        return shared.run(...args);
      },
    },
  });
  const [mark, other] = [new HighWaterMark(slow, "chain"), new HighWaterMark(shared, "chain")];
  const databases = new Databases({ primary: { url: index.url }, replicas: [{ url: index.url }] });
  cleanup.defer(() => databases.close());
  const tips = newestTips(({ block }: IndexHead) => block.id.seqno);
  const served = new ServedHead(databases, tips, mark);
  const poll = async (): Promise<void> => {
    for (const { connection } of databases.all) await connection.check(databases.primary.connection.seqno);
    await served.polled();
  };
  await poll();
  const seqno = async (): Promise<number> => (await served.read()).tip.block.id.seqno;
  expect(await seqno()).toBe(1);
  return { databases, served, poll, seqno, index, mark, other, wire };
}

test("a request is answered with the block that all instances know of, and does not wait for a newer one", async ({ skip }) => {
  const redis = await startRedis();
  if ("reason" in redis) return skip(redis.reason);
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(redis);
  const { databases, poll, seqno, index, mark, other, wire } = await instance(redis, cleanup);
  await other.raise(1, other.generation);
  await index.grow();
  wire.isHeld = true;
  let isPublished = false;
  const polled = poll().finally(() => {
    isPublished = true;
  });
  await expect.poll(() => databases.replicas[0]?.connection.seqno).toBe(2);
  for (let tick = 0; tick < 50; tick++) await nextTick();
  await mark.refresh();
  // The reply to the poll is still missing.
  expect([await seqno(), isPublished]).toEqual([1, false]);
  await other.refresh();
  expect(await other.read()).toBe(1);

  // Another instance has answered with it.
  await other.raise(2);
  await mark.refresh();
  expect([await seqno(), isPublished]).toEqual([2, false]);
  wire.release();
  await polled;
  expect(await seqno()).toBe(2);
});

test("while the mark cannot be read, no response is older than the last one that was", async ({ skip }) => {
  const redis = await startRedis();
  if ("reason" in redis) return skip(redis.reason);
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(redis);
  const { databases, poll, seqno, index, mark, other } = await instance(redis, cleanup);
  // The primary, which may have it, cannot be read.
  const isUnknown = { kind: "unreachable" };
  // Another instance has answered with it, and the databases of this one lack it.
  await other.raise(2, other.generation);
  await mark.refresh();
  await databases.primary.reader.close();
  await redis.kill();
  await mark.refresh();
  expect(mark.read()).toBeUndefined();
  await expect(seqno()).rejects.toMatchObject(isUnknown);

  // Redis lost it, and another instance has written one of its responses again.
  await redis.start();
  await expect.poll(() => other.generation).toBe(2);
  await expect.poll(() => mark.generation).toBe(2);
  await other.raise(3, other.generation);
  expect(mark.read()).toBeUndefined();
  await expect(seqno()).rejects.toMatchObject(isUnknown);

  await index.grow();
  await index.grow();
  await poll();
  expect(await seqno()).toBe(3);
});

test("readiness follows the replicas while the primary is unavailable", async ({ skip }) => {
  const redis = await startRedis();
  if ("reason" in redis) return skip(redis.reason);
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(redis);
  const { databases, served, poll } = await instance(redis, cleanup);
  const client = new Redis(redis.url);
  cleanup.defer(() => client.disconnect());
  const polledUntil = (isDone: () => boolean): Promise<true> =>
    until(async () => {
      await poll();
      return isDone() || undefined;
    });
  await client.set("head:{chain}", 1000);
  await polledUntil(() => served.problem?.startsWith("Redis has a newer head") === true);
  await databases.primary.reader.close();
  await polledUntil(() => !databases.primary.connection.isInService);
  await client.del("head:{chain}");
  await polledUntil(() => served.problem === undefined);
});
