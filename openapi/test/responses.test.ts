import { operations, operationsById } from "@chain-query/openapi/operations";
import { responseTo } from "@chain-query/openapi/responses";
import { describe, expect, test } from "vitest";
import { toRawAddress } from "../src/address.ts";

interface Message {
  source: string | { account_address: string };
  destination: string | { account_address: string };
  value: string;
  created_lt: string;
}

interface Transaction {
  address: { account_address: string };
  utime: number;
  transaction_id: { lt: string; hash: string };
  fee: string;
  in_msg?: Message;
  out_msgs: Message[];
}

interface Account {
  balance: string;
  last_transaction_id: object;
  sync_utime: number;
}

/** The raw form of an address; the empty text stays empty. */
function rawOf(end: Message["source"]): string {
  const text = typeof end === "string" ? end : end.account_address;
  return text === "" ? "" : toRawAddress(text);
}

/** The three values that identify a message, with addresses in raw form. */
function keyOf({ source, destination, created_lt }: Message) {
  return { source: rawOf(source), destination: rawOf(destination), created_lt };
}

/** The common part of a message in its two forms, listed and located. */
const commonMessage = (message: Message) => ({ ...message, ...keyOf(message), "@type": "message", message: undefined });

/** The common part of a transaction in its two forms. */
const commonForm = (transaction: Transaction) => ({
  ...{ ...transaction, "@type": "transaction", account: rawOf(transaction.address) },
  in_msg: transaction.in_msg && commonMessage(transaction.in_msg),
  out_msgs: transaction.out_msgs.map(commonMessage),
});

const masterchain = { workchain: -1, shard: "-9223372036854775808" };
const alice = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const notFound = (what: string) => ({
  status: 404,
  body: { ok: false, code: 404, reason: "block_pending", error: `block was not found: ${what} is past the head, 840` },
});

describe("responseTo", () => {
  test.for(operations)("gives the first documented response of $id", ({ id, examples: [first] }) => {
    const { body, query } = first?.request ?? {};
    const texts = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)] as const);
    expect(responseTo(id, body ?? Object.fromEntries(texts))).toEqual(first?.response);
  });

  test.for<[what: string, selector: object]>([
    ["seqno 841", { seqno: 841 }],
    ["lt 1681000000", { lt: "1681000000" }],
    ["unixtime 1767326401", { unixtime: 1_767_326_401 }],
  ])("does not find a block by %s, which is past the head", ([what, selector]) => {
    expect(responseTo("lookupBlock", { ...masterchain, ...selector })).toEqual(notFound(what));
    const shard = { workchain: 0, shard: "4611686018427387904" };
    expect(responseTo("lookupBlock", { ...shard, ...selector })).toEqual(notFound(what));
  });

  test.for<[selector: object]>([[{ seqno: 840 }], [{ lt: "1680999999" }], [{ unixtime: 1_767_326_400 }]])(
    "finds a block by %j, which is not",
    ([selector]) => {
      expect(responseTo("lookupBlock", { ...masterchain, ...selector }).status).toBe(200);
    },
  );

  test("does not find an account as of a block past the head", () => {
    expect(responseTo("getAddressInformation", { address: alice, seqno: "841" })).toEqual(notFound("seqno 841"));
    expect(responseTo("getAddressInformation", { address: alice, seqno: "840" }).status).toBe(200);
  });

  test("repeats @extra, and applies an example with a header only with that header", () => {
    expect(responseTo("getConsensusBlock", { "@extra": "mine" }).body["@extra"]).toBe("mine");
    const known = operationsById.getAddressInformation.examples.find(({ condition }) => condition === "unknown-key");
    const { body, headers } = known?.request ?? { headers: {} };
    const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(responseTo("getAddressInformation", body, lowerCase)).toEqual(known?.response);
    expect(responseTo("getAddressInformation", body).status).toBe(200);
  });
});

describe("the accounts of responseTo", () => {
  const numbered = Array.from({ length: 40 }, (_, index) => `0:${index.toString(16).padStart(64, "0")}`);
  const bob = "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz";
  const accounts = [
    alice,
    bob,
    `-1:${"0".repeat(64)}`,
    "-1:46ad41228bf0273f98591e88aea5cfde3d616762109b062122355abaf808e57e",
    ...numbered,
  ];
  const get = <Result>(id: Parameters<typeof responseTo>[0], sent: object): Result =>
    responseTo(id, sent).body["result"] as Result;
  const stateOf = (address: string, seqno = 840) =>
    get<Account>("getAddressInformation", { address, ...(seqno < 840 && { seqno: String(seqno) }) });
  const historyOf = (address: string) =>
    get<{ transactions: Transaction[] }>("getTransactionsStd", { address, limit: "100" }).transactions;
  const sumOf = (history: readonly Transaction[]) =>
    history.reduce((sum, { in_msg, out_msgs, fee }) => {
      const sent = out_msgs.reduce((total, { value }) => total + BigInt(value), 0n);
      return sum + BigInt(in_msg?.value ?? 0) - sent - BigInt(fee);
    }, 0n);

  test("have balances and transactions of their own, also neighbours and those of another workchain", () => {
    expect(new Set(accounts.map((address) => stateOf(address).balance)).size).toBe(accounts.length);
    const hashes = accounts.flatMap((address) => historyOf(address).map(({ transaction_id }) => transaction_id.hash));
    expect(hashes.length).toBeGreaterThan(5 * accounts.length);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test("have the same ones each time, by any form of the address", () => {
    const raw = "0:B3B3E534502F39776A634B3A956533AC7952E3CB6CC7732051C152DBCA15B377";
    expect(historyOf(raw)).toEqual(historyOf(bob));
    expect(stateOf(raw)).toEqual(stateOf(bob));
  });

  test.for([
    ...accounts,
    "EQChqq49LqzBaw2UT2FD5jUCjIHM7nD33p4MJ92XJymFlctp",
    "EQCALMNsWm7ImRlI_rb1Tf9aMAu8_WtoNbFbLkqwf3GWaPfz",
  ])("have a balance that is the sum of their history, and its newest transaction: %s", (address) => {
    const history = historyOf(address);
    const { balance, last_transaction_id } = stateOf(address);
    expect(balance).toBe(String(sumOf(history)));
    expect(history[0]?.transaction_id).toEqual(last_transaction_id);
    for (const [index, { transaction_id, utime }] of history.entries()) {
      const older = history.slice(index);
      const block = 840 - (1_767_326_400 - utime) / 120;
      const then = stateOf(address, block);
      expect([then.balance, then.last_transaction_id, then.sync_utime]).toEqual([String(sumOf(older)), transaction_id, utime]);
      expect(stateOf(address, block - 1).balance).toBe(String(sumOf(older.slice(1))));
    }
  });

  test.for(accounts)("have messages that are located in their transactions: %s", (address) => {
    const history = historyOf(address);
    for (const transaction of history) {
      const listed = commonForm(transaction);
      const located = [
        ...transaction.out_msgs.map((message) => get<Transaction>("tryLocateSourceTx", keyOf(message))),
        ...(transaction.in_msg?.value === "0"
          ? []
          : [get<Transaction>("tryLocateResultTx", keyOf(transaction.in_msg as never))]),
      ];
      expect(located.length).toBeGreaterThan(0);
      for (const one of located) expect(commonForm(one)).toEqual(listed);
    }
  });
});
