import { expect, test } from "vitest";
import { judgeBody, judgeBytes, operationIds } from "../../src/index.ts";
import {
  account,
  blockId,
  consensus,
  envelope,
  failure,
  listed,
  listedMessage,
  located,
  message,
  page,
  without,
} from "./sample-bodies.ts";

const paths = (operation: string, body: unknown): string[] => judgeBody(operation, body).deviations.map(({ path }) => path);

test("knows the eight operations of the contract", () => {
  expect([...operationIds].sort()).toEqual([
    "getAddressInformation",
    "getConsensusBlock",
    "getMasterchainInfo",
    "getOutMsgQueueSize",
    "getTransactionsStd",
    "lookupBlock",
    "tryLocateResultTx",
    "tryLocateSourceTx",
  ]);
});

test.each([
  ["getAddressInformation", account()],
  ["getConsensusBlock", consensus()],
  ["getTransactionsStd", page()],
  ["lookupBlock", blockId()],
  ["tryLocateResultTx", located()],
  ["tryLocateSourceTx", without(located(), "in_msg")],
])("accepts a result of %s bare and in its envelope", (operation, result) => {
  const conforms = { verdict: "conforms", deviations: [] };
  expect(judgeBody(operation, result)).toEqual(conforms);
  expect(judgeBody(operation, envelope(result))).toEqual(conforms);
});

test("accepts members that the contract does not know", () => {
  const result = blockId();
  const body = envelope({ ...result, "@extra": "1", more: [1] }, { jsonrpc: "2.0", id: "1" });
  expect(judgeBody("lookupBlock", body).verdict).toBe("conforms");
  expect(judgeBody("errors", failure({ jsonrpc: "2.0" })).verdict).toBe("conforms");
});

test("judges an object with @type as a bare result, even if it has other members of an envelope", () => {
  expect(judgeBody("lookupBlock", { ...blockId(), result: 5 }).verdict).toBe("conforms");
  expect(judgeBody("lookupBlock", { ...blockId(), error: "none", code: 0 }).verdict).toBe("conforms");
});

test("names the place, the expected value and the rule of a deviation", () => {
  expect(judgeBody("lookupBlock", envelope({ ...blockId(), root_hash: "ab" })).deviations).toEqual([
    {
      path: "/result/root_hash",
      expected: "Hash (^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$)",
      got: '"ab"',
      rule: "#/components/schemas/Hash/pattern",
      match: "unexplained",
    },
  ]);
  expect(judgeBody("lookupBlock", envelope(without(blockId(), "seqno"))).deviations).toEqual([
    {
      path: "/result/seqno",
      expected: "a member that chain.blockIdExt requires",
      got: "nothing",
      rule: "#/components/schemas/chain.blockIdExt/required",
      match: "unexplained",
    },
  ]);
});

test.each([
  ["constant", { "@type": "raw.blockIdExt2.x" }, "@type", "chain.blockIdExt (^[a-z][a-z0-9]*\\.blockIdExt$)"],
  ["type", { shard: 5 }, "shard", "string"],
  ["lower bound", { seqno: -1 }, "seqno", "0 or more"],
  ["upper bound", { seqno: 2 ** 32 }, "seqno", "4294967295 or less"],
  ["32-bit bound", { workchain: 2 ** 31 }, "workchain", "int32"],
  ["integer type", { seqno: 1.5 }, "seqno", "integer"],
])("reports a broken %s once", (_, change, member, expected) => {
  const { deviations } = judgeBody("lookupBlock", { ...blockId(), ...change });
  expect(deviations).toMatchObject([{ path: `/${member}`, expected }]);
});

test("finds more than one deviation", () => {
  expect(paths("lookupBlock", { ...without(blockId(), "seqno"), shard: 1, file_hash: "" })).toEqual([
    "/seqno",
    "/shard",
    "/file_hash",
  ]);
});

test("judges the content of a message by its @type", () => {
  const content = (msg_data: unknown): string[] => paths("tryLocateResultTx", located({ in_msg: message({ msg_data }) }));
  expect(content({ "@type": "msg.dataText", text: "aGk=" })).toEqual([]);
  expect(content({ "@type": "msg.dataText" })).toEqual(["/in_msg/msg_data/text"]);
  expect(content({ "@type": "msg.dataRaw", body: "" })).toEqual(["/in_msg/msg_data/init_state"]);
  expect(content({ text: "aGk=" })).toEqual(["/in_msg/msg_data/@type"]);
  expect(content("te6cck==")).toEqual(["/in_msg/msg_data"]);
  expect(content(null)).toEqual(["/in_msg/msg_data"]);
  const { deviations } = judgeBody("tryLocateResultTx", located({ in_msg: message({ msg_data: { "@type": "msg.other" } }) }));
  expect(deviations).toMatchObject([{ path: "/in_msg/msg_data/@type", got: '"msg.other"', match: "unexplained" }]);
  expect(deviations[0]?.expected).toContain('"msg.dataDecryptedText"');
});

test("judges a body with ok: false as a failure", () => {
  expect(judgeBody("lookupBlock", failure()).verdict).toBe("conforms");
  expect(paths("lookupBlock", { ok: false })).toEqual(["/error", "/code"]);
  expect(paths("lookupBlock", failure({ code: "404" }))).toEqual(["/code"]);
});

test("reports a success where a failure is expected", () => {
  expect(paths("errors", envelope(blockId()))).toContain("/ok");
});

test.each([
  [{ ok: "true", result: blockId() }, ["/ok"]],
  [{ ok: true }, ["/result"]],
  [{ result: blockId() }, ["/ok"]],
  [{ error: "no", code: 500 }, ["/ok"]],
  [{ ok: true, result: [] }, ["/result"]],
])("names the member of the envelope that is wrong in %j", (body, expected) => {
  expect(paths("lookupBlock", body)).toEqual(expected);
});

test.each([[[]], ["text"], [null], [5]])("refuses %j, which is not an object", (body) => {
  for (const operation of ["lookupBlock", "errors"]) {
    expect(judgeBody(operation, body)).toMatchObject({
      verdict: "unexplained",
      deviations: [{ path: "", expected: "object", match: "unexplained" }],
    });
  }
});

test.each([
  ["", "an empty body"],
  ["  \n", "an empty body"],
  ["<html>\u001b[31mBad\ngateway</html>", 'the text "<html>\\u001b[31mBad\\ngateway</html>"'],
  ['{"ok":', 'the text "{\\"ok\\":"'],
])("reports %j, which is not JSON", (text, got) => {
  const report = judgeBytes("errors", new TextEncoder().encode(text));
  expect(report).toMatchObject({ verdict: "unexplained", deviations: [{ path: "", expected: "JSON", got }] });
});

test("reports bytes that are not UTF-8, and ignores a byte order mark as fetch does", () => {
  expect(judgeBytes("errors", Uint8Array.of(0x22, 0xff, 0x22)).deviations).toMatchObject([{ got: "bytes that are not UTF-8" }]);
  expect(judgeBytes("errors", new TextEncoder().encode(`\ufeff${JSON.stringify(failure())}`)).verdict).toBe("conforms");
});

test("shortens long values", () => {
  const [long] = judgeBody("lookupBlock", { ...blockId(), file_hash: "x".repeat(5000) }).deviations;
  expect(long?.got).toBe(`"${"x".repeat(40)}"… of 5000 characters`);
  let deep: unknown = [];
  for (let level = 0; level < 50_000; level++) deep = [deep];
  expect(judgeBody("lookupBlock", { ...blockId(), seqno: deep }).deviations).toMatchObject([{ got: "an array of 1" }]);
});

test("lists the operations if the given one is unknown", () => {
  expect(() => judgeBody("getBlock", {})).toThrow(/unknown operation "getBlock"; accepted: .*lookupBlock/);
});

test("judges each transaction of a page", () => {
  const bad = listed("1000", { in_msg: listedMessage({ value: "-1" }) });
  expect(paths("getTransactionsStd", envelope(page([listed("2000"), bad])))).toEqual(["/result/transactions/1/in_msg/value"]);
});
