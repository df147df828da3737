import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cursor, createClient, ParseError, type TransactionsInput, type TransactionsPage } from "../../src/index.ts";
import { failure, failureOf, json, type Reply, rawAddress, startFaultServer } from "../fault-server.ts";
import { type Behaviour, calm, growingAccount, hashOf } from "../growing-account.ts";

const id = (lt: string) => ({ "@type": "internal.transactionId", lt, hash: hashOf(lt) });
const page = (lts: string[], previous?: string): Reply =>
  json(200, {
    ok: true,
    result: {
      "@type": "raw.transactions",
      transactions: lts.map((lt) => ({ "@type": "raw.transaction", transaction_id: id(lt) })),
      ...(previous !== undefined && { previous_transaction_id: id(previous) }),
    },
  });

async function walked(replies: [Reply, ...Reply[]], input: object = {}) {
  await using server = await startFaultServer(...replies);
  const chain = createClient({ baseUrl: server.url, rateLimit: false });
  const lts: string[] = [];
  for await (const item of chain.transactions({ address: rawAddress, ...input })) lts.push(item.transaction_id.lt);
  const path = `/api/v2/getTransactionsStd?address=${encodeURIComponent(rawAddress)}`;
  return { lts, asked: server.seen.map(({ url }) => url.replace(path, "")) };
}

describe("transactions", () => {
  test.for<[what: string, cursor: object, message: string]>([
    ["hash", { lt: "5", hash: "zz" }, 'hash: got "zz"'],
    ["logical time", { lt: "5x", hash: hashOf("5") }, "5x"],
  ])("blames the service for a %s of the next page that no request can have", async ([, cursor, message]) => {
    const transactions = [{ transaction_id: id("9") }];
    const error = await failureOf(walked([json(200, { ok: true, result: { transactions, previous_transaction_id: cursor } })]));
    expect(error).toBeInstanceOf(ParseError);
    expect(error).toMatchObject({ message: expect.stringContaining(message), status: 200 });
  });

  test("sends nothing before the iteration, and nothing after its end", async () => {
    await using server = await startFaultServer(page(["9", "8"], "7"), page(["7", "6"], "5"));
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    const walk = chain.transactions({ address: rawAddress });
    walk.pages();
    expect(server.seen).toEqual([]);
    for await (const _ of walk) break;
    // A request for the next page would arrive before this one.
    await chain.getConsensusBlock();
    expect(server.seen.map(({ url }) => url.replace(/\?.*/, ""))).toEqual([
      "/api/v2/getTransactionsStd",
      "/api/v2/getConsensusBlock",
    ]);
  });

  test("requests two transactions if a page of one could repeat the last one", async () => {
    const { asked } = await walked([page(["9"]), page(["9", "8"]), page(["8"])], { pageSize: 1 });
    expect(asked).toEqual(["&limit=1", `&limit=2&lt=9&hash=${hashOf("9")}`, `&limit=2&lt=8&hash=${hashOf("8")}`]);
  });

  test.for<[string, [Reply, ...Reply[]], string[], number]>([
    ["an empty page", [page([])], [], 1],
    ["an empty page that names another", [page([], "5")], [], 1],
    ["lt 0", [page(["9"], "0")], ["9"], 1],
    ["a cursor that does not get older", [page(["9"], "8"), page(["8"], "8")], ["9", "8"], 2],
    ["a cursor that gets newer", [page(["9"], "8"), page(["8"], "9")], ["9", "8"], 2],
    ["a server that repeats itself", [page(["9", "8"])], ["9", "8"], 2],
  ])("stops at %s", async ([, replies, expected, requests]) => {
    const { lts, asked } = await walked(replies);
    expect(lts).toEqual(expected);
    expect(asked).toHaveLength(requests);
  });

  test("sends toLt and archival with each page, and requests none below toLt", async () => {
    const { lts, asked } = await walked([page(["9", "8"], "7"), page(["7", "6"], "5")], { toLt: 5n, archival: true });
    expect(lts).toEqual(["9", "8", "7", "6"]);
    expect(asked).toEqual(["&to_lt=5&archival=true", `&lt=7&hash=${hashOf("7")}&to_lt=5&archival=true`]);
  });

  test("sends nothing for no items", async () => {
    expect(await walked([page(["9"])], { maxItems: 0 })).toEqual({ lts: [], asked: [] });
  });

  test("yields the items read so far, then throws the error of the call", async () => {
    await using server = await startFaultServer(page(["9"], "8"), failure(500, "lt not in db"));
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    const walk = chain.transactions({ address: rawAddress })[Symbol.asyncIterator]();
    expect((await walk.next()).value).toMatchObject({ transaction_id: { lt: "9" } });
    expect(await failureOf(walk.next())).toMatchObject({
      operation: "getTransactionsStd",
      message: expect.stringContaining("archival: true"),
    });
    expect(await walk.next()).toEqual({ done: true, value: undefined });
  });

  test("takes the options of a call, its signal among them", async () => {
    await using server = await startFaultServer(page(["9"], "8"), page(["8"], "7"));
    const controller = new AbortController();
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    const walk = chain.transactions({ address: rawAddress }, { signal: controller.signal, headers: { "x-one": "1" } });
    const left = failureOf(
      (async () => {
        for await (const _ of walk) controller.abort("enough");
      })(),
    );
    expect(await left).toMatchObject({ code: "ABORTED", cause: "enough" });
    expect(server.seen.map(({ headers }) => headers["x-one"])).toEqual(["1"]);
  });

  test("can be walked again from its start", async () => {
    await using server = await startFaultServer(page(["9"], "0"));
    const walk = createClient({ baseUrl: server.url, rateLimit: false }).transactions({ address: rawAddress });
    for (let round = 0; round < 2; round++) for await (const item of walk) expect(item.transaction_id.lt).toBe("9");
    expect(server.seen).toHaveLength(2);
  });
});

describe("a walk over odd pages", () => {
  const entry = (lt: string) => ({ transaction_id: id(lt) });
  const odd = (result: object) => json(200, { ok: true, result });

  test("yields each transaction once, though a page repeats some and is out of order", async () => {
    const { lts } = await walked([page(["30", "30", "10", "20"], "10"), page(["10", "5"]), page([])]);
    expect(lts).toEqual(["30", "10", "20", "5"]);
  });

  test("yields all items of a page that is out of order", async () => {
    const { lts } = await walked([page(["8", "9", "7"], "6"), page(["4", "5", "6"], "0")]);
    expect(lts).toEqual(["8", "9", "7", "4", "5", "6"]);
  });

  test.for([
    ["an empty object", {}],
    ["no list", { transactions: null }],
    ["an item without its id", { transactions: [{}] }],
    ["an lt that is not a number", { transactions: [{ transaction_id: { lt: "abc", hash: "" } }] }],
    ["a cursor without lt", { transactions: [entry("1")], previous_transaction_id: { hash: "" } }],
  ] as const)("ends in a ParseError for %s", async ([, result]) => {
    expect(await failureOf(walked([odd(result)]))).toBeInstanceOf(ParseError);
  });

  test.for<[input: object | undefined, message: string]>([
    ...[{}, { lt: "5" }, { lt: "x", hash: "h" }, { lt: "5", hash: 1 }].map((cursor): [object, string] => [
      { address: "a", cursor },
      "transactions: cursor",
    ]),
    [undefined, "address must be a string, got undefined"],
  ])("rejects the input %j before any request", async ([input, message]) => {
    await using server = await startFaultServer(page([]));
    const walk = createClient({ baseUrl: server.url }).transactions(input as never);
    await expect(walk[Symbol.asyncIterator]().next()).rejects.toThrow(message);
    expect(server.seen).toEqual([]);
  });
});

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

async function walkOf(model: Behaviour, input: Partial<TransactionsInput>) {
  const { requests: asked, chain } = growingAccount(model);
  const pages: TransactionsPage[] = [];
  for await (const page of chain.transactions({ address: rawAddress, ...input }).pages()) {
    pages.push(page);
    // A walk that does not end is cut off here, and fails below.
    if (asked.length > 2 * model.lts.length + 3) break;
  }
  return { asked, pages, lts: pages.flatMap(({ items }) => items.map((item) => item.transaction_id.lt)) };
}

describe("a walk through any history", () => {
  test("walks through any history without a repetition or a gap, and ends", async () => {
    await fc.assert(
      fc.asyncProperty(account, pageSize, async (model, size) => {
        const { asked, pages, lts } = await walkOf(model, { pageSize: size });
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
          const { lts } = await walkOf(model, { pageSize: size, maxItems: most, toLt });
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
        const { pages } = await walkOf(model, { pageSize: size, maxItems: most });
        let before = 0;
        for (const { items, cursor } of pages) {
          before += items.length;
          const rest = newestFirst(model).slice(before);
          if (cursor === undefined) {
            expect(rest).toEqual([]);
            continue;
          }
          const kept = JSON.parse(JSON.stringify(cursor)) as Cursor;
          expect((await walkOf(model, { pageSize: later, cursor: kept })).lts).toEqual(rest);
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
        if (items === taken) expect((await walkOf(model, { pageSize: 5, maxItems: taken })).asked.length).toBe(after);
        for (const query of asked) expect(query.has("lt")).toBe(query.has("hash"));
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});
