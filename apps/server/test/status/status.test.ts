import type { ChainReader } from "@chain-query/format/store";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { createMetrics, page, unread } from "../../src/observability/metrics.ts";
import { notReady } from "../../src/status/readiness.ts";
import { countsIn, quantile, type Status } from "../../src/status/status.ts";
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

test("responses are counted over operations and statuses, without pages", async () => {
  const metrics = createMetrics(async () => undefined);
  metrics.countResponse("lookupBlock", 200, 0.0004);
  metrics.countResponse("lookupBlock", 200, 0.004);
  metrics.countResponse("getConsensusBlock", 422, 0.0004);
  metrics.countResponse("getConsensusBlock", 500, 20);
  for (const label of [page, unread]) metrics.countResponse(label, 200, 0.0004);
  const { answered, refused, failed, within } = countsIn(await metrics.times());
  expect([answered, refused, failed]).toEqual([4, 1, 1]);
  expect([0.0005, 0.005, 10, Number.POSITIVE_INFINITY].map((bound) => within.get(bound))).toEqual([2, 3, 3, 4]);
});

test.each<[what: string, counts: [number, number][], share: number, expected: number]>([
  [
    "interpolates linearly inside a bucket",
    [
      [0.1, 0],
      [0.2, 50],
      [0.4, 100],
      [Number.POSITIVE_INFINITY, 100],
    ],
    0.25,
    0.15,
  ],
  [
    "is exact at a bound",
    [
      [0.1, 0],
      [0.2, 50],
      [0.4, 100],
      [Number.POSITIVE_INFINITY, 100],
    ],
    0.5,
    0.2,
  ],
  [
    "is at most the last bound",
    [
      [10, 1],
      [Number.POSITIVE_INFINITY, 100],
    ],
    0.99,
    10,
  ],
])("a quantile %s", (_, counts, share, expected) => {
  expect(quantile({ answered: 0, refused: 0, failed: 0, within: new Map(counts) }, share)).toBeCloseTo(expected);
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
