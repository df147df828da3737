import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cursor, createClient, type TransactionsPage, type WalkInput } from "../../src/index.ts";

interface Server {
  /** Logical times, newest first. */
  history: string[];
  /** Whether a page begins with its cursor. */
  inclusive: boolean;
  /** Whether a page names where the next one starts. */
  named: boolean;
  /** Takes `to_lt` into account, or leaves it to the client. */
  heedsToLt: boolean;
  /** How much shorter than asked for the pages are, one after another. */
  shortBy: number[];
  /** How many items each page repeats from before its cursor, where a server is broken so. */
  repeats: number;
}

const hashOf = (lt: string) => `hash of ${lt}`;
const id = (lt: string) => ({ "@type": "internal.transactionId", lt, hash: hashOf(lt) });

/** A deployment in memory that pages through one history, and the URLs that it was asked. */
function serve({ history, inclusive, named, heedsToLt, shortBy, repeats }: Server) {
  const asked: URLSearchParams[] = [];
  const fetch = async (request: Request) => {
    const query = new URL(request.url).searchParams;
    const [limit, lt, hash, toLt] = ["limit", "lt", "hash", "to_lt"].map((name) => query.get(name));
    expect(hash ?? undefined).toBe(lt ? hashOf(lt) : undefined);
    const at = lt ? history.indexOf(lt) : 0;
    expect(at).toBeGreaterThanOrEqual(0);
    const from = lt && !inclusive ? at + 1 : at;
    // A page always holds something new, where there is something: more a walk cannot ask for.
    const least = lt && inclusive && !named ? 2 : 1;
    const size = Math.max(least, Number(limit ?? 10) - (shortBy[asked.length % shortBy.length] ?? 0));
    asked.push(query);
    const page = history.slice(from, from + size);
    const next = inclusive ? history[from + size] : page.at(-1);
    const shown = heedsToLt && toLt !== "0" ? page.filter((each) => BigInt(each) > BigInt(toLt ?? 0)) : page;
    const repeated = lt ? history.slice(Math.max(0, from - repeats), from) : [];
    return Response.json({
      ok: true,
      result: {
        "@type": "raw.transactions",
        transactions: [...repeated, ...shown].map((each) => ({ "@type": "raw.transaction", transaction_id: id(each) })),
        ...(named && { previous_transaction_id: id(shown.length > 0 ? (next ?? "0") : "0") }),
      },
    });
  };
  return { asked, chain: createClient({ baseUrl: "http://node.invalid", rateLimit: false, fetch }) };
}

const history = fc
  .uniqueArray(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), { maxLength: 40 })
  .map((lts) => lts.sort((a, b) => (a < b ? 1 : -1)).map(String));

const server: fc.Arbitrary<Server> = fc.record({
  history,
  inclusive: fc.boolean(),
  named: fc.boolean(),
  heedsToLt: fc.boolean(),
  shortBy: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 }),
  repeats: fc.constantFrom(0, 0, 1, 3),
});

const pageSize = fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined });

async function walk(model: Server, input: Partial<WalkInput>) {
  const { asked, chain } = serve(model);
  const pages: TransactionsPage[] = [];
  for await (const page of chain.transactions({ address: "0:ab", ...input }).pages()) {
    pages.push(page);
    // A walk that does not end is cut off here, and fails below.
    if (asked.length > 2 * model.history.length + 3) break;
  }
  return { asked, pages, lts: pages.flatMap(({ items }) => items.map((item) => item.transaction_id.lt)) };
}

describe("transactions", () => {
  test("walks through any history without a repetition or a gap, and ends", async () => {
    await fc.assert(
      fc.asyncProperty(server, pageSize, async (model, size) => {
        const { asked, pages, lts } = await walk(model, { pageSize: size });
        expect(lts).toEqual(model.history);
        expect(asked.length).toBeLessThanOrEqual(model.history.length + 2);
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
        server,
        pageSize,
        maxItems,
        fc.option(bound, { nil: undefined }),
        fc.nat(),
        async (model, size, most, drawn, pick) => {
          // Half of the bounds are transactions of the history.
          const toLt = pick % 2 ? BigInt(model.history[pick % Math.max(1, model.history.length)] ?? 0) : drawn;
          const { lts } = await walk(model, { pageSize: size, maxItems: most, toLt });
          const expected = model.history.filter((lt) => BigInt(lt) > (toLt ?? 0n)).slice(0, most);
          expect(lts).toEqual(expected);
        },
      ),
      { numRuns: 400, seed: 1 },
    );
  });

  test("continues from the cursor of any page, cut by maxItems or not", async () => {
    const maxItems = fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(server, pageSize, pageSize, maxItems, async (any, size, later, most) => {
        // Repetitions of a broken server are detected within one walk only.
        const model = { ...any, repeats: 0 };
        const { pages } = await walk(model, { pageSize: size, maxItems: most });
        let before = 0;
        for (const { items, cursor } of pages) {
          before += items.length;
          const rest = model.history.slice(before);
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
      fc.asyncProperty(server, fc.integer({ min: 1, max: 40 }), async (model, taken) => {
        const { asked, chain } = serve(model);
        let items = 0;
        for await (const _ of chain.transactions({ address: "0:ab", pageSize: 5 })) if (++items === taken) break;
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
