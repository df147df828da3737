import { type OperationId, operations, operationsById, type Schema, schemas } from "@chain-query/openapi/operations";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createClient, ResponseValidationError } from "../../src/index.ts";
import { validate } from "../../src/validate.ts";

type Path = readonly (string | number)[];

const examples = operations.flatMap((operation) => operation.examples);
const documented = examples.map(({ operationId, condition, response: { status, body } }) => ({
  operationId,
  name: `${operationId}.${condition}`,
  status,
  body: body as unknown,
}));
const successes = documented.filter(({ status }) => status === 200);

/** Ajv on the schemas of the contract, the other validator. Its `discriminator` accepts values that are not objects. */
const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
function isValid(operationId: OperationId, body: unknown): boolean {
  const schema: Schema = Object(body).ok === false ? (schemas["Failure"] ?? {}) : operationsById[operationId].envelope;
  return ajv.validate(schema, body);
}

/** Every place within a value, as the way to it. */
function placesIn(value: unknown, path: Path = []): Path[] {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const nameOf = (name: string) => (Array.isArray(value) ? Number(name) : name);
  return [path, ...members.flatMap(([name, member]) => placesIn(member, [...path, nameOf(name)]))];
}

/** A copy that has something else at a place, or nothing. */
function changed(body: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to;
  const copy = Array.isArray(body) ? [...(body as unknown[])] : { ...(body as object) };
  const members = copy as Record<string | number, unknown>;
  const value = changed(members[name], rest, to);
  if (value === undefined) delete members[name];
  else members[name] = value;
  return copy;
}

const written = (path: Path) =>
  path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .slice(1);
const others: readonly unknown[] = [null, true, -1, 1.5, "", "5", 2 ** 32, [], {}];

/** The issues of a body, of which there are some if Ajv rejects it. */
function expectSame(operationId: OperationId, body: unknown): readonly string[] {
  const issues = validate(operationId, body);
  expect({ issues, valid: issues.length === 0 }).toEqual({ issues, valid: isValid(operationId, body) });
  return issues;
}

describe("validate", () => {
  test.for(documented)("accepts the example $name", ({ operationId, body }) => {
    expect(validate(operationId, body)).toEqual([]);
  });

  test.for(successes)("names each required member that $name lacks", ({ operationId, body }) => {
    for (const path of placesIn(body).filter((each) => typeof each.at(-1) === "string" && each.at(-1) !== "ok")) {
      const issues = expectSame(operationId, changed(body, path, undefined));
      if (issues.length === 0) continue;
      expect(issues).toEqual([expect.stringMatching(/: expected .*, got nothing$/)]);
      expect(issues[0]?.split(": ")[0]).toBe(written(path));
    }
  });

  test.for(successes)("names each member of $name whose type or value is wrong", ({ operationId, body }) => {
    for (const path of placesIn(body).slice(1)) {
      if (path[0] === "ok") continue;
      for (const other of others) {
        const issues = expectSame(operationId, changed(body, path, other));
        for (const issue of issues) expect(issue.startsWith(written(path))).toBe(true);
      }
    }
  });

  test("agrees with Ajv on any changed response", () => {
    const place = fc
      .constantFrom(...documented)
      .chain((example) => fc.tuple(fc.constant(example), fc.constantFrom(...placesIn(example.body)), fc.jsonValue()));
    fc.assert(
      fc.property(place, ([{ operationId, body }, path, value]) => {
        expectSame(operationId, changed(body, path, value));
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });

  const page = successes.find(({ name }) => name === "getTransactionsStd.first-page")?.body;
  const content: Path = ["result", "transactions", 0, "in_msg", "msg_data"];
  const at = written(content);
  const kinds = '"msg.dataRaw", "msg.dataText", "msg.dataEncryptedText", "msg.dataDecryptedText"';

  test.for([
    ["an unknown kind", { "@type": "msg.dataOther" }, [`${at}.@type: expected one of ${kinds}, got "msg.dataOther"`]],
    ["no kind", {}, [`${at}.@type: expected one of ${kinds}, got nothing`]],
    ["no object", "text", [`${at}: expected object, got "text"`]],
    ["a kind without its member", { "@type": "msg.dataText" }, [`${at}.text: expected string, got nothing`]],
    ["a kind with a wrong member", { "@type": "msg.dataRaw", body: 1, init_state: "" }, [`${at}.body: expected string, got 1`]],
    ["another kind", { "@type": "msg.dataDecryptedText", text: "" }, []],
  ] as const)("validates the content of a message with %s by its @type", ([, data, issues]) => {
    expect(validate("getTransactionsStd", changed(page, content, data))).toEqual(issues);
  });

  test("lists each wrong place once", () => {
    const { body } = successes.find(({ name }) => name === "getMasterchainInfo.head") ?? {};
    const wrong = [
      [["result", "last", "seqno"], "5"],
      [["result", "init", "workchain"], 0.5],
      [["result", "state_root_hash"], "abc"],
      [["@extra"], 7],
    ] as const;
    const broken = wrong.reduce((each, [path, value]) => changed(each, path, value), body);
    expect(validate("getMasterchainInfo", broken)).toEqual([
      'result.last.seqno: expected integer, got "5"',
      'result.state_root_hash: expected text like /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/u, got "abc"',
      "result.init.workchain: expected integer, got 0.5",
      "@extra: expected string, got 7",
    ]);
  });

  test("shows no part of a long text", () => {
    const [issue] = validate("getConsensusBlock", { ok: true, result: "k".repeat(64) });
    expect(issue).toBe("result: expected object, got text of 64 characters");
  });

  test("accepts members that the contract does not name", () => {
    const { body } = successes.find(({ name }) => name === "getConsensusBlock.current") ?? {};
    expect(validate("getConsensusBlock", changed(body, ["result", "new_member"], 1))).toEqual([]);
  });

  test.for(["lookupBlok", "constructor", ""])("takes the operation %j for an issue", (operation) => {
    expect(validate(operation, { ok: true })).toEqual([`${operation} is not an operation of the contract`]);
  });

  test.for([null, undefined, 1, "x", []])("takes the envelope %j for an issue", (envelope) => {
    expect(validate("getConsensusBlock", envelope)).toEqual([expect.stringMatching(/^the response: expected object, got /)]);
  });

  test("makes a response that breaks the contract a ResponseValidationError, without the key", async () => {
    const fetch = async () => Response.json({ ok: true, result: "no-secret" });
    const chain = createClient({ baseUrl: "http://node.test", apiKey: "no-secret", fetch, validate });
    const failed = await chain.getConsensusBlock().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ResponseValidationError);
    expect(failed).toMatchObject({ issues: ['result: expected object, got "[key]"'] });
    expect(JSON.stringify(failed) + String(failed)).not.toContain("no-secret");
  });
});
