import type { ChainReader } from "@chain-query/format/store";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { notReady } from "../../src/status/readiness.ts";
import { countedSince, countsIn, quantile, type Status } from "../../src/status/status.ts";
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

  test("is served although the head is too old for /readyz", async () => {
    await using service = await startService({ maxHeadAge: 60 });
    const { status, ok } = await fetch(`${service.url}/readyz`);
    expect([status, ok, (await statusOf(service.url)).chain?.seqno]).toEqual([503, false, 60]);
  });

  test("describes the service and the head", async () => {
    await using service = await startService({ networkName: "testnet" });
    const { network, version, chain, requests, time } = await statusOf(service.url);
    expect([network, version]).toEqual(["testnet", manifest.version]);
    expect(chain?.seqno).toBe(60);
    expect(chain?.transactions).toBeGreaterThan(1000);
    expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
    expect(requests).toBeUndefined();
  });
});

const name = "chain_query_request_duration_seconds";
const text = [
  "# HELP chain_query_request_duration_seconds Time",
  `${name}_bucket{le="0.001",operation="lookupBlock",status="200"} 10`,
  `${name}_bucket{le="0.01",operation="lookupBlock",status="200"} 20`,
  `${name}_bucket{le="+Inf",operation="lookupBlock",status="200"} 20`,
  `${name}_sum{operation="lookupBlock",status="200"} 0.05`,
  `${name}_count{operation="lookupBlock",status="200"} 20`,
  `${name}_bucket{le="0.001",operation="getConsensusBlock",status="422"} 4`,
  `${name}_bucket{le="0.01",operation="getConsensusBlock",status="422"} 4`,
  `${name}_bucket{le="+Inf",operation="getConsensusBlock",status="422"} 5`,
  `${name}_count{operation="getConsensusBlock",status="422"} 5`,
  `${name}_count{operation="getConsensusBlock",status="500"} 1`,
  `${name}_count{operation="page",status="200"} 1000`,
  `${name}_bucket{le="0.001",operation="page",status="200"} 1000`,
  "chain_query_head_seqno 60",
].join("\n");

describe("countsIn", () => {
  test("adds up operations and statuses, and leaves pages out", () => {
    const { answered, refused, failed, within } = countsIn(text);
    expect([answered, refused, failed]).toEqual([26, 5, 1]);
    expect([...within]).toEqual([
      [0.001, 14],
      [0.01, 24],
      [Number.POSITIVE_INFINITY, 25],
    ]);
  });
});

describe("countedSince", () => {
  test("is the difference of two counts", () => {
    const before = countsIn(`${name}_count{operation="lookupBlock",status="200"} 15`);
    expect(countedSince(before, countsIn(text))).toMatchObject({ answered: 11, refused: 5, failed: 1 });
  });

  test("is undefined if a process restarted its counters", () => {
    const before = countsIn(`${name}_count{operation="lookupBlock",status="200"} 9000`);
    expect(countedSince(before, countsIn(text))).toBeUndefined();
  });
});

describe("quantile", () => {
  const of = (...counts: [number, number][]) => ({ answered: 0, refused: 0, failed: 0, within: new Map(counts) });

  test("interpolates linearly inside a bucket", () => {
    const counts = of([0.1, 0], [0.2, 50], [0.4, 100], [Number.POSITIVE_INFINITY, 100]);
    expect(quantile(counts, 0.5)).toBeCloseTo(0.2);
    expect(quantile(counts, 0.25)).toBeCloseTo(0.15);
    expect(quantile(counts, 0.99)).toBeCloseTo(0.396);
  });

  test("is at most the last bound", () => {
    expect(quantile(of([10, 1], [Number.POSITIVE_INFINITY, 100]), 0.99)).toBe(10);
  });

  test("is undefined without responses", () => {
    expect(quantile(of([0.1, 0], [Number.POSITIVE_INFINITY, 0]), 0.5)).toBeUndefined();
  });
});

describe("/readyz of a network", () => {
  const readiness = (ahead: number, maxHeadAge: number): Promise<string | undefined> => {
    const source = { head: () => ({ block: { id: { seqno: 9 }, time: Math.round(Date.now() / 1000) + ahead } }) };
    return notReady(
      { source: source as unknown as ChainReader, blockInterval: undefined, maxHeadAge },
      new AbortController().signal,
    );
  };

  test("is 503 if its newest block is too old, or ahead of the clock, which would hide that the network stops", async () => {
    expect(await readiness(7_200, 60)).toMatch(/^the newest block is (7199|7200|7201) s ahead of the clock: /);
    expect(await readiness(-7_200, 60)).toMatch(/^the newest block is (7199|7200|7201) s old, more than --max-head-age 60$/);
    expect(await readiness(10, 60)).toBe(undefined);
    // A chain that does not grow with the clock.
    expect(await readiness(7_200, 0)).toBe(undefined);
  });
});

test("/readyz of a chain that cannot be read says so, without the reason", async () => {
  const source = { head: () => Promise.reject(new Error("cannot open /srv/secret/chain.mdb")) } as unknown as ChainReader;
  const { signal } = new AbortController();
  expect(await notReady({ source, blockInterval: 1, maxHeadAge: 0 }, signal)).toBe("the chain cannot be read");
});
