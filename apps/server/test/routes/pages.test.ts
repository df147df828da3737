import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../ask.ts";
import { startService, type TestService } from "../service.ts";

let service: TestService;
let url: string;

beforeAll(async () => {
  service = await startService();
  url = service.url;
});
afterAll(() => service[Symbol.asyncDispose]());

describe("pages", () => {
  test("tell that the service lives and is ready", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const response = await fetch(url + path);
      expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
    }
  });

  test("give the contract as it is published", async () => {
    expect(await (await fetch(`${url}/openapi.json`)).json()).toEqual(JSON.parse(JSON.stringify(bundle)));
  });

  test("count requests by operation and status, and tell the chain", async () => {
    await using other = await startService();
    await ask(other.url, "getMasterchainInfo");
    await ask(other.url, "getMasterchainInfo");
    await ask(other.url, "lookupBlock", {});
    const response = await fetch(`${other.url}/metrics`);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = (await response.text()).split("\n");
    expect(lines).toContain('chain_query_request_duration_seconds_count{operation="getMasterchainInfo",status="200"} 2');
    expect(lines).toContain('chain_query_request_duration_seconds_count{operation="lookupBlock",status="422"} 1');
    expect(lines).toContain("chain_query_head_seqno 60");
    expect(lines.find((line) => line.startsWith("chain_query_chain_transactions "))).toMatch(/ \d{4}$/);
    expect(lines.find((line) => line.startsWith("chain_query_head_age_seconds "))).toMatch(/ \d+$/);
    expect(lines).toContain('chain_query_restarts_total{process="producer"} 0');
  });
});

describe("a browser", () => {
  test("may call from a page of any origin", async () => {
    const { headers } = await ask(url, "getMasterchainInfo", {}, { origin: "https://example.org" });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    const failure = await ask(url, "lookupBlock", {}, { origin: "https://example.org" });
    expect(failure.headers.get("access-control-allow-origin")).toBe("*");
    const page = await fetch(`${url}/healthz`);
    expect(page.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("is told before what it may send", async () => {
    const response = await fetch(`${url}/api/v2/lookupBlock`, {
      method: "OPTIONS",
      headers: {
        origin: "https://example.org",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-api-key",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toBe("POST, OPTIONS");
    expect(response.headers.get("access-control-allow-headers")).toBe("content-type,x-api-key");
  });

  test("asks with HEAD for the headers alone", async () => {
    const address = `0:${"17".repeat(32)}`;
    for (const path of ["/api/v2/getMasterchainInfo", `/api/v2/getTransactionsStd?address=${address}`, "/healthz"]) {
      const whole = await fetch(url + path);
      const response = await fetch(url + path, { method: "HEAD" });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("");
      expect(response.headers.get("content-length")).toBe(String((await whole.arrayBuffer()).byteLength));
    }
  });
});
