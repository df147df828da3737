import type { Message } from "@chain-query/local-chain";
import { beginCell } from "@ton/core";
import { describe, expect, test } from "vitest";
import { extMessage, rawMessage } from "../../src/convert/account.ts";

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
