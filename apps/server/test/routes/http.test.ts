import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../processes/command.ts";
import { startService, type TestService } from "../service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService("--keyless-rate", "2");
});
afterAll(() => service[Symbol.asyncDispose]());

/** Sends bytes as they are, and gives the text that comes back. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      answer += chunk;
    });
    socket.once("close", () => resolve(answer)).once("error", reject);
    socket.write(text);
  });

const metrics = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text();

describe("what Node would refuse by itself", () => {
  test("a request without a host is refused in words, and behind the limits", async () => {
    const answer = await raw("GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"error":"host: missing in the headers","code":400');
    expect(answer).toMatch(/^ratelimit: "page"/im);
    expect(await raw("GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("an expectation that nobody knows is left out of account", async () => {
    const answer = await raw("GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: nonsense\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^ratelimit: "page"/im);
  });
});

describe("a method that nothing here takes", () => {
  test.each([
    ["/api/v2/getMasterchainInfo", 405, "GET, HEAD, OPTIONS"],
    ["/api/v2/lookupBlock", 405, "POST, OPTIONS"],
    ["/healthz", 405, "GET, HEAD, OPTIONS"],
    ["/nowhere", 404, null],
  ])("is refused at %s, whether or not it says what it sends", async (path, status, allow) => {
    for (const headers of [{}, { "content-type": "application/json" }, { "content-type": "text/csv" }]) {
      const response = await fetch(service.url + path, { method: "QUERY", headers });
      expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
      expect(await response.json()).toMatchObject({ ok: false, code: status });
    }
  });
});

describe("what HTTP refuses by itself", () => {
  test("is counted", async () => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\nx-much: ${"a".repeat(20_000)}\r\n\r\n`);
    socket.resume();
    const counted = 'chain_query_request_duration_seconds_count{operation="unread",status="431"} 1';
    await until(async () => (await metrics()).includes(counted) || undefined);
    socket.destroy();
  });
});

describe("a caller who leaves in the middle of a request", () => {
  test("is counted as one who made a mistake", async () => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    socket.write(
      "POST /api/v2/lookupBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{",
    );
    socket.write('"workchain":');
    const counted = 'chain_query_request_duration_seconds_count{operation="lookupBlock",status="422"} 1';
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await until(async () => (await metrics()).includes(counted) || undefined);
    expect(await metrics()).not.toContain('status="500"');
  });
});
