import type { StepSource } from "@chain-query/format/store";
import { LiteError } from "@chain-query/lite";
import type { PostgresWriter } from "@chain-query/postgres-store";
import { expect, test, vi } from "vitest";
import { runIndexer } from "../src/run-indexer.ts";

const pauses = vi.hoisted((): number[] => []);
vi.mock("@chain-query/format/async", async (original) => ({
  ...(await original<typeof import("@chain-query/format/async")>()),
  pause: async (ms: number) => void pauses.push(ms),
}));

test("the pause grows to five seconds while the source fails after each start", async () => {
  const end = new AbortController();
  const genesis = { time: 1 };
  const source = {
    genesis: async () => {
      if (pauses.length === 8) end.abort(new Error("over"));
      return genesis;
    },
    // biome-ignore lint/correctness/useYield: it fails before its first step.
    async *steps() {
      throw new LiteError("refused", "no queue size in the state");
    },
  } as unknown as StepSource;
  const writer = { head: 18, tips: [], begin: async () => {}, close: async () => {} };
  const openWriter = vi.fn<(genesis: unknown) => Promise<PostgresWriter>>(async () => writer as unknown as PostgresWriter);
  await runIndexer({ source, openWriter }, end.signal);
  // An index of another chain is refused before the lease is waited for.
  expect(openWriter).toHaveBeenCalledWith(genesis);
  expect(pauses.slice(0, 8)).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
});
