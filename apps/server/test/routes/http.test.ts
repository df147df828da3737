import { once } from "node:events";
import { connect } from "node:net";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { ask, sendRaw } from "../fixtures/ask.ts";
import { sharedService, startService } from "../fixtures/service.ts";

/** Any rate above 0 enables rate limits, also for pages. */
const service = sharedService({ keylessRate: 2 });

const metrics = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text();

test.each([
  ["without a Host header", "", 400],
  ["with an unknown Expect header", "host: x\r\nexpect: unknown\r\n", 200],
])("a request that Node would refuse by itself, %s, counts against the rate limit", async (_, headers, status) => {
  const answer = await sendRaw(service.port, `GET /healthz HTTP/1.1\r\n${headers}connection: close\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toMatch(/^ratelimit: "page"/im);
});

test("an unknown method of a page is refused, with any content type", async () => {
  for (const headers of [{}, { "content-type": "application/json" }, { "content-type": "text/csv" }]) {
    const response = await fetch(`${service.url}/healthz`, { method: "QUERY", headers });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(await response.json()).toMatchObject({ ok: false, code: 405 });
  }
});

test("a request that the HTTP parser refuses is counted", async () => {
  const socket = connect(service.port, "127.0.0.1");
  socket.write(`GET / HTTP/1.1\r\nhost: x\r\nx-much: ${"a".repeat(20_000)}\r\n\r\n`);
  socket.resume();
  const counted = 'chain_query_request_duration_seconds_count{operation="unread",status="431"} 1';
  await until(async () => (await metrics()).includes(counted));
  socket.destroy();
});

describe("a request whose body the HTTP parser refuses", () => {
  test.each([
    ["POST", "lookupBlock", 422],
    ["GET", "getMasterchainInfo", 200],
  ])("is counted once: %s %s", async (method, operation, status) => {
    await using service = await startService();
    const head = `${method} /api/v2/${operation} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
    const answer = await sendRaw(service.port, `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    // A request that fails is counted after its response.
    const counted = await until(async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const counts = [...text.matchAll(/_seconds_count\{(operation="(?!page)\w+",status="\d+")\} (\d+)/g)].map(
        ([, ...one]) => one,
      );
      return counts.length > 0 ? counts : undefined;
    });
    expect(counted).toEqual([[`operation="${operation}",status="${status}"`, "1"]]);
  });
});

// Not a 500, which would report a failure of the service.
test("a caller who disconnects during a request is counted as a 422", async () => {
  const socket = connect(service.port, "127.0.0.1");
  socket.write(
    "POST /api/v2/lookupBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\nexpect: 100-continue\r\n\r\n",
  );
  // The service has read the headers, and so it counts the request.
  await once(socket, "data");
  socket.write('{"workchain":');
  const counted = 'chain_query_request_duration_seconds_count{operation="lookupBlock",status="422"} 1';
  socket.destroy();
  await until(async () => (await metrics()).includes(counted));
  expect(await metrics()).not.toContain('status="500"');
});

test("an API key in the wrong place is not echoed", async () => {
  await using free = await startService();
  const secret = "s".repeat(43);
  const { body } = await ask(free.url, "getAddressInformation", { address: `cq_0123456789ab_${secret}` });
  expect(body.error).toMatch(/^address: got "cq_0123456789ab_…+, expected /);
  expect(body.error).not.toContain("sss");
});

describe("@extra", () => {
  const free = sharedService();

  test("is returned from the query or the body, also in failures and at unknown paths", async () => {
    const extras = [
      await ask(free.url, "getTransactionsStd", { address: "x", "@extra": "mine" }),
      await ask(free.url, "getConsensusBlock", { x: 1, "@extra": "mine" }),
      await ask(free.url, "lookupBlock", { workchain: 5, shard: "1", seqno: 1, "@extra": "mine" }),
    ].map(({ body }) => body["@extra"]);
    expect(extras).toEqual(["mine", "mine", "mine"]);
    const unknown = await fetch(`${free.url}/nowhere?${new URLSearchParams({ "@extra": "mine" })}`);
    expect(await unknown.json()).toMatchObject({ "@extra": "mine" });
  });

  test("may be any text, and is time, node and seconds by default", async () => {
    for (const text of ["", "é💥\u2028", '"\\\u0000\n', "\ud800", "x".repeat(5000)]) {
      expect((await ask(free.url, "getConsensusBlock", { "@extra": text })).body["@extra"]).toBe(text);
    }
    expect((await ask(free.url, "getMasterchainInfo", { "@extra": "é💥" })).body["@extra"]).toBe("é💥");
    const { "@extra": extra = "" } = (await ask(free.url, "getMasterchainInfo")).body;
    expect(extra).toMatch(/^\d{10}:0:\d+\.\d{3}$/);
    expect(Math.abs(Number(extra.slice(0, 10)) - Date.now() / 1000)).toBeLessThan(60);
  });
});
