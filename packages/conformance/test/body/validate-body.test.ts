import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { expect, test } from "vitest";
import { validateBody, validateBytes } from "../../src/index.ts";
import { has, isObject } from "../../src/json.ts";
import { blockId, envelope, failure, located, message, without } from "./sample-bodies.ts";

const paths = (operation: string, body: unknown): string[] => validateBody(operation, body).deviations.map(({ path }) => path);

test("accepts members that the contract does not know", () => {
  const result = blockId();
  const body = envelope({ ...result, "@extra": "1", more: [1] }, { jsonrpc: "2.0", id: "1" });
  expect(validateBody("lookupBlock", body).outcome).toBe("conforms");
  expect(validateBody("errors", failure({ jsonrpc: "2.0" })).outcome).toBe("conforms");
});

test("validates an object with @type as a bare result, even if it has other members of an envelope", () => {
  expect(validateBody("lookupBlock", { ...blockId(), result: 5 }).outcome).toBe("conforms");
  expect(validateBody("lookupBlock", { ...blockId(), error: "none", code: 0 }).outcome).toBe("conforms");
});

test("names the place, the expected value and the rule of a deviation", () => {
  expect(validateBody("lookupBlock", envelope({ ...blockId(), root_hash: "ab" })).deviations).toEqual([
    {
      path: "/result/root_hash",
      expected: "Hash (^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$)",
      got: '"ab"',
      rule: "#/components/schemas/Hash/pattern",
      match: "unexplained",
    },
  ]);
  expect(validateBody("lookupBlock", envelope(without(blockId(), "seqno"))).deviations).toEqual([
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
  const { deviations } = validateBody("lookupBlock", { ...blockId(), ...change });
  expect(deviations).toMatchObject([{ path: `/${member}`, expected }]);
});

test("finds more than one deviation", () => {
  expect(paths("lookupBlock", { ...without(blockId(), "seqno"), shard: 1, file_hash: "" })).toEqual([
    "/seqno",
    "/shard",
    "/file_hash",
  ]);
});

test("validates the content of a message by its @type", () => {
  const content = (msg_data: unknown): string[] => paths("tryLocateResultTx", located({ in_msg: message({ msg_data }) }));
  expect(content({ "@type": "msg.dataText", text: "aGk=" })).toEqual([]);
  expect(content({ "@type": "msg.dataText" })).toEqual(["/in_msg/msg_data/text"]);
  expect(content({ "@type": "msg.dataRaw", body: "" })).toEqual(["/in_msg/msg_data/init_state"]);
  expect(content({ text: "aGk=" })).toEqual(["/in_msg/msg_data/@type"]);
  expect(content("te6cck==")).toEqual(["/in_msg/msg_data"]);
  expect(content(null)).toEqual(["/in_msg/msg_data"]);
  const { deviations } = validateBody(
    "tryLocateResultTx",
    located({ in_msg: message({ msg_data: { "@type": "msg.other" } }) }),
  );
  expect(deviations).toMatchObject([{ path: "/in_msg/msg_data/@type", got: '"msg.other"', match: "unexplained" }]);
  expect(deviations[0]?.expected).toContain('"msg.dataDecryptedText"');
});

test("validates a body with ok: false as a failure", () => {
  expect(validateBody("lookupBlock", failure()).outcome).toBe("conforms");
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

test.each([[[]], ["text"], [null], [5]])("rejects %j, which is not an object", (body) => {
  for (const operation of ["lookupBlock", "errors"]) {
    expect(validateBody(operation, body)).toMatchObject({
      outcome: "unexplained",
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
  const report = validateBytes("errors", new TextEncoder().encode(text));
  expect(report).toMatchObject({ outcome: "unexplained", deviations: [{ path: "", expected: "JSON", got }] });
});

test("reports bytes that are not UTF-8, and ignores a byte order mark, like fetch", () => {
  expect(validateBytes("errors", Uint8Array.of(0x22, 0xff, 0x22)).deviations).toMatchObject([
    { got: "bytes that are not UTF-8" },
  ]);
  expect(validateBytes("errors", new TextEncoder().encode(`\ufeff${JSON.stringify(failure())}`)).outcome).toBe("conforms");
});

test("shortens long values", () => {
  const [long] = validateBody("lookupBlock", { ...blockId(), file_hash: "x".repeat(5000) }).deviations;
  expect(long?.got).toBe(`"${"x".repeat(40)}"… of 5000 characters`);
  let deep: unknown = [];
  for (let level = 0; level < 50_000; level++) deep = [deep];
  expect(validateBody("lookupBlock", { ...blockId(), seqno: deep }).deviations).toMatchObject([{ got: "an array of 1" }]);
});

test("lists the operations if the given one is unknown", () => {
  expect(() => validateBody("getBlock", {})).toThrow(/unknown operation "getBlock"; accepted: .*lookupBlock/);
});

const failures = examples.filter(({ response }) => response.status >= 300);

test.each(examples)("$operationId, $condition: the documented response conforms", ({ operationId, response }) => {
  expect(validateBody(operationId, response.body)).toEqual({ outcome: "conforms", deviations: [] });
  if (response.status < 300) expect(validateBody(operationId, response.body.result).outcome).toBe("conforms");
});

test.each(failures)("$operationId, $condition: the documented failure conforms among the failures", ({ response }) => {
  expect(validateBody("errors", response.body).outcome).toBe("conforms");
});

const optional = new Set([
  "@extra",
  "jsonrpc",
  "id",
  "in_msg",
  "message",
  "message_decode_error",
  "suspended",
  "reason",
  "input",
]);

test.each(examples)("$operationId, $condition: reports every member that is removed or of another type", (example) => {
  const { operationId, response } = example;
  const outcomeWith = (path: readonly string[], value: unknown) =>
    `${path.join("/")} ${validateBody(operationId, changed(response.body, path, value)).outcome}`;
  for (const path of placesOf(response.body)) {
    expect(outcomeWith(path, [true])).toBe(`${path.join("/")} unexplained`);
    // Currencies are numbered, so the id of one is required where the id of an envelope is not.
    if (optional.has(path.at(-1) ?? "") && !path.includes("extra_currencies")) continue;
    expect(outcomeWith(path, undefined)).toBe(`${path.join("/")} unexplained`);
  }
});

/** The paths of all members of objects in a body. */
function placesOf(value: unknown, at: string[] = []): string[][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => placesOf(item, [...at, String(index)]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, child]) => [[...at, member], ...placesOf(child, [...at, member])]);
}

/** A copy with another value at a path; undefined removes the member. */
function changed(value: unknown, [head, ...rest]: readonly string[], put: unknown): unknown {
  if (head === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === head ? changed(item, rest, put) : item));
  if (!has(value, head)) return value;
  const child = changed(value[head], rest, put);
  const { [head]: _, ...others } = value;
  return child === undefined ? others : { ...value, [head]: child };
}
