import type { ChainTransaction } from "@chain-query/format/store";
import { describe, expect, test } from "vitest";
import { ask, resultOf } from "../fixtures/ask.ts";
import { busiestAddress, knownChain, longestHistory, rawAddress } from "../fixtures/chain.ts";
import { sharedService } from "../fixtures/service.ts";

const service = sharedService();
const history = longestHistory();
const address = busiestAddress();

const lts = (transactions: readonly { transaction_id: { lt: string } }[]): string[] =>
  transactions.map(({ transaction_id }) => transaction_id.lt);
const ltsOf = (transactions: readonly ChainTransaction[]): string[] => transactions.map(({ id }) => String(id.lt));
const at = (index: number): { lt: string; hash: string } => {
  const one = history[index];
  if (one === undefined) throw new Error(`the longest history has no ${index}`);
  return { lt: String(one.id.lt), hash: Buffer.from(one.id.hash).toString("hex") };
};

describe("getTransactionsStd", () => {
  test("lists every history of the chain page by page", async () => {
    for (const known of knownChain().histories.slice(0, 40)) {
      const [newest] = known;
      if (newest === undefined) continue;
      const seen: string[] = [];
      // From its newest transaction on, a deleted account has a history too.
      const isDeleted = knownChain().reader.account(newest.account)?.last.lt === 0n;
      const { lt: newestLt, hash: newestHash } = newest.id;
      let start: object = isDeleted ? { lt: String(newestLt), hash: Buffer.from(newestHash).toString("base64") } : {};
      for (;;) {
        const page = await resultOf(service.url, "getTransactionsStd", {
          address: rawAddress(newest.account),
          limit: 7,
          ...start,
        });
        seen.push(...lts(page.transactions));
        const { lt, hash } = page.previous_transaction_id;
        if (lt === "0") {
          expect(hash).toBe(`${"A".repeat(43)}=`);
          break;
        }
        start = { lt, hash };
      }
      expect(seen).toEqual(ltsOf(known));
    }
  });

  test("returns ten transactions by default, and a thousand at most", async () => {
    expect(history.length).toBeGreaterThan(20);
    expect(lts((await resultOf(service.url, "getTransactionsStd", { address })).transactions)).toEqual(
      ltsOf(history.slice(0, 10)),
    );
    const whole = await resultOf(service.url, "getTransactionsStd", { address, limit: 1000 });
    expect(lts(whole.transactions)).toEqual(ltsOf(history));
  });

  test("starts at lt and hash, in each form of a hash", async () => {
    const { lt, hash } = at(4);
    const bytes = Buffer.from(hash, "hex");
    const forms = [hash, hash.toUpperCase(), bytes.toString("base64"), `${bytes.toString("base64url")}=`];
    for (const form of forms) {
      const { transactions } = await resultOf(service.url, "getTransactionsStd", { address, lt, hash: form, limit: 2 });
      expect(lts(transactions)).toEqual(ltsOf(history.slice(4, 6)));
    }
  });

  test("leaves out transactions at or below to_lt", async () => {
    const bound = async (to_lt: string) =>
      lts((await resultOf(service.url, "getTransactionsStd", { address, ...at(2), to_lt })).transactions);
    expect(await bound(at(5).lt)).toEqual(ltsOf(history.slice(2, 5)));
    expect(await bound(String(BigInt(at(5).lt) - 1n))).toEqual(ltsOf(history.slice(2, 6)));
    expect(await bound(at(2).lt)).toEqual([]);
    expect(await bound("0")).toEqual(ltsOf(history.slice(2, 12)));
  });

  test("returns an empty page for an unknown account", async () => {
    const page = await resultOf(service.url, "getTransactionsStd", { address: `0:${"17".repeat(32)}` });
    expect([page.transactions, page.previous_transaction_id.lt]).toEqual([[], "0"]);
  });

  test("refuses a start that is not a transaction of the account", async () => {
    const { lt, hash } = at(3);
    const other = await ask(service.url, "getTransactionsStd", { address, lt, hash: at(4).hash });
    expect(other.body).toMatchObject({
      code: 404,
      error: `transaction was not found: the account has none with lt ${lt} and this hash`,
    });
    const between = await ask(service.url, "getTransactionsStd", { address, lt: String(BigInt(lt) + 1n), hash });
    expect(between.status).toBe(404);
  });

  test("returns a cached page only if the start has the right hash", async () => {
    const { lt, hash } = at(6);
    const page = await resultOf(service.url, "getTransactionsStd", { address, lt, hash, limit: 4 });
    expect(await resultOf(service.url, "getTransactionsStd", { address, lt, hash, limit: 4 })).toEqual(page);
    expect((await ask(service.url, "getTransactionsStd", { address, lt, hash: at(7).hash, limit: 4 })).status).toBe(404);
    expect((await ask(service.url, "getTransactionsStd", { address, lt: "0", hash, limit: 4 })).status).toBe(404);
  });
});

describe("archival history", () => {
  const retention = 100;
  const young = sharedService({ retention });

  const isRecent = ({ time }: ChainTransaction): boolean => time >= knownChain().reader.head().block.time - retention;

  test("is refused as a start, with a hint to archival=true", async () => {
    const old = history.findIndex((one) => !isRecent(one));
    expect(old).toBeGreaterThan(0);
    const { body } = await ask(young.url, "getTransactionsStd", { address, ...at(old) });
    expect(body).toMatchObject({
      code: 500,
      error: `lt ${at(old).lt} is not in this node's history, use archival=true to reach it`,
    });
    const unknown = await ask(young.url, "getTransactionsStd", { address, lt: "1", hash: at(0).hash });
    expect(unknown.body).toMatchObject({ code: 500, error: expect.stringContaining("archival=true") });
  });

  test("ends a page early, with a cursor that works with archival=true", async () => {
    const recent = history.filter(isRecent);
    const page = await resultOf(young.url, "getTransactionsStd", { address, limit: 1000 });
    expect(lts(page.transactions)).toEqual(ltsOf(recent));
    const { lt, hash } = page.previous_transaction_id;
    expect(lt).toBe(at(recent.length).lt);
    expect((await ask(young.url, "getTransactionsStd", { address, lt, hash })).status).toBe(500);
    const rest = await resultOf(young.url, "getTransactionsStd", { address, lt, hash, archival: true, limit: 1000 });
    expect(lts(rest.transactions)).toEqual(ltsOf(history.slice(recent.length)));
  });

  test("is included with archival=true", async () => {
    const page = await resultOf(young.url, "getTransactionsStd", { address, archival: true, limit: 1000 });
    expect(lts(page.transactions)).toEqual(ltsOf(history));
  });
});
