import { validateBody } from "@chain-query/conformance";
import { readBoc } from "@chain-query/format/cells";
import { decodeMessage } from "@chain-query/format/messages";
import type { Message } from "@chain-query/format/store";
import { decodeTransaction } from "@chain-query/format/transactions";
import { transactionOf } from "@chain-query/lite";
import { parseAddress } from "@chain-query/openapi/address";
import { extMessage, extTransaction, rawMessage, rawTransaction, transactionId } from "@chain-query/proof/values";
import { Address, beginCell, Cell, Dictionary, storeMessage } from "@ton/core";
import { describe, expect, test } from "vitest";
import { knownChain, rawAddress } from "./fixtures/chain.ts";

const { transactions } = knownChain();

const hashOf = (boc: string): string | undefined => Cell.fromBase64(boc).hash().toString("base64");

describe("rawTransaction", () => {
  test("writes every transaction of a chain as the contract says", () => {
    const page = {
      "@type": "raw.transactions",
      transactions: transactions.map(rawTransaction).sort((a, b) => Number(b.transaction_id.lt) - Number(a.transaction_id.lt)),
      previous_transaction_id: transactionId({ lt: 0n, hash: new Uint8Array(32) }),
    };
    expect(page.transactions.length).toBeGreaterThan(1000);
    const { deviations } = validateBody("getTransactionsStd", page);
    // Transactions of different accounts may have one lt; in a page of one account they cannot.
    expect(deviations.filter(({ rule }) => rule !== "D-14")).toEqual([]);
  });

  test("has the hash of its data", () => {
    for (const { data, transaction_id } of transactions.map(rawTransaction)) expect(hashOf(data)).toBe(transaction_id.hash);
  });

  test("has messages with the hashes of their bodies", () => {
    for (const { in_msg, out_msgs } of transactions.map(rawTransaction)) {
      for (const message of in_msg === undefined ? out_msgs : [in_msg, ...out_msgs]) {
        if (message.msg_data["@type"] === "msg.dataRaw") expect(hashOf(message.msg_data.body)).toBe(message.body_hash);
      }
    }
  });

  test("has fee as the sum of the other two", () => {
    const fees = knownChain()
      .transactions.map(rawTransaction)
      .map(({ fee, storage_fee, other_fee }) => [BigInt(fee), BigInt(storage_fee) + BigInt(other_fee)]);
    expect(fees.every(([fee, sum]) => fee === sum)).toBe(true);
    expect(fees.some(([fee]) => fee !== 0n)).toBe(true);
  });

  test("has no incoming message if the clock started it", () => {
    const byClock = transactions.filter(({ inMessage }) => inMessage === undefined);
    expect(byClock.length).toBeGreaterThan(0);
    for (const one of byClock) expect(rawTransaction(one)).not.toHaveProperty("in_msg");
  });
});

describe("extTransaction", () => {
  test("writes every transaction of a chain as the contract says", () => {
    for (const transaction of transactions) {
      expect(validateBody("tryLocateResultTx", extTransaction(transaction)).deviations).toEqual([]);
    }
  });

  test("names the account in both forms", () => {
    for (const transaction of transactions) {
      const { account, address } = extTransaction(transaction);
      expect(account).toBe(rawAddress(transaction.account).toUpperCase());
      expect(rawAddress(parseAddress(address.account_address))).toBe(rawAddress(transaction.account));
    }
  });

  test("writes comments as text, and in a list as base64", () => {
    const texts = transactions.flatMap((transaction) => {
      const ext = extTransaction(transaction).out_msgs;
      return rawTransaction(transaction).out_msgs.flatMap(({ msg_data }, index) =>
        msg_data["@type"] === "msg.dataText" ? [[msg_data.text, ext[index]?.message] as const] : [],
      );
    });
    expect(texts.length).toBeGreaterThan(10);
    for (const [encoded, text] of texts) expect(Buffer.from(encoded, "base64").toString()).toBe(text);
  });

  test("writes every kind of message content", () => {
    const kinds = transactions.flatMap((one) => extTransaction(one).out_msgs.map(({ msg_data }) => msg_data["@type"]));
    expect([...new Set(kinds)].sort()).toEqual(["msg.dataEncryptedText", "msg.dataRaw", "msg.dataText"]);
  });

  test("writes an empty address if a message has no source", () => {
    const external = transactions.find(({ inMessage }) => inMessage !== undefined && inMessage.source === undefined);
    if (external === undefined) throw new Error("the chain has external messages");
    expect(extTransaction(external).in_msg).toMatchObject({ source: "", value: "0", created_lt: "0", fwd_fee: "0" });
    expect(rawTransaction(external).in_msg?.source).toEqual({ "@type": "accountAddress", account_address: "" });
  });
});

test("a transaction of lite servers is converted like the same transaction of a folder", () => {
  const { reader, transactions } = knownChain();
  const { block } = reader.head();
  for (const known of transactions) {
    const cell = readBoc(known.data);
    const found = transactionOf({ ...decodeTransaction(cell), account: known.account, cell, block: block.id });
    expect(rawTransaction(found)).toEqual(rawTransaction(known));
    expect(extTransaction(found)).toEqual(extTransaction(known));
  }
});

const body = beginCell()
  .storeUint(0, 32)
  .storeBuffer(Buffer.from([0xff, 0xfe]))
  .endCell();
const bare: Message = {
  hash: new Uint8Array(32),
  value: 5n,
  extraCurrencies: [{ id: 100, amount: 7n }],
  forwardFee: 0n,
  ihrFee: 0n,
  createdLt: 9n,
  body: body.toBoc(),
  bodyHash: body.hash(),
};

describe("messages", () => {
  test("show a comment that is not UTF-8 as raw body, with an error", () => {
    const broken = { ...bare, comment: { encrypted: false, bytes: new Uint8Array([0xff, 0xfe]) } };
    const content = { "@type": "msg.dataRaw", body: body.toBoc().toString("base64"), init_state: "" };
    expect(extMessage(broken)).toMatchObject({ msg_data: content, message_decode_error: "The comment is not valid UTF-8" });
    expect(extMessage(broken)).not.toHaveProperty("message");
    expect(rawMessage(broken).msg_data).toEqual(content);
  });

  test("show a comment that is not UTF-8, a negative id of a currency and a fee for IHR as the chain has them", () => {
    const [src, dest] = [1, 2].map((byte) => new Address(0, Buffer.alloc(32, byte))) as [Address, Address];
    const other = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.BigVarUint(5)).set(-17, 7n);
    const flags = { ihrDisabled: false, bounce: true, bounced: false, createdLt: 9n, createdAt: 1_700_000_000 };
    const fees = { value: { coins: 0n, other }, ihrFee: 3_000_000n, forwardFee: 666_672n };
    const message = beginCell().store(storeMessage({ info: { type: "internal", src, dest, ...flags, ...fees }, body }));
    const { initState: _, ...decoded } = decodeMessage(readBoc(message.endCell().toBoc()));
    expect(extMessage({ ...decoded, body: body.toBoc() })).toMatchObject({
      ...{ value: "0", ihr_fee: "3000000", fwd_fee: "666672" },
      extra_currencies: [{ id: -17, amount: "7" }],
      msg_data: { "@type": "msg.dataRaw" },
      message_decode_error: "The comment is not valid UTF-8",
    });
  });

  test("keep a byte order mark at the start of a comment", () => {
    const comment = { encrypted: false, bytes: Buffer.from("\ufeffhi") };
    expect(extMessage({ ...bare, comment }).message).toBe("\ufeffhi");
  });

  test("never show the text of an encrypted comment", () => {
    const message = extMessage({ ...bare, comment: { encrypted: true, bytes: Buffer.from("secret") } });
    expect(message.msg_data).toEqual({ "@type": "msg.dataEncryptedText", text: Buffer.from("secret").toString("base64") });
    expect(message).not.toHaveProperty("message");
  });

  test("include extra currencies", () => {
    expect(rawMessage(bare).extra_currencies).toEqual([{ "@type": "extraCurrency", id: 100, amount: "7" }]);
  });

  test("include the state init of a deployment", () => {
    const initState = beginCell().storeUint(5, 8).endCell().toBoc();
    expect(rawMessage({ ...bare, initState }).msg_data).toMatchObject({ init_state: initState.toString("base64") });
  });

  test("write an account in raw form if its workchain does not fit the user-friendly form", () => {
    const destination = { workchain: 128, hash: new Uint8Array(32) };
    expect(extMessage({ ...bare, destination }).destination).toBe(`128:${"0".repeat(64)}`);
  });
});
