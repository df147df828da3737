import { afterAll, afterEach, describe, expect, test } from "vitest";
import { OptionError, startMock } from "../src/index.ts";
import { example, get, post, send } from "./calls.ts";

const mock = await startMock();
afterEach(() => mock.reset());
afterAll(() => mock.close());

describe("mock.requests", () => {
  test("lists the requests without the key", async () => {
    await get(mock, "getTransactionsStd", { address: "x", limit: "2" }, { "X-API-Key": "secret" });
    await post(mock, "lookupBlock", { workchain: 0, shard: "1", seqno: 5 });
    expect(mock.requests).toMatchObject([
      {
        method: "GET",
        path: "/api/v2/getTransactionsStd",
        query: { address: "x", limit: "2" },
        headers: { "x-api-key": "[redacted]" },
      },
      { method: "POST", path: "/api/v2/lookupBlock", query: {}, body: { workchain: 0, shard: "1", seqno: 5 } },
    ]);
    expect(JSON.stringify(mock.requests)).not.toContain("secret");
    expect(mock.requests[0]).not.toHaveProperty("body");
  });

  test("keeps the text of a body that is not JSON", async () => {
    const headers = { "content-type": "application/json" };
    await fetch(`${mock.url}/api/v2/lookupBlock`, { method: "POST", headers, body: "{bad" });
    expect(mock.requests).toMatchObject([{ body: "{bad" }]);
  });

  test("keeps the latest ones, and the beginning of a long body", async () => {
    await using small = await startMock({ keepRequests: 2 });
    for (const seqno of [1, 2, 3]) await post(small, "lookupBlock", { seqno });
    expect(small.requests.map(({ body }) => body)).toEqual([{ seqno: 2 }, { seqno: 3 }]);
    await post(small, "lookupBlock", { long: "x".repeat(50_000) });
    expect(String(small.requests[1]?.body)).toHaveLength(16 * 1024);
    const chunked = { method: "POST", body: new Blob(["x".repeat(50_000)]).stream(), duplex: "half" } as const;
    await fetch(`${small.url}/api/v2/lookupBlock`, chunked);
    expect(small.requests[1]?.headers).not.toHaveProperty("content-length");
    expect(String(small.requests[1]?.body)).toHaveLength(16 * 1024);
  });
});

describe("mock.override", () => {
  const asked = example("lookupBlock", "by-seqno");

  test("answers with an example of any status", async () => {
    mock.override("lookupBlock", "past-head");
    const response = await send(mock.url, asked);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual(example("lookupBlock", "past-head").response.body);
    mock.override("getOutMsgQueueSize", "no-node");
    expect((await post(mock, "getOutMsgQueueSize", {})).status).toBe(542);
  });

  test("answers with a status, and leaves other operations alone", async () => {
    mock.override("lookupBlock", 503);
    expect((await send(mock.url, asked)).status).toBe(503);
    expect((await post(mock, "getConsensusBlock", {})).status).toBe(200);
  });

  test("sends the result of a handler", async () => {
    mock.override("lookupBlock", async ({ body }) => ({ status: 201, headers: { "x-mine": "1" }, body: { you: body } }));
    const response = await send(mock.url, asked);
    expect(response.status).toBe(201);
    expect(response.headers.get("x-mine")).toBe("1");
    expect(await response.json()).toEqual({ you: asked.request.body });
  });

  test("the last one applies, until reset", async () => {
    mock.override("lookupBlock", () => ({ status: 500 }));
    mock.override("lookupBlock", 504);
    expect((await send(mock.url, asked)).status).toBe(504);
    mock.reset();
    expect((await send(mock.url, asked)).status).toBe(200);
    expect(mock.requests).toHaveLength(1);
  });

  test("does not replace the responses to invalid requests or to Prefer", async () => {
    mock.override("lookupBlock", () => ({ status: 500 }));
    expect((await post(mock, "lookupBlock", {})).status).toBe(422);
    expect((await send(mock.url, asked, { prefer: "code=429" })).status).toBe(429);
  });

  test.for<[operationId: string, override: string | number, error: RegExp]>([
    ["lookUpBlock", 500, /expected one of the operations .*lookupBlock, .*got "lookUpBlock"/],
    ["lookupBlock", "frozen", /expected one of its examples head, by-seqno, by-lt.*got "frozen"/],
    ["lookupBlock", 100, /expected 200, 304 or a status from 400 to 600, got 100/],
    ["lookupBlock", 201, /expected 200, 304 or a status from 400 to 600, got 201/],
  ])("of %s by %s throws", ([operationId, override, error]) => {
    // As JavaScript, which has no types, may call it.
    const wrong = () => mock.override(operationId as "lookupBlock", override as number);
    expect(wrong).toThrow(OptionError);
    expect(wrong).toThrow(error);
  });
});

test("HEAD has the headers of GET and no body", async () => {
  const url = `${mock.url}/api/v2/getMasterchainInfo`;
  const response = await fetch(url, { method: "HEAD" });
  const length = (await (await fetch(url)).arrayBuffer()).byteLength;
  expect(response.status).toBe(200);
  expect(response.headers.get("content-length")).toBe(`${length}`);
  expect(await response.text()).toBe("");
});
