import { afterAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/index.ts";
import { example, examples, get, post, send } from "../calls.ts";

const alice = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const stranger = `0:${"ab".repeat(32)}`;

const mock = await startMock();
afterAll(() => mock.close());

/** Pairs whose request no pair before them has, or that are the first of several to succeed. */
const answered = examples.filter(
  (one) =>
    one ===
    examples
      .filter((other) => other.operationId === one.operationId && JSON.stringify(other.request) === JSON.stringify(one.request))
      .toSorted((a, b) => Math.sign(a.response.status - 300) - Math.sign(b.response.status - 300))[0],
);

describe("a documented request", () => {
  test("has a documented response in most cases", () => {
    expect(answered.length).toBeGreaterThanOrEqual(25);
  });

  test.for(answered)("$operationId is answered with its own example, $condition", async (one) => {
    const response = await send(mock.url, one);
    expect(response.status).toBe(one.response.status);
    expect(await response.json()).toEqual(one.response.body);
  });

  test.for(["current", "lagging"])("that several examples have leads to the first that succeeds: %s", async (name) => {
    const response = await send(mock.url, example("getConsensusBlock", name));
    expect(await response.json()).toEqual(example("getConsensusBlock", "current").response.body);
  });

  test("with a header is another request without it", async () => {
    const one = example("getAddressInformation", "unknown-key");
    expect((await send(mock.url, one)).status).toBe(401);
    expect((await send(mock.url, one, { "X-API-Key": "of-another-user" })).status).toBe(200);
    const other = { address: stranger };
    expect((await post(mock, "getAddressInformation", other, { "x-api-key": "not-a-key-of-this-service" })).status).toBe(200);
  });
});

describe("the same request in another spelling", () => {
  const frozen = example("getAddressInformation", "frozen");
  const pages = ["first-page", "next-page"].map((name) => example("getTransactionsStd", name));

  test.for([
    "0:802cc36c5a6ec8991948feb6f54dff5a300bbcfd6b6835b15b2e4ab07f719668",
    "0:802CC36C5A6EC8991948FEB6F54DFF5A300BBCFD6B6835B15B2E4AB07F719668",
    "UQCALMNsWm7ImRlI_rb1Tf9aMAu8_WtoNbFbLkqwf3GWaKo2",
    "EQCALMNsWm7ImRlI/rb1Tf9aMAu8/WtoNbFbLkqwf3GWaPfz",
  ])("names the account as %s", async (address) => {
    const { body } = await post(mock, "getAddressInformation", { address });
    expect(body).toEqual(frozen.response.body);
  });

  test("gives integers as numbers or as strings", async () => {
    const one = example("lookupBlock", "past-head");
    const shard = "-9223372036854775808";
    // As a number of JavaScript, the shard would lose its last digits.
    const numbers = `{"workchain":-1,"shard":${shard},"seqno":1000000000}`;
    for (const body of [JSON.stringify({ workchain: "-1", shard, seqno: "1000000000" }), numbers]) {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${mock.url}/api/v2/lookupBlock`, { method: "POST", headers, body });
      expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 404, body: one.response.body });
    }
  });

  test.for(["Ci/401J9kaHmt8iLHU5TzZdcUcOys/oMn9q8H6iJHh4=", "Ci_401J9kaHmt8iLHU5TzZdcUcOys_oMn9q8H6iJHh4="])(
    "gives the hash as %s",
    async (hash) => {
      const { body } = await get(mock, "getTransactionsStd", { address: alice, limit: "2", lt: "823000001", hash });
      expect(body).toEqual(pages[1]?.response.body);
    },
  );

  test("has or omits the default values", async () => {
    const { query } = pages[0]?.request ?? { query: {} };
    const said = { ...query, to_lt: "0", archival: "false" } as Record<string, string>;
    expect((await get(mock, "getTransactionsStd", said)).body).toEqual(pages[0]?.response.body);
    const empty = example("getTransactionsStd", "empty-page");
    const limited = { ...empty.request.query, limit: "10" } as Record<string, string>;
    expect((await get(mock, "getTransactionsStd", limited)).body).toEqual(empty.response.body);
  });
});

describe("invalid values", () => {
  const wrong = `${alice.slice(0, -1)}J`;

  test.for<[what: string, operationId: string, body: object, error: RegExp]>([
    ["a checksum", "getAddressInformation", { address: wrong }, /^address: wrong checksum/],
    [
      "a checksum of the second address",
      "tryLocateSourceTx",
      { source: alice, destination: wrong, created_lt: "9" },
      /^destination: /,
    ],
    [
      "a workchain of a raw address",
      "getAddressInformation",
      { address: `2147483648:${"0".repeat(64)}` },
      /^address: workchain/,
    ],
    ["a logical time of 2^63", "lookupBlock", { workchain: 0, shard: "1", lt: "9223372036854775808" }, /^lt: /],
    ["a shard below -2^63", "lookupBlock", { workchain: 0, shard: "-9223372036854775809", seqno: 1 }, /^shard: /],
    ["a workchain as text", "lookupBlock", { workchain: "2147483648", shard: "1", seqno: 1 }, /^workchain: /],
    ["a seqno as text", "lookupBlock", { workchain: 0, shard: "1", seqno: "4294967296" }, /^seqno: /],
    ["two selectors", "lookupBlock", { workchain: 0, shard: "1", seqno: 1, lt: "1" }, /seqno and lt are given/],
    ["a selector alone, and no other", "lookupBlock", { workchain: 0, shard: "1", lt: -1 }, /^[^;]*\blt\b[^;]*$/],
  ])("%s is a 422 that names the member", async ([, operationId, body, error]) => {
    const response = await post(mock, operationId, body);
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ ok: false, code: 422, reason: "invalid_input", error: expect.stringMatching(error) });
  });

  test.for<[query: Record<string, string>, error: RegExp]>([
    [{ lt: "5" }, /^hash: missing; lt and hash should be used together$/],
    [{ hash: "0".repeat(64) }, /^lt: missing; lt and hash should be used together$/],
    [{ lt: "" }, /^lt: got "", expected an integer/],
    [{ limit: "1e1" }, /^limit: /],
    [{ to_lt: "9999999999999999999" }, /^to_lt: /],
  ])("the query %j is a 422 that names the member", async ([query, error]) => {
    const response = await get(mock, "getTransactionsStd", { address: alice, ...query });
    expect(response.status).toBe(422);
    expect(response.body.error).toMatch(error);
  });

  test.for<unknown>([{ toString: null }, { workchain: 0 }, ["x"], null, 7])(
    "an address that is %j is a 422",
    async (address) => {
      const { status, body } = await post(mock, "getAddressInformation", { address });
      expect([status, body.error]).toEqual([422, expect.stringMatching(/^address: got /)]);
    },
  );

  test("a member with the name of a method is only unknown", async () => {
    expect((await post(mock, "getConsensusBlock", { __defineGetter__: 1, constructor: 1 })).status).toBe(422);
  });

  test("stays invalid if another response is preferred", async () => {
    const { status } = await post(mock, "getAddressInformation", { address: wrong }, { prefer: "code=200" });
    expect(status).toBe(422);
  });
});
