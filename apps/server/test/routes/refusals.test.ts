import { describe, expect, test } from "vitest";
import { ask, readResponse } from "../fixtures/ask.ts";
import { sharedService } from "../fixtures/service.ts";

const service = sharedService();

const address = "EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH";
const shard = "-9223372036854775808";
const anAddress = "an address, workchain:64 hexadecimal digits or 48 characters of base64";

/** Sends a body as it is. */
const post = (path: string, body: string): Promise<Response> =>
  fetch(`${service.url}/api/v2/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body });

describe("an invalid request", () => {
  test("does not echo an API key in the wrong place", async () => {
    const secret = "s".repeat(43);
    const { body } = await ask(service.url, "getAddressInformation", { address: `cq_0123456789ab_${secret}` });
    expect(body.error).toMatch(/^address: got "cq_0123456789ab_…+, expected /);
    expect(body.error).not.toContain("sss");
  });

  test.each([
    ["getAddressInformation", {}, `address: missing in the body; expected ${anAddress}`],
    ["getAddressInformation", { address: "unknown" }, `address: got "unknown", expected ${anAddress}`],
    [
      "getAddressInformation",
      { address, seqno: 5 },
      "seqno: got 5, expected an integer from 1 to 4294967295, as a decimal string",
    ],
    [
      "getAddressInformation",
      { address, sequence: 5 },
      '"sequence" is not a member of this request; accepted are address, seqno',
    ],
    ["getTransactionsStd", { address, limit: 0 }, "limit: got 0, expected an integer from 1 to 1000"],
    ["getTransactionsStd", { address, limit: "ten" }, 'limit: got "ten", expected an integer from 1 to 1000'],
    ["getTransactionsStd", { address, archival: "maybe" }, 'archival: got "maybe", expected true or false'],
    [
      "getTransactionsStd",
      { address, lt: "1", hash: "abc" },
      'hash: got "abc", expected 64 hexadecimal or 44 base64 characters, which are 32 bytes',
    ],
    ["lookupBlock", { workchain: -1, shard }, "exactly one of seqno, lt and unixtime is required; none is given in the body"],
    [
      "lookupBlock",
      { workchain: -1, shard, seqno: 1, lt: "1" },
      "exactly one of seqno, lt and unixtime is required; seqno and lt are given in the body",
    ],
    [
      "lookupBlock",
      { workchain: -1, shard: "x", seqno: 0 },
      'shard: got "x", expected an integer from -9223372036854775808 to 9223372036854775807, as a number or a decimal string; ' +
        "seqno: got 0, expected an integer from 1 to 4294967295, as a number or a decimal string",
    ],
    [
      "lookupBlock",
      { workchain: -1, shard, seqno: 1, block: 1 },
      '"block" is not a member of this request; accepted are workchain, shard, seqno, lt, unixtime',
    ],
    [
      "tryLocateResultTx",
      { source: address, destination: address, created_lt: "9223372036854775808" },
      "created_lt: 9223372036854775808 is out of range; an integer from 0 to 9223372036854775807 is accepted",
    ],
    ["getConsensusBlock", { block: 1 }, '"block" is not a member of this request; no members are accepted'],
  ] as const)("of %s is refused with the member, the problem and the accepted values: %j", async (id, input, error) => {
    const { body } = await ask(service.url, id, input);
    expect(body).toMatchObject({ ok: false, code: 422, error, reason: "invalid_input" });
    const [, member] = /^"?(\w+)"?(?::| is not a member)/.exec(error) ?? [];
    expect(Object(body).input).toBe(member);
  });

  test("with a repeated parameter is refused", async () => {
    const response = await fetch(`${service.url}/api/v2/getTransactionsStd?address=${address}&lt=1&lt=2`);
    expect((await readResponse("getTransactionsStd", response)).body.error).toBe("lt: given 2 times, expected once");
  });

  test.each([
    ["nothing", "", "body: nothing was sent, expected a JSON object such as {}"],
    ["null", "null", "body: got null, expected a JSON object such as {}"],
    ["half of it", '{"a":', "body: not JSON, expected one JSON object"],
    ["a list", "[]", "body: got a list, expected a JSON object such as {}"],
    ["a deep list", "[".repeat(30_000) + "]".repeat(30_000), "body: nested more than 32 levels deep"],
    ["a prototype", '{"__proto__":{}}', '"__proto__" is not a member of this request; no members are accepted'],
    [
      "a deep member",
      `{"x":${"[".repeat(30_000)}1234567890123456${"]".repeat(30_000)}}`,
      "body: nested more than 32 levels deep",
    ],
  ])("whose body is %s is refused with 422", async (_, body, error) => {
    expect((await readResponse("getConsensusBlock", await post("getConsensusBlock", body))).body).toMatchObject({
      code: 422,
      error,
    });
  });
});

describe("an unrouted request", () => {
  test("to an unknown path is a 404", async () => {
    for (const path of [
      "/api/v2/getBlock",
      "/api/v3/lookupBlock",
      "/api/v2/lookupblock",
      "/api/v2/lookupBlock/",
      "/__proto__",
    ]) {
      const { body } = await readResponse("lookupBlock", await fetch(service.url + path));
      expect(body).toMatchObject({ code: 404, error: "there is no such path; expected /api/v2/ and the name of an operation" });
    }
  });
});

describe("@extra", () => {
  test("is returned from the query or the body, in successes and failures", async () => {
    const extras = [
      await ask(service.url, "getMasterchainInfo", { "@extra": "mine" }),
      await ask(service.url, "getConsensusBlock", { "@extra": "mine" }),
      await ask(service.url, "getTransactionsStd", { address: `0:${"17".repeat(32)}`, "@extra": "mine" }),
      await ask(service.url, "getTransactionsStd", { address: "x", "@extra": "mine" }),
      await ask(service.url, "getConsensusBlock", { x: 1, "@extra": "mine" }),
      await ask(service.url, "lookupBlock", { workchain: 5, shard, seqno: 1, "@extra": "mine" }),
    ].map(({ body }) => body["@extra"]);
    expect(extras).toEqual(extras.map(() => "mine"));
    const unknown = await fetch(`${service.url}/nowhere?${new URLSearchParams({ "@extra": "mine" })}`);
    expect(await unknown.json()).toMatchObject({ "@extra": "mine" });
  });

  test("may be any text", async () => {
    for (const text of ["", "é💥\u2028", '"\\\u0000\n', "\ud800", "x".repeat(5000)]) {
      expect((await ask(service.url, "getConsensusBlock", { "@extra": text })).body["@extra"]).toBe(text);
    }
    expect(
      (await ask(service.url, "getTransactionsStd", { address: `0:${"17".repeat(32)}`, "@extra": "é💥" })).body["@extra"],
    ).toBe("é💥");
  });

  test("defaults to time, node and seconds taken", async () => {
    const { body } = await ask(service.url, "getMasterchainInfo");
    expect(body["@extra"]).toMatch(/^\d{10}:0:\d+\.\d{3}$/);
    expect(Math.abs(Number(body["@extra"]?.slice(0, 10)) - Date.now() / 1000)).toBeLessThan(60);
  });
});
