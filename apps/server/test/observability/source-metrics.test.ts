import type { LiteEvent } from "@chain-query/lite";
import { addLiteMetrics } from "@chain-query/lite/metrics";
import type { DatabaseStatus } from "@chain-query/postgres-store";
import { Registry } from "prom-client";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog, LineWriter } from "../../src/observability/log.ts";
import { addQueryMetrics, createMetrics } from "../../src/observability/metrics.ts";
import { addDatabaseMetrics } from "../../src/processes/open-postgres.ts";
import { liteEventLog } from "../../src/sources/lite-network.ts";

const answer: Extract<LiteEvent, { type: "answer" }> = {
  type: "answer",
  server: "a1b2c3d4",
  function: "getBlockHeader",
  ms: 20,
  outcome: "ok",
  error: undefined,
  isHedge: false,
  isRetry: false,
  bytesSent: 100,
  bytesReceived: 900,
};

const events: readonly LiteEvent[] = [
  answer,
  { ...answer, outcome: "false-answer", isRetry: true },
  { ...answer, outcome: "cancelled", isHedge: true, bytesReceived: 0 },
  { type: "cached", function: "getBlockHeader" },
  { type: "shared", function: "getAccountState" },
  { type: "call", method: "getAccount", queries: 1, isExhausted: false },
  { type: "server-down", server: "a1b2c3d4", class: "broken", reason: "the connection ended", retryInMs: 900 },
  { type: "quarantine", server: "a1b2c3d4", reason: "a wrong proof", untilMs: 1, query: "00", answer: "01" },
  { type: "unverified", reason: "no newer block" },
];

const block = { workchain: -1, shard: -(2n ** 63n), seqno: 7, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) };
const now = 1_700_000_000;
const signed: readonly LiteEvent[] = [
  { type: "verified", seqno: 6, blockTime: now - 60, signatures: 45, isFirst: true },
  { type: "verified", seqno: 7, blockTime: now - 30, signatures: 3, isFirst: false },
  { type: "refused-fork", seqno: 7, blocks: [block, block], server: "a1b2c3d4" },
  { type: "signed-fork", seqno: 7, blocks: [block, block], server: "a1b2c3d4" },
];

test("a scrape reads the head once", async () => {
  let reads = 0;
  const { registry } = createMetrics(async () => {
    reads++;
    return undefined;
  });
  await registry.metrics();
  await registry.metrics();
  expect(reads).toBe(2);
});

test("counts the events of lite servers", async () => {
  const registry = new Registry();
  const count = addLiteMetrics(
    registry,
    () => [
      {
        ...{ name: "a1b2c3d4", archival: false, state: "quarantined", seqno: 7, hasHead: false },
        ...{ lag: 0.5, latency: 20, inFlight: 3, reason: "10.0.0.1:1" },
      },
      {
        ...{ name: "0f0f0f0f", archival: false, state: "disputed", seqno: 7, hasHead: false },
        ...{ lag: undefined, latency: 20, inFlight: 0, reason: "has not reported a verified block", oldest: undefined },
      },
    ],
    () => 6,
    () => "no block after block 6 is verified",
  );
  expect(await registry.metrics()).toContain('chain_query_lite_quarantines_total{server="a1b2c3d4"} 0');
  for (const event of events) count(event);
  const countRequest = addQueryMetrics(registry);
  countRequest("getAddressInformation", 1, false);
  countRequest("tryLocateResultTx", 200, true);
  const lines = (await registry.metrics()).split("\n");
  for (const line of [
    "chain_query_lite_problem 1",
    'chain_query_lite_answer_duration_seconds_count{server="a1b2c3d4",function="getBlockHeader"} 1',
    'chain_query_lite_errors_total{server="a1b2c3d4",class="false-answer"} 1',
    'chain_query_lite_retries_total{server="a1b2c3d4"} 1',
    'chain_query_lite_hedges_total{server="a1b2c3d4",won="false"} 1',
    'chain_query_lite_bytes_total{server="a1b2c3d4",direction="sent"} 300',
    'chain_query_lite_bytes_total{server="a1b2c3d4",direction="received"} 1800',
    'chain_query_lite_cached_total{function="getBlockHeader"} 1',
    'chain_query_lite_shared_total{function="getAccountState"} 1',
    'chain_query_lite_queries_per_request_sum{operation="getAddressInformation"} 1',
    'chain_query_lite_queries_per_request_sum{operation="tryLocateResultTx"} 200',
    'chain_query_lite_exhausted_total{operation="tryLocateResultTx"} 1',
    'chain_query_lite_quarantines_total{server="a1b2c3d4"} 1',
    'chain_query_lite_server_ready{server="a1b2c3d4"} 0',
    'chain_query_lite_server_quarantined{server="a1b2c3d4"} 1',
    'chain_query_lite_server_disputed{server="a1b2c3d4"} 0',
    'chain_query_lite_server_disputed{server="0f0f0f0f"} 1',
    'chain_query_lite_server_head_seqno{server="a1b2c3d4"} 7',
    'chain_query_lite_server_lag_seconds{server="a1b2c3d4"} 0.5',
    'chain_query_lite_server_in_flight{server="a1b2c3d4"} 3',
    "chain_query_consensus_seqno 6",
  ])
    expect(lines).toContain(line);
  expect(lines.join()).not.toContain("10.0.0.1");
});

test("counts signatures and signed chains, and has the age of the newest verified block", async () => {
  vi.useFakeTimers({ now: now * 1000, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const registry = new Registry();
  const count = addLiteMetrics(
    registry,
    () => [],
    () => 6,
    () => undefined,
  );
  expect(await registry.metrics()).not.toMatch(/^chain_query_lite_verified_head_age_seconds /m);
  for (const event of signed) count(event);
  const metrics = await registry.metrics();
  expect(metrics).toMatch(/^chain_query_lite_verified_head_age_seconds 30$/m);
  expect(metrics).toMatch(/^chain_query_lite_signatures_checked_total 48$/m);
  expect(metrics).toMatch(/^chain_query_lite_signed_forks_total 2$/m);
});

test("logs events for the operator, and no answers", () => {
  const written: string[] = [];
  class Lines extends LineWriter {
    override write(line: string): void {
      written.push(line);
    }
  }
  const log = createLog("info", new Lines(2));
  const logEvent = liteEventLog(log);
  for (const event of events) logEvent(event);
  expect(written.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, server: "a1b2c3d4", reason: "the connection ended", retryInMs: 900 }),
    expect.objectContaining({ level: 50, server: "a1b2c3d4", reason: "a wrong proof", query: "00", answer: "01" }),
    expect.objectContaining({ level: 50, reason: "no newer block" }),
  ]);
});

test("a database that stops reporting its head has no head in the metrics", async () => {
  const registry = new Registry();
  let status: DatabaseStatus = { name: "primary", state: "ready", seqno: 7, lag: 0, inFlight: 0 };
  addDatabaseMetrics(registry, () => [status]);
  const line = 'chain_query_database_head_seqno{database="primary"}';
  expect(await registry.metrics()).toContain(`${line} 7`);
  status = { name: "primary", state: "other-chain", lag: 0, inFlight: 0 };
  expect(await registry.metrics()).not.toContain(line);
});
