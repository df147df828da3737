/** The heads and queries of a source on a lite client. */
import {
  type LiteClient,
  LiteError,
  type LiteHead,
  type LiteReadOptions,
  liteChainReader,
  liteClient,
  readLite,
} from "@chain-query/lite";
import { expect, test } from "vitest";
import { readError } from "../../src/decorate.ts";
import { budgetOf, QueryBudgets } from "../../src/query-budget.ts";
import { costOf, liteWords } from "../../src/sources/lite-network.ts";

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

test("the head does not go back, and nothing is read while the client has none", async () => {
  const zeroState = block(0, 0);
  const config = { servers: [], zeroState, initBlock: zeroState, hardforks: [], warnings: [] };
  await using real = liteClient(config);
  const client: LiteClient = { ...real, head: headOf(400, 9) };
  const network = { client, hasArchive: false, problem: undefined, close: async () => {} };
  const source = liteChainReader({ network, costOf });
  const { signal } = new AbortController();
  const seqno = async () => (await source.head(signal)).block.id.seqno;
  expect(await seqno()).toBe(400);
  await nextTick();
  network.client = { ...real, head: headOf(399, 9) };
  expect(await seqno()).toBe(400);
  await nextTick();
  network.client = { ...real, head: headOf(401, 9) };
  expect(await seqno()).toBe(401);
  await nextTick();
  network.client = { ...real, head: undefined, problem: "validators have signed two chains" };
  expect(() => source.head(signal)).toThrow("validators have signed two chains");
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
  const source = liteChainReader({ network, costOf });
  const account = { workchain: 0, hash: new Uint8Array(32) };
  const budgets = new QueryBudgets({ rate: () => 10, hasShares: true, onEnd: () => {}, onRefusal: () => {} });
  const at = await source.head(new AbortController().signal);
  const find = (signal: AbortSignal) =>
    source.findReceiver({ source: account, destination: account, createdLt: 1n }, at, signal);
  const signals = ["192.0.2.1", undefined].map((client) => {
    const { signal } = new AbortController();
    budgets.begin(signal, { operation: "tryLocateResultTx", client, until: () => Number.POSITIVE_INFINITY });
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
    expect(await readLite({ hasArchive: true }, { at }, run, signal)).toBe("found");
    await expect(readLite({ hasArchive: true }, { at, mayUseArchive: false }, run, signal)).rejects.toThrow();
  }
  const fails = (error: LiteError) =>
    readLite({ hasArchive: false }, { at }, () => Promise.reject(error), signal).catch((cause: unknown) => {
      throw readError(cause, liteWords, signal);
    });
  await expect(fails(missing)).rejects.toMatchObject({ kind: "archival", message: expect.stringContaining("--lite-archival") });
  await expect(fails(lost)).rejects.toMatchObject({
    kind: "unavailable",
    message: "the lite servers that answer do not have this, and others cannot be asked now",
  });
});
