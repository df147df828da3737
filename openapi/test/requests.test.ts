import { type OperationId, operations, operationsById } from "@chain-query/openapi/operations";
import { checkRequest, parseBody } from "@chain-query/openapi/requests";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";

const friendly = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const raw = "0:46ad41228bf0273f98591e88aea5cfde3d616762109b062122355abaf808e57e";
const hash = Uint8Array.from(Buffer.from(raw.slice(2), "hex"));
const masterchain = { workchain: -1, shard: "-9223372036854775808" };

function problems(operation: OperationId, sent: unknown): readonly string[] {
  const checked = checkRequest(operation, sent);
  return checked.ok ? [] : checked.problems;
}

describe("a request that the contract allows", () => {
  test("is read from a query, with defaults", () => {
    const checked = checkRequest("getTransactionsStd", { address: friendly, limit: "2", archival: "true", other: "ignored" });
    expect(checked).toEqual({
      ok: true,
      inputs: {
        address: { workchain: 0, hash, form: "friendly", bounceable: true, testOnly: false },
        limit: 2,
        to_lt: 0n,
        archival: true,
      },
    });
  });

  test("is read from a body, without the caller's identifier", () => {
    const checked = checkRequest("lookupBlock", { ...masterchain, lt: "8000001", "@extra": "mine" });
    expect(checked).toEqual({ ok: true, inputs: { workchain: -1, shard: -(2n ** 63n), lt: 8000001n } });
  });

  test("has typed inputs", () => {
    const checked = checkRequest("lookupBlock", { ...masterchain, seqno: 5 });
    if (!checked.ok) throw new Error(checked.problems.join());
    expectTypeOf(checked.inputs.shard).toEqualTypeOf<bigint>();
    expectTypeOf(checked.inputs.seqno).toEqualTypeOf<number | undefined>();
    if (checked.inputs.unixtime !== undefined) expectTypeOf(checked.inputs.lt).toEqualTypeOf<undefined>();
  });

  test("may leave the source of a message from outside empty", () => {
    expect(checkRequest("tryLocateSourceTx", { source: "", destination: raw, created_lt: "5" })).toMatchObject({
      inputs: { source: "", destination: { workchain: 0, hash }, created_lt: 5n },
    });
  });

  test("may give a hash in either form", () => {
    const read = (text: string) => checkRequest("getTransactionsStd", { address: raw, lt: "5", hash: text });
    for (const text of [raw.slice(2), Buffer.from(hash).toString("base64")])
      expect(read(text)).toMatchObject({ inputs: { hash } });
  });

  test.for(
    operations
      .flatMap(({ examples }) => examples)
      .map((example) => [`${example.operationId}.${example.condition}`, example] as const),
  )("is the example %s, unless its response is a 422", ([, { operationId, request, response }]) => {
    const texts = Object.entries(request.query).map(([name, value]) => [name, String(value)]);
    const found = problems(operationId, request.method === "GET" ? Object.fromEntries(texts) : request.body);
    expect(found).toEqual(response.status === 422 ? [response.body["error"]] : []);
  });
});

describe("a request that the contract does not allow", () => {
  test.for<[operation: OperationId, sent: unknown, problems: string | string[]]>([
    [
      "getAddressInformation",
      undefined,
      `body: nothing was sent, expected a JSON object such as {"address":"${operationsById.getAddressInformation.examples[0]?.request.body?.["address"]}"}`,
    ],
    ["getConsensusBlock", [1], "body: got a list, expected a JSON object such as {}"],
    [
      "tryLocateResultTx",
      { source: raw, destination: raw },
      "created_lt: missing in the query; expected an integer from 0 to 9223372036854775807",
    ],
    [
      "getAddressInformation",
      { address: raw, adress: raw },
      '"adress" is not a member of this request; accepted are address, seqno',
    ],
    ["getOutMsgQueueSize", { x: 1 }, '"x" is not a member of this request; no members are accepted'],
    [
      "lookupBlock",
      { ...masterchain, seqno: 1.5 },
      "seqno: got 1.5, expected an integer from 1 to 4294967295, as a number or a decimal string",
    ],
    [
      "getAddressInformation",
      { address: raw, seqno: 5 },
      "seqno: got 5, expected an integer from 1 to 4294967295, as a decimal string",
    ],
    ["getTransactionsStd", { address: raw, limit: ["1", "2"] }, "limit: given 2 times, expected once"],
    ["getTransactionsStd", { address: raw, limit: "" }, 'limit: got "", expected an integer from 1 to 1000'],
    ["getTransactionsStd", { address: raw, archival: "1" }, 'archival: got "1", expected true or false'],
    [
      "lookupBlock",
      { ...masterchain, seqno: 1, lt: 1 },
      "exactly one of seqno, lt and unixtime is required; seqno and lt are given in the body",
    ],
    ["lookupBlock", masterchain, "exactly one of seqno, lt and unixtime is required; none is given in the body"],
    [
      "getAddressInformation",
      { address: `${friendly.slice(0, -1)}S` },
      "address: wrong checksum; an address is workchain:64 hexadecimal digits or 48 characters of base64",
    ],
    [
      "lookupBlock",
      { workchain: "2147483648", shard: "9223372036854775808", seqno: "4294967296" },
      [
        "workchain: 2147483648 is out of range; an integer from -2147483648 to 2147483647 is accepted",
        "shard: 9223372036854775808 is out of range; an integer from -9223372036854775808 to 9223372036854775807 is accepted",
        "seqno: 4294967296 is out of range; an integer from 1 to 4294967295 is accepted",
      ],
    ],
    [
      "lookupBlock",
      { ...masterchain, shard: "8000000000000000", seqno: 1 },
      'shard: got "8000000000000000", the hexadecimal form of a shard; in decimal it is "-9223372036854775808"',
    ],
    [
      "lookupBlock",
      { ...masterchain, shard: 8000000000000000, seqno: 1 },
      'shard: got 8000000000000000, the hexadecimal form of a shard; in decimal it is "-9223372036854775808"',
    ],
    [
      "lookupBlock",
      { workchain: 0, shard: "0xC000000000000000", seqno: 1 },
      'shard: got "0xC000000000000000", expected an integer from -9223372036854775808 to 9223372036854775807, as a number or a decimal string; in decimal it is "-4611686018427387904"',
    ],
    ["getTransactionsStd", { address: raw, lt: "5" }, "hash: missing; lt and hash should be used together"],
    ["getTransactionsStd", { address: raw, hash: raw.slice(2) }, "lt: missing; lt and hash should be used together"],
  ])("%s of %j: %s", ([operation, sent, expected]) => {
    expect(problems(operation, sent)).toEqual([expected].flat());
  });

  test("is described by five problems at most, each of a bounded length", () => {
    const sent = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}${"x".repeat(500)}`, 1]));
    const found = problems("getConsensusBlock", sent);
    expect(found).toHaveLength(5);
    for (const problem of found) expect(problem.length).toBeLessThan(150);
  });

  test("names large values without showing them", () => {
    expect(problems("getAddressInformation", { address: { deep: [] } })[0]).toMatch(
      /^address: got an object, expected an address/,
    );
  });
});

const ajv = new Ajv2020({
  allowUnionTypes: true,
  formats: { int32: true, int64: true },
  keywords: ["x-decision", "x-kind", "x-minimum", "x-maximum"],
});
const values = fc.oneof(
  fc.constantFrom<unknown>(raw, friendly, "", "0", "-1", "5", "1000", 0, -1, 5, 1.5, 2 ** 40, -(2 ** 63), true, null, [], {}),
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
  fc.jsonValue(),
);

describe("a body", () => {
  const lookupProblems = (text: string): string => {
    const parsed = parseBody(`{"workchain":-1,"shard":"1","lt":${text}}`, "lookupBlock");
    return parsed.ok ? problems("lookupBlock", parsed.body).join() : parsed.problem;
  };
  const accepted = "an integer from 0 to 9223372036854775807, as a number or a decimal string";

  test("keeps all digits of an integer", () => {
    const parsed = parseBody('{"workchain":-1,"shard":-9223372036854775807,"lt":100000000000000001}', "lookupBlock");
    if (!parsed.ok) throw new Error(parsed.problem);
    expect(checkRequest("lookupBlock", parsed.body)).toMatchObject({
      inputs: { shard: -9223372036854775807n, lt: 100000000000000001n },
    });
  });

  test("is refused if a number would lose digits", () => {
    for (const text of ["100000000000000001.0", "1e400", "1.00000000000000001e17"]) {
      expect(lookupProblems(text)).toBe(`lt: got "${text}", expected ${accepted}`);
    }
    expect(lookupProblems("1e3")).toBe("");
    const parsed = parseBody('{"address":1e400}', "getAddressInformation");
    if (!parsed.ok) throw new Error(parsed.problem);
    expect(problems("getAddressInformation", parsed.body)[0]).toMatch(/^address: got a number that is too large, /);
  });

  test("is refused if it is no JSON or too deep, however deep", () => {
    const nested = (levels: number, inner = ""): string => `${"[".repeat(levels)}${inner}${"]".repeat(levels)}`;
    expect(parseBody(nested(32))).toMatchObject({ ok: true });
    for (const levels of [33, 30_000]) {
      const problem = "body: nested more than 32 levels deep";
      expect(parseBody(nested(levels, "1234567890123456"), "lookupBlock")).toEqual({ ok: false, problem });
    }
    expect(parseBody("{")).toEqual({ ok: false, problem: "body: not JSON, expected one JSON object" });
    expect(parseBody("")).toEqual({ ok: true, body: undefined });
  });
});

test("an address with an unescaped plus sign gets a hint in a query, not in a body", () => {
  const hint = /; a \+ is sent as %2B in a query$/;
  const spaced = friendly.replace("_", " ");
  expect(problems("getTransactionsStd", { address: spaced })[0]).toMatch(hint);
  expect(problems("getAddressInformation", { address: spaced })[0]).not.toMatch(hint);
});

describe.each(operations)("the problems of $id", ({ id, inputs, oneOf, request }) => {
  const accepts = ajv.compile(request);
  const names = [...inputs.map(({ name }) => name), "x", "__proto__"];

  test("are found if the schema rejects a body, and otherwise only for rules that no schema expresses", () => {
    const bodies = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), values));
    fc.assert(
      fc.property(bodies, (sent) => {
        if (inputs.some((input) => input.in === "query")) return;
        const found = problems(id, sent);
        if (!accepts(sent)) expect(found).not.toEqual([]);
        else for (const problem of found) expect(problem).toMatch(/out of range|an address is|the hexadecimal form/);
      }),
      { seed: 1 },
    );
  });

  test("each name an input, or the choice between some", () => {
    const queries = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), fc.constantFrom(raw, "5", "true")));
    fc.assert(
      fc.property(queries, (sent) => {
        for (const problem of problems(id, sent)) {
          const [name = ""] = problem.split(":");
          expect(
            names.includes(name) || /is not a member/.test(problem) || (oneOf.length > 0 && /^exactly one of/.test(problem)),
          ).toBe(true);
        }
      }),
      { seed: 1 },
    );
  });
});
