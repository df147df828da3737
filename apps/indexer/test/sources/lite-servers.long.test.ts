import { accountName, shardName } from "@chain-query/format/identifiers";
import type { Step, StepSource } from "@chain-query/format/store";
import { type LiteClientOptions, LiteError, type LiteEvent } from "@chain-query/lite";
import { liteChain, startLiteServer } from "@chain-query/lite/answers";
import { delay, forgeBoc, type LiteBehaviour, refuse, startFaultyLiteServer } from "@chain-query/lite/faults";
import { chainSteps, type LocalChain } from "@chain-query/local-chain";
import { RESHARDED, UNEVEN } from "@chain-query/testing/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  comparable,
  expectStepsOfChain,
  type ServedChain,
  STEPS,
  serveChain,
  serverKey,
  stepsFrom,
  stepsOf,
} from "./served-chain.ts";

const never = new AbortController().signal;

let served: ServedChain;
let chain: LocalChain;

beforeAll(async () => {
  served = await serveChain();
  ({ chain } = served);
});
afterAll(() => served.close());

const source = (options: LiteClientOptions = {}, from = served.server, headTimeoutMs?: number): StepSource =>
  stepsFrom(from, options, headTimeoutMs);

describe("steps from lite servers", () => {
  test("equal those of the chain while shards split and merge; only accounts with cells that no block has shown are asked for, once at a time", async () => {
    const resharded = await serveChain(RESHARDED);
    let queries = 0;
    const onEvent = (event: LiteEvent) => {
      if (event.type === "call" && event.method === "getAccount") queries += 1;
    };
    const asked = new Map<string, number>();
    let most = 0;
    const note: LiteBehaviour = {
      answer: async ({ call }, next) => {
        if (call.name !== "getAccountState") return next();
        const name = accountName(call.args.account);
        const count = (asked.get(name) ?? 0) + 1;
        most = Math.max(most, count);
        asked.set(name, count);
        const answer = await next();
        asked.set(name, (asked.get(name) ?? 0) - 1);
        return answer;
      },
    };
    const behaviours = [delay(100, { name: "getAccountState" }), note];
    const slow = await startFaultyLiteServer({ chain: liteChain(resharded.chain), key: serverKey, behaviours });
    const steps = await stepsOf(source({ onEvent }, slow), { from: 1, to: RESHARDED.steps });
    expect(most).toBe(1);
    expect(steps.map(comparable)).toEqual(resharded.expected.map(comparable));
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThan(steps.flatMap(({ accounts }) => accounts).length / 20);
    await slow.close();

    const forging = [forgeBoc("getAccountState", "state")];
    const faulty = await startFaultyLiteServer({ chain: liteChain(resharded.chain), key: serverKey, behaviours: forging });
    const forged = stepsOf(source({ timeoutMs: 1_000 }, faulty), { from: 1, to: RESHARDED.steps });
    await expect(forged).rejects.toThrow(LiteError);
    await faulty.close();
    await resharded.close();
  });

  test("take a query for each block, and a look-up for eight masterchain blocks", async () => {
    const counts: Record<string, number> = {};
    const onEvent = (event: LiteEvent) => {
      if (event.type === "answer") counts[event.function] = (counts[event.function] ?? 0) + 1;
    };
    const steps = await stepsOf(source({ onEvent }), { from: 1, to: STEPS });
    const blocks = steps.reduce((sum, { shards }) => sum + shards.length + 1, 0);
    // A look-up proves that a block is an ancestor of the head; a second query shows the header of the block. The verified head takes two.
    const lookUps = Math.ceil(STEPS / 8) - 1;
    expect(counts).toMatchObject({ getBlock: blocks, lookupBlockWithProof: lookUps });
    const accounts = counts["getAccountState"] ?? 0;
    expect(counts["getBlockHeader"]).toBeLessThanOrEqual(2 + lookUps + accounts);
  });

  test("are read without a query for the size of a queue if the sizes before them are known", async () => {
    const behaviours = [refuse(-400, "no out_msg_queue_size in shard state", { name: "getBlockOutMsgQueueSize" })];
    const old = await startFaultyLiteServer({ chain: liteChain(chain), key: serverKey, behaviours });
    const before = served.expected.slice(0, 13).flatMap(({ masterchain, shards }) => [...shards, masterchain]);
    const tips = [...new Map(before.map((block) => [shardName(block.id), block])).values()];
    const steps = await stepsOf(source({}, old), { from: 14, to: 18, tips });
    const sizesOf = (some: readonly Step[]) => some.map(({ shards }) => shards.map(({ queueSize = 0 }) => queueSize));
    expect(sizesOf(steps)).toEqual(sizesOf(served.expected.slice(13, 18)));
    expect(Math.max(...sizesOf(steps).flat())).toBeGreaterThan(0);
    await old.close();
  });

  test("have no sizes of queues if the server refuses them, which is asked once", async () => {
    const behaviours = [refuse(-400, "no out_msg_queue_size in shard state", { name: "getBlockOutMsgQueueSize" })];
    const old = await startFaultyLiteServer({ chain: liteChain(chain), key: serverKey, behaviours });
    let asked = 0;
    const onEvent = (event: LiteEvent) => {
      if (event.type === "call" && event.method === "getQueueSizes") asked += 1;
    };
    const steps = await stepsOf(source({ onEvent }, old), { from: 14, to: 18 });
    expect(steps.map(({ masterchain }) => masterchain.id.seqno)).toEqual([14, 15, 16, 17, 18]);
    const sizes = steps.flatMap(({ masterchain, shards }) => [...shards, masterchain].map(({ queueSize }) => queueSize));
    expect(new Set(sizes)).toEqual(new Set([undefined]));
    expect(asked).toBe(1);
    await old.close();
  });

  test("fails if no server is connected while it waits", async () => {
    const other = await startLiteServer({ chain: liteChain(chain), key: serverKey });
    const lite = source({}, other, 200);
    const head = await lite.newest();
    const steps = lite.steps({ from: head }, never)[Symbol.asyncIterator]();
    await steps.next();
    const next = steps.next();
    await other.close();
    await expect(next).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("no lite server is connected"),
    });
    await lite.close();
  });
});

test("steps with none to three blocks of a shard equal those of the chain, while shards split and merge", async () => {
  const served = await serveChain(UNEVEN);
  const steps = await expectStepsOfChain(served, { from: 1, to: 9 });
  // Also of shards without a block in the step.
  const [local, lite] = [chainSteps(served.directory), stepsFrom(served.server)];
  for (let step = 0; step <= UNEVEN.steps; step++) expect(await lite.tips(step)).toEqual(await local.tips(step));
  await Promise.all([local.close(), lite.close()]);
  await served.close();
  const blocks = steps.map(({ shards }) => Map.groupBy(shards, ({ id }) => id.shard));
  expect(Math.max(...blocks.flatMap((shards) => Array.from(shards.values(), ({ length }) => length)))).toBe(3);
  expect(blocks.some((shards) => shards.size === 0)).toBe(true);
});
