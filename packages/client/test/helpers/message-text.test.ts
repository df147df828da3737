import { describe, expect, test } from "vitest";
import { type AnyMessage, messageText } from "../../src/index.ts";
import { fixtures } from "../../src/testing.ts";

const base64 = (bytes: string | number[]) => Buffer.from(bytes as string).toString("base64");
const withText = (type: string, text: string) => ({ msg_data: { "@type": type, text } }) as Pick<AnyMessage, "msg_data">;

describe("messageText", () => {
  test("reads the comment of a message, of a listing and of a located transaction", () => {
    expect(messageText(fixtures.tryLocateResultTx.transfer.in_msg)).toBe("Thanks for the coffee");
    const listed = fixtures.getTransactionsStd["first-page"].transactions.flatMap(({ out_msgs }) => out_msgs);
    expect(listed.map(messageText)).toContain("Welcome, Carol");
  });

  test.for(["", "Grüße, 世界 👋", "\uFEFFbyte order mark"])("reads UTF-8: %s", (text) => {
    expect(messageText(withText("msg.dataText", base64(text)))).toBe(text);
    expect(messageText(withText("msg.dataDecryptedText", base64(text)))).toBe(text);
  });

  test.for<[string, Pick<AnyMessage, "msg_data"> | undefined]>([
    ["that is still encrypted", withText("msg.dataEncryptedText", base64("secret"))],
    ["that is not decoded", { msg_data: { "@type": "msg.dataRaw", body: base64("body"), init_state: "" } }],
    ["that is not UTF-8", withText("msg.dataText", base64([0xc3, 0x28]))],
    ["that is not base64", withText("msg.dataText", "%%%")],
    ["of a transaction without a message", undefined],
  ])("finds no text in a body %s", ([, message]) => {
    expect(messageText(message)).toBeUndefined();
  });
});
