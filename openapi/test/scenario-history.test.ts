import { describe, expect, test } from "vitest";
import { toBase64Hash } from "../src/address.ts";
import type { ExampleTransaction, Page } from "./scenario.ts";
import {
  commonForm,
  commonMessage,
  type ExampleAccount,
  example,
  inputOf,
  keyOf,
  keyOfInput,
  rawAddress,
  respondedAt,
  resultOf,
} from "./scenario.ts";

const active = resultOf<ExampleAccount>("getAddressInformation.active");
const alice = rawAddress(String(inputOf("getAddressInformation.active")["address"]));
const source = resultOf<ExampleTransaction>("tryLocateSourceTx.transfer");
const result = resultOf<ExampleTransaction>("tryLocateResultTx.transfer");

const pageNames = ["first-page", "next-page", "last-page"].map((condition) => `getTransactionsStd.${condition}`);
const pages = pageNames.map((name) => ({ name, page: resultOf<Page>(name) }));
const history = pages.flatMap(({ page }) => page.transactions);
const noTransaction = { "@type": "internal.transactionId", lt: "0", hash: Buffer.alloc(32).toString("base64") };

describe("the pages of the history", () => {
  test("begin at the account's last transaction", () => {
    expect(history[0]?.transaction_id).toEqual(active.last_transaction_id);
  });

  test.each(pages)("begin with the requested transaction: $name", ({ name, page }) => {
    const { lt, hash } = inputOf(name);
    const first = page.transactions[0]?.transaction_id;
    expect({ lt: first?.lt, hash: first?.hash }).toEqual({ lt, hash: toBase64Hash(String(hash)) });
  });

  test("begin at the cursor of the page before", () => {
    const starts = pages.slice(1).map(({ page }) => page.transactions[0]?.transaction_id);
    expect(pages.slice(0, -1).map(({ page }) => page.previous_transaction_id)).toEqual(starts);
  });

  test("end with zeros", () => {
    expect(pages.at(-1)?.page.previous_transaction_id).toEqual(noTransaction);
  });

  test("descend strictly, so that no transaction comes twice", () => {
    const times = history.map(({ transaction_id }) => BigInt(transaction_id.lt));
    expect(times.length).toBeGreaterThan(pages.length);
    expect(times.every((lt, index) => index === 0 || lt < (times[index - 1] ?? 0n))).toBe(true);
    expect(new Set(history.map(({ transaction_id }) => transaction_id.hash)).size).toBe(history.length);
  });

  test("hold no more than their limit", () => {
    for (const { name, page } of pages) expect(page.transactions.length).toBeLessThanOrEqual(Number(inputOf(name)["limit"]));
  });

  test("belong to the requested account, in either form", () => {
    expect(pageNames.map((name) => rawAddress(String(inputOf(name)["address"])))).toEqual(pageNames.map(() => alice));
    for (const transaction of history) {
      expect(rawAddress(transaction.address.account_address)).toBe(alice);
      expect(transaction.in_msg && keyOf(transaction.in_msg).destination).toBe(alice);
      expect(transaction.out_msgs.map((message) => keyOf(message).source)).toEqual(transaction.out_msgs.map(() => alice));
    }
  });

  test("go no further than to_lt", () => {
    const { lt, to_lt } = inputOf("getTransactionsStd.empty-page");
    expect(BigInt(String(lt))).toBeLessThanOrEqual(BigInt(String(to_lt)));
    expect(resultOf<Page>("getTransactionsStd.empty-page")).toMatchObject({
      transactions: [],
      previous_transaction_id: noTransaction,
    });
  });

  test("reach beyond the history of a node that keeps two days", () => {
    const name = "getTransactionsStd.pruned-history";
    const start = history.find(({ transaction_id }) => transaction_id.lt === inputOf(name)["lt"]);
    expect(toBase64Hash(String(inputOf(name)["hash"]))).toBe(start?.transaction_id.hash);
    expect(respondedAt(name) - (start?.utime ?? 0)).toBeGreaterThan(2 * 24 * 3600);
    expect(example(name).response.body).toMatchObject({ error: expect.stringContaining("archival=true") });
  });

  test("add up to the balance of the account", () => {
    const balance = history.reduce((sum, { in_msg, out_msgs, fee }) => {
      const sent = out_msgs.reduce((total, { value }) => total + BigInt(value), 0n);
      return sum + BigInt(in_msg?.value ?? 0) - sent - BigInt(fee);
    }, 0n);
    expect(String(balance)).toBe(active.balance);
  });
});

describe("a transaction", () => {
  const all = [...history, source, result];

  test("costs its storage fee and its other fee", () => {
    for (const { fee, storage_fee, other_fee } of all) expect(BigInt(fee)).toBe(BigInt(storage_fee) + BigInt(other_fee));
  });

  test("numbers its messages after its own logical time", () => {
    expect(all.some(({ out_msgs }) => out_msgs.length > 1)).toBe(true);
    for (const { transaction_id, out_msgs } of all) {
      const expected = out_msgs.map((_, index) => String(BigInt(transaction_id.lt) + 1n + BigInt(index)));
      expect(out_msgs.map(({ created_lt }) => created_lt)).toEqual(expected);
    }
  });

  test("comes after the message that it consumes", () => {
    for (const { transaction_id, in_msg } of all) {
      expect(BigInt(transaction_id.lt)).toBeGreaterThan(BigInt(in_msg?.created_lt ?? 0));
    }
  });

  test("is no younger than the head", () => {
    for (const { utime } of all) expect(utime).toBeLessThanOrEqual(active.sync_utime);
  });
});

describe("locating a message", () => {
  test("finds the transaction that sent it, which is also listed", () => {
    expect(source.out_msgs.map(keyOf)).toContainEqual(keyOfInput("tryLocateSourceTx.transfer"));
    const listed = history.find(({ transaction_id }) => transaction_id.lt === source.transaction_id.lt);
    expect(commonForm(source)).toEqual(listed && commonForm(listed));
  });

  test("finds the transaction that consumed it", () => {
    expect(keyOfInput("tryLocateResultTx.transfer")).toEqual(keyOfInput("tryLocateSourceTx.transfer"));
    expect(result.in_msg && keyOf(result.in_msg)).toEqual(keyOfInput("tryLocateResultTx.transfer"));
    expect(rawAddress(result.address.account_address)).toBe(keyOfInput("tryLocateResultTx.transfer").destination);
  });

  test("shows one message the same from both ends", () => {
    expect(result.in_msg && commonMessage(result.in_msg)).toEqual(source.out_msgs[0] && commonMessage(source.out_msgs[0]));
    expect(BigInt(result.transaction_id.lt)).toBeGreaterThan(BigInt(source.transaction_id.lt));
  });

  test("finds no message that was never sent, although there are others between the two accounts", () => {
    const missing = keyOfInput("tryLocateResultTx.not-found");
    const sent = history.flatMap(({ out_msgs }) => out_msgs.map(keyOf));
    expect(sent.some(({ source, destination }) => source === missing.source && destination === missing.destination)).toBe(true);
    expect(sent).not.toContainEqual(missing);
  });

  test("finds nothing yet for a message that was sent after Alice's last transaction", () => {
    const waiting = keyOfInput("tryLocateResultTx.not-yet-processed");
    expect(BigInt(waiting.created_lt)).toBeGreaterThan(BigInt(active.last_transaction_id.lt));
  });

  test("finds no source of a message from outside, which the account did receive", () => {
    const external = keyOfInput("tryLocateSourceTx.external-message");
    expect(external.source).toBe("");
    expect(history.flatMap(({ in_msg }) => (in_msg === undefined ? [] : [keyOf(in_msg)]))).toContainEqual(external);
  });
});
