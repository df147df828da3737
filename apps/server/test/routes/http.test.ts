import { once } from "node:events";
import { connect } from "node:net";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { sendRaw } from "../fixtures/ask.ts";
import { sharedService, startService } from "../fixtures/service.ts";

/** Any rate above 0 enables rate limits, also for pages. */
const service = sharedService({ keylessRate: 2 });

const metrics = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text();

describe("a request that Node would refuse by itself", () => {
  test("gets the contract's error body and counts against the rate limit, without a Host header", async () => {
    const answer = await sendRaw(service.port, "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"error":"host: missing in the headers","code":400');
    expect(answer).toMatch(/^ratelimit: "page"/im);
    expect(await sendRaw(service.port, "GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("gets a response and counts against the rate limit, with an unknown Expect header", async () => {
    const answer = await sendRaw(
      service.port,
      "GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: unknown\r\nconnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^ratelimit: "page"/im);
  });
});

describe("an unknown method", () => {
  test.each([
    ["/healthz", 405, "GET, HEAD, OPTIONS"],
    ["/nowhere", 404, null],
  ])("is refused at %s, with and without a content type", async (path, status, allow) => {
    for (const headers of [{}, { "content-type": "application/json" }, { "content-type": "text/csv" }]) {
      const response = await fetch(service.url + path, { method: "QUERY", headers });
      expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
      expect(await response.json()).toMatchObject({ ok: false, code: status });
    }
  });
});

describe("a request that the HTTP parser refuses", () => {
  test("is counted", async () => {
    const socket = connect(service.port, "127.0.0.1");
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\nx-much: ${"a".repeat(20_000)}\r\n\r\n`);
    socket.resume();
    const counted = 'chain_query_request_duration_seconds_count{operation="unread",status="431"} 1';
    await until(async () => (await metrics()).includes(counted) || undefined);
    socket.destroy();
  });
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

describe("a caller who disconnects during a request", () => {
  // Not a 500, which would report a failure of the service.
  test("is counted as a 422", async () => {
    const socket = connect(service.port, "127.0.0.1");
    socket.write(
      "POST /api/v2/lookupBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\nexpect: 100-continue\r\n\r\n",
    );
    // The service has read the headers, and so it counts the request.
    await once(socket, "data");
    socket.write('{"workchain":');
    const counted = 'chain_query_request_duration_seconds_count{operation="lookupBlock",status="422"} 1';
    socket.destroy();
    await until(async () => (await metrics()).includes(counted) || undefined);
    expect(await metrics()).not.toContain('status="500"');
  });
});
