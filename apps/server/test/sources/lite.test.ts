/** The heads and queries of a source on a lite client, and when it is not ready. */
import {
  type LiteClient,
  LiteError,
  type LiteHead,
  type LiteReadOptions,
  type LiteServerStatus,
  liteChainReader,
  liteClient,
  readLite,
} from "@chain-query/lite";
import { expect, onTestFinished, test, vi } from "vitest";
import { readError } from "../../src/decorate.ts";
import { budgetOf, QueryBudgets } from "../../src/query-budget.ts";
import { costOf, LiteNetwork, liteWords } from "../../src/sources/lite-network.ts";

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

test("what servers do not have is archival, unless other servers may have it that cannot be asked now", async () => {
  const missing = new LiteError("refused", "state already gc'd", { code: 602 });
  const lost = new LiteError("unavailable", "1 other may have it", { cause: missing, code: 602 });
  const { signal } = new AbortController();
  const fails = (error: LiteError) =>
    readLite({ hasArchive: false }, { at: block(400, 9) }, () => Promise.reject(error), signal).catch((cause: unknown) => {
      throw readError(cause, liteWords, signal);
    });
  await expect(fails(missing)).rejects.toMatchObject({ kind: "archival", message: expect.stringContaining("--lite-archival") });
  await expect(fails(lost)).rejects.toMatchObject({
    kind: "unavailable",
    message: "the lite servers that answer do not have this, and others cannot be asked now",
  });
});

test("the service is not ready some seconds after no server can be asked any more, and ready with the first one", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const first: { state: LiteServerStatus["state"]; archival: boolean } = { state: "ready", archival: false };
  const servers = [first, { state: "failing", archival: false }, { state: "ready", archival: true }];
  const client = { servers, problem: undefined, close: async () => {} } as unknown as LiteClient;
  const network = new LiteNetwork({ client, hasArchive: true }, () => {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(network.unready).toBeUndefined();
  first.state = "quarantined";
  await vi.advanceTimersByTimeAsync(4_000);
  expect(network.unready).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(network.unready).toBe("no lite server is connected: 1 quarantined, 1 failing");
  // Blocks in memory are still read.
  expect(network.problem).toBeUndefined();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(network.problem).toBe(network.unready);
  first.state = "ready";
  expect([network.unready, network.problem]).toEqual([undefined, undefined]);
  await network.close();
});
