import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { chainSteps, createChain, openProducer } from "@chain-query/local-chain";
import { type IndexHead, openPostgresReader } from "@chain-query/postgres-store";
import { startPostgres, startRedis } from "@chain-query/test-services";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createLog } from "../../src/operating/log.ts";
import { connectRedis } from "../../src/redis/connection.ts";
import type { HeadRegister } from "../../src/sources/head-register.ts";
import { newestHeads } from "../../src/sources/newest-heads.ts";
import { Databases } from "../../src/sources/postgres-databases.ts";
import { redisHeadRegister } from "../../src/sources/redis-head-register.ts";
import { ServedHead } from "../../src/sources/served-head.ts";
import { temporaryFolder } from "../fixtures/service.ts";
import { indexOf } from "../postgres/index-of-chain.ts";

test("no request is answered with a new block before the other instances can know of it", async ({ skip }) => {
  const redis = await startRedis();
  if ("reason" in redis) return skip(redis.reason);
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(redis);
  const chain = join(cleanup.use(temporaryFolder()).path, "chain");
  await createChain(chain, { seed: 6, accounts: 20 });
  const producer = await openProducer(chain);
  cleanup.defer(() => producer.close());
  await producer.step();
  const server = cleanup.use(await startPostgres());
  const index = cleanup.use(await indexOf(chainSteps(chain), await server.createDatabase()));

  const shared = await connectRedis(redis.url, createLog("silent", "test"), new Registry());
  cleanup.defer(() => shared.close());
  const register = redisHeadRegister(shared, "chain");
  const other = redisHeadRegister(shared, "chain");
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  const slow: HeadRegister = {
    ...register,
    async raise(seqno) {
      if (isHeld) await released.promise;
      await register.raise(seqno);
    },
  };
  const reader = openPostgresReader({ url: index.url });
  const databases = new Databases(
    { primary: { name: "primary", reader }, replicas: [], archive: undefined },
    { onChange: () => {} },
  );
  cleanup.defer(() => databases.close());
  const heads = newestHeads<IndexHead>(({ block }) => block.id.seqno);
  const served = new ServedHead(databases, heads, slow);
  const poll = async (): Promise<void> => {
    await databases.primary.check(-1);
    await served.polled();
  };
  await poll();
  expect((await served.read()).head.block.id.seqno).toBe(1);

  await producer.step();
  await index.follow();
  isHeld = true;
  const polled = poll();
  await expect.poll(() => databases.primary.seqno).toBe(2);
  await register.refresh();
  let isAnswered = false;
  const answer = served.read().finally(() => {
    isAnswered = true;
  });
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  await other.refresh();
  expect([await other.read(), isAnswered]).toEqual([1, false]);
  released.resolve();
  expect((await answer).head.block.id.seqno).toBe(2);
  await other.refresh();
  expect(await other.read()).toBe(2);
  await polled;
});
