import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { InvalidArgumentError, type WatchTransactionsOptions, watchTransactions, withBigints } from "../../src/index.ts";
import { failureOf, rawAddress } from "../fault-server.ts";
import { type Behaviour, calm, elementFor, growingAccount, hashOf } from "../growing-account.ts";

// Pauses take no time; the client of these tests has no timeouts.
beforeAll(() => {
  vi.stubGlobal("setTimeout", setImmediate);
  vi.stubGlobal("clearTimeout", clearImmediate);
});
afterAll(() => void vi.unstubAllGlobals());

const list = <Value>(of: fc.Arbitrary<Value>) => fc.array(of, { minLength: 1, maxLength: 6 });
const few = fc.integer({ min: 0, max: 4 });

const lts = fc
  .uniqueArray(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 40 })
  .map((drawn) => drawn.sort((a, b) => (a < b ? -1 : 1)).map(String));

const behaviour: fc.Arbitrary<Behaviour> = lts.chain((history) =>
  fc
    .record({
      lts: fc.constant(history),
      atFirst: fc.integer({ min: 0, max: history.length }),
      // Some requests find something new, and some succeed.
      growth: list(few).map((drawn) => [...drawn, 1]),
      lag: list(few).map((drawn) => [...drawn, 0]),
      failures: list(fc.constantFrom(undefined, undefined, 0, 429, 502, 503, 500)).map((drawn) => [...drawn, undefined]),
      pruned: fc.constantFrom(0, 0, 3, 30),
      inclusive: fc.boolean(),
      named: fc.boolean(),
      appliesToLt: fc.boolean(),
      reversed: fc.boolean(),
      shortBy: list(few),
      repeats: fc.constant(0),
    })
    // Without a name the last transaction of a page is the start of the next: its order matters, and a page that the retention ends looks
    // like the last one of the history.
    .map((drawn) => (drawn.named ? drawn : { ...drawn, reversed: false, pruned: 0 })),
);

/** How many transactions each iteration takes before a restart, and with which page size. */
const sittings = list(fc.record({ taken: fc.integer({ min: 1, max: 15 }), pageSize: fc.integer({ min: 1, max: 12 }) }));

const idOf = (lt: string) => ({ lt, hash: hashOf(lt) });
const longHistory = Array.from({ length: 5_500 }, (_, index) => String(index + 1));

async function watched(behaviour: Partial<Behaviour>, options: WatchTransactionsOptions, count: number) {
  const { chain, requests } = growingAccount({ ...calm, ...behaviour });
  const lts: string[] = [];
  for await (const { transaction_id: id } of watchTransactions(chain, rawAddress, options)) {
    if (lts.push(id.lt) === count) break;
  }
  return { lts, requests: requests.map((query) => Object.fromEntries(query)) };
}

describe("watchTransactions", () => {
  test("requests one page of new transactions, and once more the last transaction", async () => {
    const { lts, requests } = await watched({ lts: ["5", "6", "7"], atFirst: 3 }, { from: idOf("5") }, 2);
    expect(lts).toEqual(["6", "7"]);
    expect(requests).toEqual([{ address: rawAddress, limit: "100", to_lt: "4" }]);
  });

  test("yields bigints of a client that has them", async () => {
    const { chain } = growingAccount({ ...calm, lts: ["8", "9", "10", "11"], atFirst: 3, growth: [0, 1] });
    const lts: bigint[] = [];
    for await (const { transaction_id: id } of watchTransactions(withBigints(chain), rawAddress, {
      from: idOf("8"),
      pageSize: 2,
    })) {
      if (lts.push(id.lt) === 3) break;
    }
    expect(lts).toEqual([9n, 10n, 11n]);
  });

  test("keeps some thousand transactions in memory, and reads others again", async () => {
    const options = { from: "start", pageSize: 500 } as const;
    const { lts, requests } = await watched({ lts: longHistory, atFirst: 5_500 }, options, 5_500);
    expect(lts).toEqual(longHistory);
    expect(requests.length).toBeGreaterThan(11);
    expect(requests.length).toBeLessThan(22);
  });

  test("continues after a failure in the middle of many pages", async () => {
    const behaviour = { lts: longHistory, atFirst: 5_500, failures: [undefined, undefined, 503] };
    const { lts, requests } = await watched(behaviour, { from: "start", pageSize: 500 }, 5_500);
    expect(lts).toEqual(longHistory);
    expect(requests.filter(({ lt }) => lt === undefined).length).toBeLessThan(4);
  });

  test("requests only transactions beyond the history of a node from the archive", async () => {
    const behaviour = { lts: ["5", "6", "7", "8"], atFirst: 3, growth: [0, 0, 0, 0, 0, 1], pruned: 2 };
    const { lts, requests } = await watched(behaviour, { from: idOf("5"), pageSize: 1 }, 3);
    expect(lts).toEqual(["6", "7", "8"]);
    expect(requests[0]).not.toHaveProperty("archival");
    expect(requests).toContainEqual(expect.objectContaining({ lt: "6", archival: "true" }));
    expect(requests.at(-1)).not.toHaveProperty("archival");
  });

  test.for<[string, string[], WatchTransactionsOptions]>([
    ["whose history ends after `from`", ["7", "8"], { from: idOf("5") }],
    ["whose history passes over `from`", ["3", "7", "8"], { from: idOf("5") }],
    ["that has another transaction at that time", ["5", "7", "8"], { from: { lt: "5", hash: "A".repeat(44) } }],
  ])("ends with an error instead of a gap at an account %s", async ([, lts, options]) => {
    const { chain } = growingAccount({ ...calm, lts, atFirst: 3 });
    const error = await failureOf(watchTransactions(chain, rawAddress, options)[Symbol.asyncIterator]().next());
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(String(error)).toMatch(
      /from must be a transaction in the history of 0:abababababababababababababababababababababababababababababababab, got lt 5$/,
    );
  });

  test("rejects an invalid cursor before any request", async () => {
    const { chain, requests } = growingAccount(calm);
    for (const from of [{ lt: "x", hash: "" }, { lt: 5 }, "begin", 5, {}]) {
      const watching = async () => watchTransactions(chain, rawAddress, { from } as never);
      expect(await failureOf(watching())).toBeInstanceOf(InvalidArgumentError);
    }
    expect(requests).toEqual([]);
  });

  test("yields each transaction once, oldest first, over growth, failures, lag and restarts", { timeout: 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(behaviour, sittings, fc.nat(), async (model, each, pick) => {
        const { chain } = growingAccount(model);
        const first = pick % (Math.min(model.atFirst, model.lts.length) + 1);
        const expected = model.lts.slice(first);
        const before = model.lts[first - 1];
        let from: { lt: string; hash: string } | "start" = before ? { lt: before, hash: hashOf(before) } : "start";
        const seen: string[] = [];
        for (let sitting = 0; seen.length < expected.length; sitting++) {
          const { taken, pageSize } = each[sitting % each.length] ?? { taken: 1, pageSize: 1 };
          let left = Math.min(taken, expected.length - seen.length);
          for await (const { transaction_id: id } of watchTransactions(chain, rawAddress, { from, pageSize })) {
            seen.push(id.lt);
            from = JSON.parse(JSON.stringify(id));
            if (--left === 0) break;
          }
        }
        expect(seen).toEqual(expected);
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  test("without `from` yields transactions after its first poll", { timeout: 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(lts, few, list(few), async (history, atFirst, growth) => {
        const model = { ...calm, lts: history, atFirst, growth: [...growth, 1] };
        const { chain } = growingAccount(model);
        const expected = history.slice(Math.min(history.length, atFirst + elementFor(0, model.growth)));
        const seen: string[] = [];
        if (expected.length > 0) {
          for await (const { transaction_id: id } of watchTransactions(chain, rawAddress)) {
            if (seen.push(id.lt) === expected.length) break;
          }
        }
        expect(seen).toEqual(expected);
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});
