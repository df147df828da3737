import type { Head } from "@chain-query/format/store";
import type { LiteEvent } from "@chain-query/lite";
import { addLiteMetrics } from "@chain-query/lite/metrics";
import type { DatabaseStatus } from "@chain-query/postgres-store";
import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { addQueryMetrics, createMetrics } from "../../src/observability/metrics.ts";
import { addDatabaseMetrics } from "../../src/processes/open-postgres.ts";

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

test("a database that stops reporting its head has no head in the metrics", async () => {
  const registry = new Registry();
  let status: DatabaseStatus = { name: "primary", state: "ready", seqno: 7, lag: 0, inFlight: 0 };
  addDatabaseMetrics(registry, () => [status]);
  const line = 'chain_query_database_head_seqno{database="primary"}';
  expect(await registry.metrics()).toContain(`${line} 7`);
  status = { name: "primary", state: "other-chain", lag: 0, inFlight: 0 };
  expect(await registry.metrics()).not.toContain(line);
});

const head: Head = {
  block: {
    id: { workchain: -1, shard: -(2n ** 63n), seqno: 7, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) },
    time: 1_700_000_000,
  },
} as Head;

test("a scrape reads the head once; its age is absent before the first one, and grows while none can be read", async () => {
  vi.useFakeTimers({ now: 1_700_000_010_000, toFake: ["Date"] });
  try {
    let read: Head | undefined;
    let reads = 0;
    const { registry } = createMetrics(async () => {
      reads++;
      return read;
    });
    expect(await registry.metrics()).not.toMatch(/^chain_query_head_/m);
    read = head;
    expect(await registry.metrics()).toMatch(/^chain_query_head_age_seconds 10$/m);
    read = undefined;
    vi.setSystemTime(1_700_000_100_000);
    const text = await registry.metrics();
    expect(text).toMatch(/^chain_query_head_age_seconds 100$/m);
    expect(text).toMatch(/^chain_query_head_seqno 7$/m);
    expect(reads).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

test("counts connections that are closed at a limit from 0 on", async () => {
  const text = await createMetrics(async () => undefined).registry.metrics();
  const limits = Array.from(text.matchAll(/^chain_query_connections_closed_total\{limit="(.+)"\} 0$/gm), ([, limit]) => limit);
  expect(limits).toEqual(["all", "address", "unread"]);
});
