import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { InvalidArgumentError, type WatchTransactionsOptions, watchTransactions, withBigints } from "../../src/index.ts";
import { failureOf, rawAddress } from "../fault-server.ts";
import { type Behaviour, calm, growingAccount, hashOf } from "../growing-account.ts";

beforeAll(() => {
  vi.stubGlobal("setTimeout", setImmediate);
  vi.stubGlobal("clearTimeout", clearImmediate);
});
afterAll(() => void vi.unstubAllGlobals());

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
});
