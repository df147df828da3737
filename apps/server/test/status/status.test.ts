import { describe, expect, test } from "vitest";
import type { Status } from "../../src/status/status.ts";
import { ask } from "../fixtures/ask.ts";
import { startService } from "../fixtures/service.ts";

async function statusOf(url: string): Promise<Status> {
  const response = await fetch(`${url}/status.json`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  return (await response.json()) as Status;
}

describe("/status.json", () => {
  test("does not count under the limit without a key", async () => {
    await using service = await startService({ keylessRate: 1 });
    const all = await Promise.all(Array.from({ length: 20 }, () => statusOf(service.url)));
    // The status is computed once a second.
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBeLessThanOrEqual(2);
    expect((await ask(service.url, "getMasterchainInfo")).status).toBe(200);
  });

  test("describes the head", async () => {
    await using service = await startService();
    const { chain, requests, time } = await statusOf(service.url);
    expect(chain?.seqno).toBe(60);
    expect(chain?.transactions).toBeGreaterThan(1000);
    expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
    expect(requests).toBeUndefined();
  });
});
