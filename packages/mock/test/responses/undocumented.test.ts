import { afterAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/index.ts";
import { example, get, post, send } from "../calls.ts";

const alice = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const aliceRaw = "0:46ad41228bf0273f98591e88aea5cfde3d616762109b062122355abaf808e57e";
const bob = "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz";
const stranger = `0:${"ab".repeat(32)}`;
const strangerFriendly = "EQCrq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq8Uk";

const mock = await startMock();
afterAll(() => mock.close());

describe("a request without an example", () => {
  test("lookupBlock repeats workchain, shard and seqno", async () => {
    const { body } = await post(mock, "lookupBlock", { workchain: "0", shard: "-1", seqno: "77" });
    expect(body.result).toMatchObject({ "@type": "chain.blockIdExt", workchain: 0, shard: "-1", seqno: 77 });
  });

  test.for(["lt", "unixtime"])("lookupBlock by %s repeats workchain and shard", async (selector) => {
    const { body } = await post(mock, "lookupBlock", { workchain: 0, shard: "-1", [selector]: 77 });
    expect(body.result).toMatchObject({ workchain: 0, shard: "-1", seqno: expect.any(Number) });
  });

  test("getAddressInformation repeats the requested seqno", async () => {
    const { body } = await post(mock, "getAddressInformation", { address: stranger, seqno: "77" });
    expect(body.result).toMatchObject({ block_id: { workchain: -1, seqno: 77 } });
  });

  test("past the head is found if the request prefers that", async () => {
    const past = { workchain: -1, shard: "-9223372036854775808", seqno: 841 };
    expect((await post(mock, "lookupBlock", past)).status).toBe(404);
    expect((await post(mock, "lookupBlock", past, { prefer: "code=200" })).status).toBe(200);
  });

  test("tryLocateResultTx repeats the message, and the transaction is later and the recipient's", async () => {
    const created_lt = "5000000000000000002";
    const { body } = await get(mock, "tryLocateResultTx", { source: bob, destination: stranger, created_lt });
    expect(body.result).toMatchObject({
      address: { account_address: strangerFriendly },
      account: stranger.toUpperCase(),
      transaction_id: { lt: "5000000000002000001" },
      in_msg: { source: bob, destination: strangerFriendly, created_lt },
    });
  });

  test("tryLocateSourceTx repeats the message, and the transaction is earlier and the sender's", async () => {
    const { body } = await post(mock, "tryLocateSourceTx", { source: stranger, destination: bob, created_lt: "77" });
    expect(body.result).toMatchObject({
      account: stranger.toUpperCase(),
      transaction_id: { lt: "76" },
      in_msg: { source: "", destination: strangerFriendly },
      out_msgs: [{ source: strangerFriendly, destination: bob, created_lt: "77" }],
    });
  });

  test("repeats the caller's @extra, from a body and from a query", async () => {
    const { body } = await post(mock, "getConsensusBlock", { "@extra": "mine" });
    expect(body).toMatchObject({ ok: true, "@extra": "mine" });
    expect((await post(mock, "getConsensusBlock?@extra=mine", {})).body["@extra"]).toBe("mine");
    expect((await get(mock, "getTransactionsStd", { "@extra": "mine", address: "x" })).body["@extra"]).toBe("mine");
  });
});

describe("getTransactionsStd", () => {
  interface Page {
    transactions: {
      address: { account_address: string };
      transaction_id: { lt: string; hash: string };
      in_msg: { created_lt: string; destination: { account_address: string } };
      out_msgs: { created_lt: string; source: { account_address: string } }[];
    }[];
    previous_transaction_id: { lt: string; hash: string };
  }
  const list = async (query: Record<string, string>): Promise<Page> =>
    (await get(mock, "getTransactionsStd", query)).body.result as Page;
  const lts = ({ transactions }: Page): string[] => transactions.map(({ transaction_id }) => transaction_id.lt);

  test("gives a page and the next one as it gives both at once", async () => {
    const all = await list({ address: aliceRaw });
    expect(lts(all)).toHaveLength(5);
    expect(all.previous_transaction_id.lt).toBe("0");
    const one = await list({ address: alice, limit: "1" });
    const { lt, hash } = one.previous_transaction_id;
    const rest = await list({ address: alice, limit: "3", lt, hash });
    expect([...one.transactions, ...rest.transactions]).toEqual(all.transactions.slice(0, 4));
  });

  test("leaves out transactions at or below to_lt", async () => {
    const page = await list({ address: alice, to_lt: "823000001" });
    expect(lts(page)).toEqual(["1555000001", "1199000001"]);
    expect(page.previous_transaction_id.lt).toBe("823000001");
  });

  test("lists the history as that of the requested account", async () => {
    const { transactions } = await list({ address: stranger });
    expect(transactions).toHaveLength(6);
    for (const { address, in_msg, out_msgs } of transactions) {
      const ends = [address, in_msg.destination, ...out_msgs.map(({ source }) => source)];
      expect(new Set(ends.map(({ account_address }) => account_address))).toEqual(new Set([strangerFriendly]));
    }
  });

  test("begins at a transaction that it does not know, and ends", async () => {
    let cursor = { lt: "5000000000", hash: Buffer.alloc(32, 7).toString("base64") };
    const seen: string[] = [];
    for (let pages = 0; cursor.lt !== "0" && pages < 20; pages++) {
      const page = await list({ address: stranger, limit: "1", ...cursor });
      const [first] = page.transactions;
      expect(first?.transaction_id).toMatchObject(cursor);
      for (const [index, { created_lt }] of (first?.out_msgs ?? []).entries()) {
        expect(BigInt(created_lt)).toBe(BigInt(cursor.lt) + 1n + BigInt(index));
      }
      seen.push(cursor.lt);
      cursor = page.previous_transaction_id;
    }
    expect(cursor.lt).toBe("0");
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.map(BigInt)).toEqual(seen.map(BigInt).toSorted((a, b) => (a < b ? 1 : -1)));
  });

  test("ends at the lowest logical time", async () => {
    const page = await list({ address: stranger, lt: "1", hash: "7".repeat(64) });
    expect(lts(page)).toEqual(["1"]);
    expect(page.previous_transaction_id).toMatchObject({ lt: "0", hash: Buffer.alloc(32).toString("base64") });
  });

  test("has nothing at the end of a history", async () => {
    expect(lts(await list({ address: alice, lt: "0", hash: "0".repeat(64) }))).toEqual([]);
  });
});

describe("generated responses", () => {
  const body = { address: stranger };

  test("are the same for the same seed and request, after any other requests", async () => {
    await using one = await startMock({ dynamic: true, seed: 7 });
    await using other = await startMock({ dynamic: true, seed: 7 });
    await using another = await startMock({ dynamic: true, seed: 8 });
    await post(other, "lookupBlock", { workchain: 0, shard: "1", seqno: 1 });
    const first = await post(one, "getAddressInformation", body);
    expect(first.body).toMatchObject({ ok: true, result: { "@type": "raw.fullAccountState" } });
    expect((await post(other, "getAddressInformation", body)).body).toEqual(first.body);
    expect((await post(another, "getAddressInformation", body)).body).not.toEqual(first.body);
    expect((await post(one, "getAddressInformation", { address: bob })).body).not.toEqual(first.body);
  });

  test("do not replace documented responses", async () => {
    await using dynamic = await startMock({ dynamic: true });
    const one = example("lookupBlock", "by-lt");
    expect(await (await send(dynamic.url, one)).json()).toEqual(one.response.body);
  });

  test("are turned on by Prefer: dynamic=true, even for a documented request, and off by dynamic=false", async () => {
    const one = example("lookupBlock", "by-lt");
    const made = await send(mock.url, one, { prefer: "dynamic=true" });
    expect(made.status).toBe(200);
    expect(await made.json()).not.toEqual(one.response.body);
    await using dynamic = await startMock({ dynamic: true });
    const response = await post(dynamic, "getAddressInformation", body, { prefer: "dynamic=false" });
    expect(response.body).toEqual(example("getAddressInformation", "active").response.body);
  });

  test("are never failures", async () => {
    const response = await send(mock.url, example("lookupBlock", "by-lt"), { prefer: "dynamic=true, code=429" });
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toMatchObject({ ok: false, code: 429 });
  });
});
