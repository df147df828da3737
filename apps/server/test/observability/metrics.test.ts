import type { Head } from "@chain-query/format/store";
import { expect, test, vi } from "vitest";
import { createMetrics } from "../../src/observability/metrics.ts";

const head: Head = {
  block: {
    id: { workchain: -1, shard: -(2n ** 63n), seqno: 7, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) },
    time: 1_700_000_000,
  },
} as Head;

test("the age of the head is absent before the first head, and grows while no head can be read", async () => {
  vi.useFakeTimers({ now: 1_700_000_010_000, toFake: ["Date"] });
  try {
    let read: Head | undefined;
    const { registry } = createMetrics(async () => read);
    expect(await registry.metrics()).not.toMatch(/^chain_query_head_/m);
    read = head;
    expect(await registry.metrics()).toMatch(/^chain_query_head_age_seconds 10$/m);
    read = undefined;
    vi.setSystemTime(1_700_000_100_000);
    const text = await registry.metrics();
    expect(text).toMatch(/^chain_query_head_age_seconds 100$/m);
    expect(text).toMatch(/^chain_query_head_seqno 7$/m);
  } finally {
    vi.useRealTimers();
  }
});

test("counts connections that are closed at a limit from 0 on", async () => {
  const text = await createMetrics(async () => undefined).registry.metrics();
  const limits = Array.from(text.matchAll(/^chain_query_connections_closed_total\{limit="(.+)"\} 0$/gm), ([, limit]) => limit);
  expect(limits).toEqual(["all", "address", "unread"]);
});
