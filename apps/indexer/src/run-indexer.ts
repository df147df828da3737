import { setTimeout as sleep } from "node:timers/promises";
import type { StepSource } from "@chain-query/chain-store";
import { LiteError } from "@chain-query/lite-client";
import { PostgresStoreError, type PostgresWriter } from "@chain-query/postgres-store";
import { type BatchLimits, stepBatches, transactionsOf } from "./step-batches.ts";

/** Why an indexer waits: the chain cannot be read, the database cannot be written, or another indexer writes it. */
export type WaitCause = "source" | "database" | "lease";

/** What happens in an indexer. */
export type IndexerEvent =
  /** It may write, and goes on after the step `head`. */
  | { readonly type: "began"; readonly head: number }
  /** Steps are committed; `head` is the last of them, made at `time`, in Unix seconds. */
  | {
      readonly type: "wrote";
      readonly head: number;
      readonly time: number;
      readonly steps: number;
      readonly transactions: number;
      /** Milliseconds of the commit. */
      readonly duration: number;
    }
  /** It tries again, until it may write. `reason` is one line. */
  | { readonly type: "waits"; readonly cause: WaitCause; readonly reason: string };

/** Options of {@link runIndexer}. */
export interface IndexerOptions {
  readonly source: StepSource;
  /** Called again after each failure. */
  readonly openWriter: () => Promise<PostgresWriter>;
  readonly limits?: BatchLimits;
  /** Milliseconds between two attempts to get the lease; default: 2,000. */
  readonly leaseInterval?: number;
  readonly onEvent?: (event: IndexerEvent) => void;
}

export const defaultLimits: BatchLimits = { steps: 20, transactions: 5_000 };
/** Milliseconds between attempts to go on after a failure: each is twice the last one. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [100, 5_000];

/**
 * Writes a chain into an index: all steps after its head, then each new one, until the signal. Waits while the chain cannot be read,
 * the database cannot be written, or another indexer has the lease. Ends after the current commit.
 *
 * @throws What does not pass by itself, such as a `PostgresStoreError` for the index of another chain.
 *
 * @example
 * await runIndexer({ source: chainSteps("my-chain"), openWriter: () => openPostgresWriter({ url }) }, signal);
 */
export async function runIndexer(options: IndexerOptions, signal: AbortSignal): Promise<void> {
  const { onEvent = () => {}, leaseInterval = 2_000 } = options;
  let failures = 0;
  const began = (event: IndexerEvent): void => {
    failures = 0;
    onEvent(event);
  };
  while (!signal.aborted) {
    try {
      await indexUntilFailure(options, began, signal);
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      const cause = waitCause(error);
      if (cause === undefined || !(error instanceof Error)) throw error;
      onEvent({ type: "waits", cause, reason: error.message });
      const pause = cause === "lease" ? leaseInterval : Math.min(FIRST_PAUSE * 2 ** failures++, LONGEST_PAUSE);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }
}

async function indexUntilFailure(
  { source, openWriter, limits = defaultLimits }: IndexerOptions,
  onEvent: (event: IndexerEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const genesis = await source.genesis();
  const writer = await openWriter();
  try {
    await writer.begin(genesis);
    onEvent({ type: "began", head: writer.head });
    for await (const steps of stepBatches(source, { from: writer.head + 1 }, limits, signal)) {
      const start = performance.now();
      await writer.write(steps);
      onEvent({
        type: "wrote",
        head: writer.head,
        time: steps.at(-1)?.masterchain.time ?? 0,
        steps: steps.length,
        transactions: steps.reduce((sum, step) => sum + transactionsOf(step), 0),
        duration: performance.now() - start,
      });
    }
  } finally {
    // A database that is away cannot take the lease back.
    await writer.close().catch(() => {});
  }
}

/** Undefined for a failure that waiting does not end. */
function waitCause(error: unknown): WaitCause | undefined {
  if (error instanceof LiteError) return "source";
  if (!(error instanceof PostgresStoreError)) return undefined;
  switch (error.kind) {
    case "unreachable":
    case "slow":
    case "full":
      return "database";
    case "busy":
    case "lost":
      return "lease";
    case "foreign":
    case "schema":
    case "damaged":
      return undefined;
  }
}
