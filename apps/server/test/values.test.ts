import { readBoc } from "@chain-query/format/cells";
import { decodeMessage } from "@chain-query/format/messages";
import type { Message } from "@chain-query/format/store";
import { extMessage, extTransaction, rawMessage, rawTransaction } from "@chain-query/proof/values";
import { Address, beginCell, Dictionary, storeMessage } from "@ton/core";
import { describe, expect, test } from "vitest";
import { knownChain } from "./fixtures/chain.ts";

const { transactions } = knownChain();

describe("transactions", () => {
  test("have no incoming message if the clock started them", () => {
    const byClock = transactions.filter(({ inMessage }) => inMessage === undefined);
    expect(byClock.length).toBeGreaterThan(0);
    for (const one of byClock) expect(rawTransaction(one)).not.toHaveProperty("in_msg");
  });

  test("have comments as text, and in a list as base64", () => {
    const texts = transactions.flatMap((transaction) => {
      const ext = extTransaction(transaction).out_msgs;
      return rawTransaction(transaction).out_msgs.flatMap(({ msg_data }, index) =>
        msg_data["@type"] === "msg.dataText" ? [[msg_data.text, ext[index]?.message] as const] : [],
      );
    });
    expect(texts.length).toBeGreaterThan(10);
    for (const [encoded, text] of texts) expect(Buffer.from(encoded, "base64").toString()).toBe(text);
  });

  test("have every kind of message content", () => {
    const kinds = transactions.flatMap((one) => extTransaction(one).out_msgs.map(({ msg_data }) => msg_data["@type"]));
    expect([...new Set(kinds)].sort()).toEqual(["msg.dataEncryptedText", "msg.dataRaw", "msg.dataText"]);
  });

  test("have an empty address if a message has no source", () => {
    const external = transactions.find(({ inMessage }) => inMessage !== undefined && inMessage.source === undefined);
    if (external === undefined) throw new Error("the chain has external messages");
    expect(extTransaction(external).in_msg).toMatchObject({ source: "", value: "0", created_lt: "0", fwd_fee: "0" });
    expect(rawTransaction(external).in_msg?.source).toEqual({ "@type": "accountAddress", account_address: "" });
  });
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

  test("keep a byte order mark of a comment, and never show the text of an encrypted one", () => {
    const comment = { encrypted: false, bytes: Buffer.from("\ufeffhi") };
    expect(extMessage({ ...bare, comment }).message).toBe("\ufeffhi");
    const message = extMessage({ ...bare, comment: { encrypted: true, bytes: Buffer.from("secret") } });
    expect(message.msg_data).toEqual({ "@type": "msg.dataEncryptedText", text: Buffer.from("secret").toString("base64") });
    expect(message).not.toHaveProperty("message");
  });

  test("include extra currencies, the state init of a deployment, and an account whose workchain has no user-friendly form", () => {
    const initState = beginCell().storeUint(5, 8).endCell().toBoc();
    expect(rawMessage({ ...bare, initState })).toMatchObject({
      extra_currencies: [{ "@type": "extraCurrency", id: 100, amount: "7" }],
      msg_data: { init_state: initState.toString("base64") },
    });
    const destination = { workchain: 128, hash: new Uint8Array(32) };
    expect(extMessage({ ...bare, destination }).destination).toBe(`128:${"0".repeat(64)}`);
  });
});
