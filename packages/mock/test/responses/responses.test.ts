import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/index.ts";
import { example, examples, firstExamples, send } from "../calls.ts";

const mock = await startMock();
afterAll(() => mock.close());

const reasons: Readonly<Record<number, string>> = {
  ...{ 404: "unknown_path", 405: "wrong_method", 413: "too_large", 415: "unsupported_media", 422: "invalid_input" },
};

/** A failure in the contract's envelope, with its reason and a text that fits. */
async function expectFailure(response: Response, status: number, error: RegExp): Promise<void> {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/json");
  const body = { ok: false, error: expect.stringMatching(error), code: status, reason: reasons[status] };
  expect(await response.json()).toMatchObject(body);
}

function post(path: string, body: string, contentType = "application/json"): Promise<Response> {
  return fetch(`${mock.url}/api/v2/${path}`, { method: "POST", headers: { "content-type": contentType }, body });
}

describe("a valid request", () => {
  test("there are eight operations", () => {
    expect(firstExamples).toHaveLength(8);
  });

  test.for(firstExamples)("$operationId is answered with its first example", async (one) => {
    const response = await send(mock.url, one);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual(one.response.body);
  });

  test("needs no key, and may have one", async () => {
    const one = example("getMasterchainInfo", "head");
    expect((await send(mock.url, one)).status).toBe(200);
    expect((await send(mock.url, one, { "x-api-key": "any" })).status).toBe(200);
  });

  test("is answered with JSON even if the caller accepts something else", async () => {
    const one = example("getMasterchainInfo", "head");
    const response = await send(mock.url, one, { accept: "text/html" });
    expect(await response.json()).toEqual(one.response.body);
  });

  test("may come with a charset in its content type", async () => {
    const one = example("lookupBlock", "head");
    const response = await post("lookupBlock", JSON.stringify(one.request.body), "application/json; charset=utf-8");
    expect(await response.json()).toEqual(one.response.body);
  });

  test("may name the whole URL in its request line", async () => {
    const { hostname, port } = new URL(mock.url);
    const path = `${mock.url}/api/v2/getMasterchainInfo`;
    const body = await new Promise<string>((resolve, reject) => {
      request({ hostname, port, path }, (response) => resolve(text(response)))
        .on("error", reject)
        .end();
    });
    expect(JSON.parse(body)).toEqual(example("getMasterchainInfo", "head").response.body);
  });
});

describe("Prefer", () => {
  test.for(examples)("$operationId answers $condition by code and name", async (one) => {
    const response = await send(mock.url, one, { prefer: `code=${one.response.status}, example=${one.condition}` });
    expect(response.status).toBe(one.response.status);
    expect(await response.json()).toEqual(one.response.body);
  });

  test("example alone chooses among the good responses", async () => {
    const response = await send(mock.url, example("getAddressInformation", "active"), { prefer: "example=frozen" });
    expect(await response.json()).toEqual(example("getAddressInformation", "frozen").response.body);
  });

  test("code alone gives the first response with that status, and its headers", async () => {
    const response = await send(mock.url, example("lookupBlock", "by-lt"), { prefer: "code=429" });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toMatchObject({ ok: false, code: 429, reason: "rate_limited" });
  });

  test("a status that only default describes is also the code of the failure", async () => {
    const response = await send(mock.url, example("getMasterchainInfo", "head"), { prefer: "code=503" });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ ok: false, code: 503 });
  });

  test("does not outlive its request", async () => {
    const one = example("getMasterchainInfo", "head");
    await send(mock.url, one, { prefer: "code=500" });
    expect((await send(mock.url, one)).status).toBe(200);
  });

  test("an unknown example is rejected with a list of the examples", async () => {
    const response = await send(mock.url, example("getMasterchainInfo", "head"), { prefer: "example=frozen" });
    await expectFailure(response, 422, /example=frozen.* head, young-chain$/);
  });

  test.for(["abc", "100", "601", "4290"])("code=%s is rejected", async (code) => {
    const response = await send(mock.url, example("getMasterchainInfo", "head"), { prefer: `code=${code}` });
    await expectFailure(response, 422, new RegExp(`code=${code}.*200 to 600`));
  });
});

describe("an invalid request", () => {
  test.for<[what: string, path: string, body: string, error: RegExp]>([
    ["a missing member", "getAddressInformation", "{}", /address/],
    ["an unknown member", "getConsensusBlock", '{"surplus": 1}', /surplus/],
    ["no selector", "lookupBlock", '{"workchain": 0, "shard": "1"}', /seqno.*lt.*unixtime/],
    ["a malformed address", "getAddressInformation", '{"address": "x"}', /address/],
    ["a body that is not JSON", "lookupBlock", "{bad", /^body: not JSON, expected one JSON object$/],
    ["no body", "getAddressInformation", "", /body: nothing was sent/],
  ])("%s is a 422 that names it", async ([, path, body, error]) => {
    await expectFailure(await post(path, body), 422, error);
  });

  test("another content type than JSON is a 415", async () => {
    await expectFailure(await post("getConsensusBlock", "{}", "text/plain"), 415, /^content-type: expected application\/json$/);
  });

  test.for<[query: string, error: RegExp]>([
    ["limit=2", /address/],
    ["address=x", /address/],
    [`address=0:${"0".repeat(64)}&limit=0`, /limit/],
    [`address=0:${"0".repeat(64)}&limit=ten`, /limit/],
  ])("the query %s is a 422 that names the parameter", async ([query, error]) => {
    await expectFailure(await fetch(`${mock.url}/api/v2/getTransactionsStd?${query}`), 422, error);
  });

  test("stays invalid if another response is preferred", async () => {
    const response = await fetch(`${mock.url}/api/v2/getTransactionsStd`, { headers: { prefer: "code=429" } });
    await expectFailure(response, 422, /address/);
  });

  test("a body above 64 KiB is a 413", async () => {
    await expectFailure(await post("lookupBlock", "x".repeat(64 * 1024 + 1)), 413, /^body: too large, at most 65536 bytes/);
  });
});

describe("a path or method outside the contract", () => {
  test.for(["/", "/api/v2/nope", "//", "/api/v2/getMasterchainInfo/", "/%zz"])("the path %s is a 404", async (path) => {
    await expectFailure(await fetch(`${mock.url}${path}`), 404, /no path/);
  });

  test("another method is a 405 that names the right one", async () => {
    const response = await fetch(`${mock.url}/api/v2/lookupBlock`);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    await expectFailure(response, 405, /takes POST, not GET/);
  });
});

describe("a page of another origin", () => {
  test("may read responses and failures", async () => {
    for (const path of ["/api/v2/getMasterchainInfo", "/nope"]) {
      const response = await fetch(`${mock.url}${path}`, { headers: { origin: "http://elsewhere.example" } });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-expose-headers")).toBe("*");
      await response.body?.cancel();
    }
  });

  test("may send JSON and a key", async () => {
    const response = await fetch(`${mock.url}/api/v2/lookupBlock`, {
      method: "OPTIONS",
      headers: {
        origin: "http://elsewhere.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-api-key",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("POST");
    expect(response.headers.get("access-control-allow-headers")).toBe("content-type,x-api-key");
  });
});
