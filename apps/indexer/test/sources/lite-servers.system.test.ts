import { decodeShardAccount } from "@chain-query/format/accounts";
import type { StepAccount, StepSource } from "@chain-query/format/store";
import { type LiteClientOptions, LiteError, type LiteEvent, parseGlobalConfig } from "@chain-query/lite";
import { formatGlobalConfig, liteChain, startLiteServer } from "@chain-query/lite/answers";
import { forgeBoc, refuse, startFaultyLiteServer } from "@chain-query/lite/faults";
import { chainSteps, type LocalChain, type Producer } from "@chain-query/local-chain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  comparableAccount,
  expectStepsOfChain,
  type ServedChain,
  STEPS,
  serveChain,
  serverKey,
  stepsFrom,
  stepsOf,
} from "./served-chain.ts";

let served: ServedChain;
let producer: Producer;
let chain: LocalChain;

beforeAll(async () => {
  served = await serveChain();
  ({ producer, chain } = served);
});
afterAll(() => served.close());

const source = (options: LiteClientOptions = {}, from = served.server): StepSource => stepsFrom(from, options);

describe("steps from lite servers", () => {
  test("equal those of the chain in all fields", async () => {
    // The first steps, and enough of the last ones for the assertions below.
    const steps = [
      ...(await expectStepsOfChain(served, { from: 1, to: 2 })),
      ...(await expectStepsOfChain(served, { from: STEPS - 8, to: STEPS })),
    ];
    const sizes = steps.flatMap(({ shards }) => shards.map(({ queueSize = 0 }) => queueSize));
    expect(Math.max(...sizes)).toBeGreaterThan(10);
    const cells = steps.flatMap(({ accounts }) => accounts.map(({ shardAccount }) => shardAccount));
    const statuses = new Set(
      cells.map((cell) => (cell.refs[0]?.bitLength === 1 ? "deleted" : decodeShardAccount(cell).status)),
    );
    expect([...statuses].sort()).toEqual(["active", "deleted", "frozen", "uninitialized"]);
  });

  test("come from archival servers only if other servers do not have them", async () => {
    const archive = await startLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(8) });
    const archival = parseGlobalConfig(formatGlobalConfig(archive.config())).servers;
    const answers: string[] = [];
    const onEvent = (event: LiteEvent) => {
      if (event.type === "answer") answers.push(`${event.function} ${event.server} ${event.outcome}`);
    };
    const recent = await stepsOf(source({ archival, onEvent }), { from: 14, to: 16 });
    const [name] = answers[0]?.split(" ").slice(1) ?? [];
    expect(answers.filter((answer) => !answer.includes(` ${name} `))).toEqual([]);
    answers.length = 0;
    const behaviours = [refuse(651, "block is not in db", { name: "getBlock" })];
    const pruned = await startFaultyLiteServer({ chain: liteChain(chain), key: serverKey, behaviours });
    const old = await stepsOf(source({ archival, onEvent }, pruned), { from: 14, to: 16 });
    expect(old.map(({ masterchain }) => masterchain.id)).toEqual(recent.map(({ masterchain }) => masterchain.id));
    expect(answers.filter((answer) => answer.startsWith(`getBlock ${name} `))).toContain(`getBlock ${name} missing`);
    expect(answers.filter((answer) => answer.startsWith("getBlock") && answer.endsWith("ok"))).not.toHaveLength(0);
    await pruned.close();
    await archive.close();
  });

  test("begin with the accounts of the zero states", async () => {
    const [lite, local] = [source(), chainSteps(served.directory)];
    const [{ accounts, ...own }, { accounts: others, ...genesis }] = [await lite.genesis(), await local.genesis()];
    expect(own).toEqual(genesis);
    const byAccount = async (from: AsyncIterable<StepAccount>) => {
      const all: string[] = [];
      for await (const account of from) all.push(JSON.stringify(comparableAccount(account)));
      return all.sort();
    };
    expect(await byAccount(accounts())).toEqual(await byAccount(others()));
    expect(await lite.newest()).toBe(STEPS);
    await lite.close();
    await local.close();
  });
});

describe("a source over lite servers", () => {
  test("waits for the next step, and ends with its signal", async () => {
    const lite = source();
    const stop = new AbortController();
    const steps = lite.steps({ from: STEPS }, stop.signal)[Symbol.asyncIterator]();
    expect((await steps.next()).value?.masterchain.id.seqno).toBe(STEPS);
    const next = steps.next();
    await producer.step();
    expect((await next).value?.masterchain.id.seqno).toBe(STEPS + 1);
    const after = steps.next();
    stop.abort(new Error("enough"));
    await expect(after).rejects.toThrow("enough");
    await lite.close();
  });

  test.each([
    ["a block", forgeBoc("getBlock", "data")],
    ["an ancestor of the head", forgeBoc("lookupBlockWithProof", "mcBlockProof")],
    ["a zero state", forgeBoc("getState", "data")],
  ])("yields no step from a forged answer for %s", async (_, behaviour) => {
    const faulty = await startFaultyLiteServer({ chain: liteChain(chain), key: serverKey, behaviours: [behaviour] });
    const lite = source({ timeoutMs: 1_000 }, faulty);
    const read = async () => {
      const { accounts } = await lite.genesis();
      for await (const _account of accounts()) break;
      await stepsOf(lite, { from: 3, to: 3 });
    };
    await expect(read()).rejects.toThrow(LiteError);
    await lite.close();
    await faulty.close();
  });
});
