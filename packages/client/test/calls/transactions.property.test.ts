import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cursor, TransactionsInput, TransactionsPage } from "../../src/index.ts";
import { rawAddress } from "../fault-server.ts";
import { type Behaviour, calm, growingAccount } from "../growing-account.ts";

const lts = fc
  .uniqueArray(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), { maxLength: 40 })
  .map((drawn) => drawn.sort((a, b) => (a < b ? -1 : 1)).map(String));

/** A history that has ended, paged in any way. */
const account: fc.Arbitrary<Behaviour> = fc
  .record({
    lts,
    inclusive: fc.boolean(),
    named: fc.boolean(),
    appliesToLt: fc.boolean(),
    shortBy: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 }),
    repeats: fc.constantFrom(0, 0, 1, 3),
  })
  .map((drawn) => ({ ...calm, ...drawn, atFirst: drawn.lts.length }));

const pageSize = fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined });
const newestFirst = ({ lts }: Behaviour) => lts.toReversed();

async function walk(model: Behaviour, input: Partial<TransactionsInput>) {
  const { requests: asked, chain } = growingAccount(model);
  const pages: TransactionsPage[] = [];
  for await (const page of chain.transactions({ address: rawAddress, ...input }).pages()) {
    pages.push(page);
    // A walk that does not end is cut off here, and fails below.
    if (asked.length > 2 * model.lts.length + 3) break;
  }
  return { asked, pages, lts: pages.flatMap(({ items }) => items.map((item) => item.transaction_id.lt)) };
}

describe("transactions", () => {
  test("walks through any history without a repetition or a gap, and ends", async () => {
    await fc.assert(
      fc.asyncProperty(account, pageSize, async (model, size) => {
        const { asked, pages, lts } = await walk(model, { pageSize: size });
        expect(lts).toEqual(newestFirst(model));
        expect(asked.length).toBeLessThanOrEqual(model.lts.length + 2);
        expect(pages.every(({ items }) => items.length > 0)).toBe(true);
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  test("ends at maxItems and toLt", async () => {
    const bound = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    const maxItems = fc.option(fc.integer({ min: 0, max: 45 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        account,
        pageSize,
        maxItems,
        fc.option(bound, { nil: undefined }),
        fc.nat(),
        async (model, size, most, drawn, pick) => {
          // Half of the bounds are transactions of the history.
          const toLt = pick % 2 ? BigInt(model.lts[pick % Math.max(1, model.lts.length)] ?? 0) : drawn;
          const { lts } = await walk(model, { pageSize: size, maxItems: most, toLt });
          const expected = newestFirst(model)
            .filter((lt) => BigInt(lt) > (toLt ?? 0n))
            .slice(0, most);
          expect(lts).toEqual(expected);
        },
      ),
      { numRuns: 400, seed: 1 },
    );
  });

  test("continues from the cursor of any page, cut by maxItems or not", async () => {
    const maxItems = fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(account, pageSize, pageSize, maxItems, async (any, size, later, most) => {
        // Repetitions of a broken server are detected within one walk only.
        const model = { ...any, repeats: 0 };
        const { pages } = await walk(model, { pageSize: size, maxItems: most });
        let before = 0;
        for (const { items, cursor } of pages) {
          before += items.length;
          const rest = newestFirst(model).slice(before);
          if (cursor === undefined) {
            expect(rest).toEqual([]);
            continue;
          }
          const kept = JSON.parse(JSON.stringify(cursor)) as Cursor;
          expect((await walk(model, { pageSize: later, cursor: kept })).lts).toEqual(rest);
        }
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test("sends lt and hash together and requests no page after the last needed one", async () => {
    await fc.assert(
      fc.asyncProperty(account, fc.integer({ min: 1, max: 40 }), async (model, taken) => {
        const { requests: asked, chain } = growingAccount(model);
        let items = 0;
        for await (const _ of chain.transactions({ address: rawAddress, pageSize: 5 })) if (++items === taken) break;
        const after = asked.length;
        await new Promise((resolve) => setImmediate(resolve));
        expect(asked.length).toBe(after);
        if (items === taken) expect((await walk(model, { pageSize: 5, maxItems: taken })).asked.length).toBe(after);
        for (const query of asked) expect(query.has("lt")).toBe(query.has("hash"));
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});
