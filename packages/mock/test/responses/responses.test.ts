import { afterAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/index.ts";
import { example, examples, send } from "../calls.ts";

const mock = await startMock();
afterAll(() => mock.close());

test("a valid request needs no key, and may have one", async () => {
  const one = example("getMasterchainInfo", "head");
  expect((await send(mock.url, one)).status).toBe(200);
  expect((await send(mock.url, one, { "x-api-key": "any" })).status).toBe(200);
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
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, OPTIONS");
    expect(response.headers.get("access-control-allow-headers")).toBe("content-type,x-api-key");
  });
});
