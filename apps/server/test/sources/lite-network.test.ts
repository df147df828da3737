import type { LiteClient, LiteServerStatus } from "@chain-query/lite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LiteNetwork } from "../../src/sources/lite-network.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("the service is not ready some seconds after no server can be asked any more, and ready with the first one", async () => {
  const first: { state: LiteServerStatus["state"]; archival: boolean } = { state: "ready", archival: false };
  const servers = [first, { state: "failing", archival: false }, { state: "ready", archival: true }];
  const client = { servers, problem: undefined, close: async () => {} } as unknown as LiteClient;
  const network = new LiteNetwork({ client, hasArchive: true }, () => {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(network.unready).toBeUndefined();
  first.state = "quarantined";
  await vi.advanceTimersByTimeAsync(4_000);
  expect(network.unready).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(network.unready).toBe("no lite server is connected: 1 quarantined, 1 failing");
  // Blocks in memory are still read.
  expect(network.problem).toBeUndefined();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(network.problem).toBe(network.unready);
  first.state = "ready";
  expect([network.unready, network.problem]).toEqual([undefined, undefined]);
  await network.close();
});
