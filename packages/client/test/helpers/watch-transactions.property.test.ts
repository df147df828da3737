import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { watchTransactions } from "../../src/index.ts";
import { rawAddress } from "../fault-server.ts";
import { type Behaviour, calm, elementFor, growingAccount, hashOf } from "../growing-account.ts";

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

// Pauses take no time; the client of these tests has no timeouts.
beforeAll(() => {
  vi.stubGlobal("setTimeout", setImmediate);
  vi.stubGlobal("clearTimeout", clearImmediate);
});
afterAll(() => void vi.unstubAllGlobals());

describe("watchTransactions", () => {
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
