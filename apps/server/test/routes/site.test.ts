import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { headSeqno } from "../fixtures/chain.ts";
import { sharedService, startService } from "../fixtures/service.ts";

const service = sharedService();

describe("routes outside the contract", () => {
  test("return the contract as it is published", async () => {
    expect(await (await fetch(`${service.url}/openapi.json`)).json()).toEqual(JSON.parse(JSON.stringify(bundle)));
  });

  test("count requests by operation and status, and describe the chain", async () => {
    await using other = await startService();
    await ask(other.url, "getMasterchainInfo");
    await ask(other.url, "getMasterchainInfo");
    await ask(other.url, "lookupBlock", {});
    const response = await fetch(`${other.url}/metrics`);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = (await response.text()).split("\n");
    expect(lines).toContain('chain_query_request_duration_seconds_count{operation="getMasterchainInfo",status="200"} 2');
    expect(lines).toContain('chain_query_request_duration_seconds_count{operation="lookupBlock",status="422"} 1');
    expect(lines).toContain(`chain_query_head_seqno ${headSeqno}`);
    expect(lines.find((line) => line.startsWith("chain_query_chain_transactions "))).toMatch(/ \d{4}$/);
    expect(lines.find((line) => line.startsWith("chain_query_head_age_seconds "))).toMatch(/ \d+$/);
    expect(lines).toContain('chain_query_restarts_total{process="producer"} 0');
  });
});

test("any origin may read each response, also a failure and a page", async () => {
  const headers = { origin: "https://example.org" };
  for (const path of ["api/v2/getMasterchainInfo", "api/v2/getTransactionsStd", "healthz"]) {
    const response = await fetch(`${service.url}/${path}`, { headers });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  }
});

test("a preflight request names the headers that it asked for", async () => {
  const asked = { "access-control-request-method": "POST", "access-control-request-headers": "content-type,x-api-key" };
  const { headers } = await fetch(`${service.url}/api/v2/lookupBlock`, { method: "OPTIONS", headers: asked });
  expect(headers.get("access-control-allow-headers")).toBe("content-type,x-api-key");
});

test("HEAD returns the headers of GET without a body", async () => {
  const address = `0:${"17".repeat(32)}`;
  for (const path of ["/api/v2/getMasterchainInfo", `/api/v2/getTransactionsStd?address=${address}`, "/healthz"]) {
    const whole = await fetch(service.url + path);
    const response = await fetch(service.url + path, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    expect(response.headers.get("content-length")).toBe(String((await whole.arrayBuffer()).byteLength));
  }
});

test("status and metrics can have an address of their own, which the limits do not count", async () => {
  await using service = await startService({ adminAddress: { host: "127.0.0.1", port: 0 }, keylessRate: 1 });
  const ask = async (base: string | undefined, path: string) => (await fetch(`${base}${path}`)).status;
  const admin = ["/", "/status.json", "/metrics"];
  expect(await Promise.all(admin.map((path) => ask(service.adminUrl, path)))).toEqual([200, 200, 200]);
  expect(await Promise.all(admin.map((path) => ask(service.url, path)))).toEqual([404, 404, 404]);
  const health = ["/healthz", "/readyz"];
  for (const base of [service.url, service.adminUrl])
    expect(await Promise.all(health.map((path) => ask(base, path)))).toEqual([200, 200]);
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
  expect(metrics).toContain("chain_query_head_seqno");
  for (const name of ["process_cpu_seconds_total", "nodejs_eventloop_lag_seconds", "chain_query_build_info{"])
    expect(metrics).toContain(`\n${name}`);
  const wrong = await fetch(`${service.adminUrl}/api/v2/getMasterchainInfo`);
  expect([wrong.status, await wrong.json()]).toEqual([
    404,
    {
      ok: false,
      error: "expected one of /healthz, /readyz, /openapi.json, /, /status.json, /metrics",
      code: 404,
      reason: "unknown_path",
    },
  ]);
  const statuses = await Promise.all(Array.from({ length: 10 }, () => ask(service.adminUrl, "/metrics")));
  expect(new Set(statuses)).toEqual(new Set([200]));
});
