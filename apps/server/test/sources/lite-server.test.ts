/** A head that the lite client gives up, for one of another chain. */
import { type LiteClient, LiteError, type LiteHead, type LiteReadOptions, liteClient } from "@chain-query/lite-client";
import { expect, test } from "vitest";
import { budgetOf, QueryBudgets } from "../../src/query-budget.ts";
import { liteServerSource, readLite } from "../../src/sources/lite-server.ts";
import { newestTips } from "../../src/sources/newest-tips.ts";

const block = (seqno: number, fill: number): LiteHead["block"] => ({
  workchain: -1,
  shard: -(2n ** 63n),
  seqno,
  rootHash: new Uint8Array(32).fill(fill),
  fileHash: new Uint8Array(32).fill(fill),
});
const headOf = (seqno: number, fill: number): LiteHead => ({
  ...{ block: block(seqno, fill), time: 1_700_000_000, endLt: 5n, stateRootHash: new Uint8Array(32) },
});

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

test("is refused, and followed by an older head", async () => {
  const zeroState = block(0, 0);
  const config = { servers: [], zeroState, initBlock: zeroState, hardforks: [], warnings: [] };
  await using real = liteClient(config);
  const client: { -readonly [Name in keyof LiteClient]: LiteClient[Name] } = { ...real, head: headOf(400, 9), resets: 0 };
  const network = { client, hasArchive: false, problem: undefined, close: async () => {} };
  const source = liteServerSource({ network, tips: newestTips(({ block: { seqno } }) => seqno) });
  const { signal } = new AbortController();
  const seqno = async () => (await source.head(signal)).block.id.seqno;
  expect([await seqno(), source.era?.()]).toEqual([400, 0]);

  await nextTick();
  client.head = undefined;
  client.problem = "block 400 was given up";
  expect(() => source.head(signal)).toThrow("block 400 was given up");
  await expect(source.shards(signal)).rejects.toThrow("block 400 was given up");

  client.head = headOf(263, 1);
  client.resets = 1;
  client.problem = undefined;
  expect([await seqno(), source.era?.()]).toEqual([263, 1]);
  await nextTick();
  client.head = headOf(262, 1);
  expect([await seqno(), source.era?.()]).toEqual([263, 1]);
});

test("the queries of a request without a key come last, and so do those of no request", async () => {
  const zeroState = block(0, 0);
  await using real = liteClient({ servers: [], zeroState, initBlock: zeroState, hardforks: [], warnings: [] });
  const asked: LiteReadOptions[] = [];
  const findReceiver: LiteClient["findReceiver"] = async (_, options = {}) => {
    asked.push(options);
    return undefined;
  };
  const network = {
    client: { ...real, head: headOf(400, 9), findReceiver },
    hasArchive: true,
    problem: undefined,
    close: async () => {},
  };
  const source = liteServerSource({ network, tips: newestTips(({ block: { seqno } }) => seqno) });
  const account = { workchain: 0, hash: new Uint8Array(32) };
  const budgets = new QueryBudgets({ limit: 7, rate: () => 10, hasShares: true, onEnd: () => {}, onRefusal: () => {} });
  const find = (signal: AbortSignal) => source.findReceiver({ source: account, destination: account, createdLt: 1n }, signal);
  const signals = ["192.0.2.1", undefined].map((client) => {
    const { signal } = new AbortController();
    budgets.begin(signal, { operation: "tryLocateResultTx", client, until: Number.POSITIVE_INFINITY });
    return signal;
  });
  for (const signal of [...signals, new AbortController().signal]) await find(signal);
  expect(asked.map(({ budget, yields }) => [budget, yields])).toEqual([
    [budgetOf(signals[0] ?? expect.unreachable()), true],
    [budgetOf(signals[1] ?? expect.unreachable()), false],
    [undefined, true],
  ]);
});

test("archival servers are asked if one server lacks the data, also beside one that cannot be asked", async () => {
  const missing = new LiteError("refused", "state already gc'd", { code: 602 });
  const lost = new LiteError("unavailable", "1 other may have it", { cause: missing, code: 602 });
  const { signal } = new AbortController();
  const at = block(400, 9);
  for (const error of [missing, lost]) {
    const run = async ({ archival }: LiteReadOptions) => (archival ? "found" : Promise.reject(error));
    expect(await readLite({ hasArchive: true }, at, run, signal)).toBe("found");
    await expect(readLite({ hasArchive: true }, at, run, signal, false)).rejects.toThrow();
  }
  const fails = (error: LiteError) => readLite({ hasArchive: false }, at, () => Promise.reject(error), signal);
  await expect(fails(missing)).rejects.toMatchObject({ kind: "archival", message: expect.stringContaining("--lite-archival") });
  await expect(fails(lost)).rejects.toMatchObject({
    kind: "unavailable",
    message: "the lite servers that answer do not have this, and others cannot be asked now",
  });
});
