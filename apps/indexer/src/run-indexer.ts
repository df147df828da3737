import { backOff, pause } from "@chain-query/format/async";
import type { BlockHeader, Step, StepGenesis, StepSource } from "@chain-query/format/store";
import { LiteError } from "@chain-query/lite";
import { type PostgresExtension, PostgresStoreError, type PostgresWriter } from "@chain-query/postgres-store";
import { type BatchLimits, defaultLimits, stepBatches, transactionsOf } from "./step-batches.ts";

/** Why an indexer waits: the chain cannot be read, the database cannot be written, or another indexer writes it. */
export type WaitCause = "source" | "database" | "lease";

/** An event of an indexer. */
export type IndexerEvent =
  /** The indexer may write, and continues after the step `head`. */
  | { readonly type: "began"; readonly head: number }
  /** Steps are committed. `head` is the last of them, `time` its block time in Unix seconds. */
  | {
      readonly type: "wrote";
      readonly head: number;
      readonly time: number;
      readonly steps: number;
      readonly transactions: number;
      /** Changed accounts, each once in a step. */
      readonly accounts: number;
      /** Milliseconds of the commit. */
      readonly duration: number;
    }
  /** The indexer retries until it may write. `reason` is one line. */
  | { readonly type: "waits"; readonly cause: WaitCause; readonly reason: string };

interface CommonOptions {
  readonly source: StepSource;
  /** Milliseconds between two attempts to get the lease; default: 2,000. */
  readonly leaseInterval?: number;
  readonly onEvent?: (event: IndexerEvent) => void;
}

/** Options of {@link runIndexer}. */
export interface IndexerOptions extends CommonOptions {
  readonly limits?: BatchLimits;
  /** Called under the lease with the last written step. */
  readonly beforeSteps?: (last: number) => Promise<void>;
  /** Called again after each failure. */
  readonly openWriter: (genesis: StepGenesis) => Promise<PostgresWriter>;
  /** Called for an empty index: the newest blocks after which it begins; undefined for the zero state, as by default. */
  readonly readTips?: () => Promise<readonly BlockHeader[] | undefined>;
}

/** Milliseconds between attempts after a failure. Each pause is twice the previous one. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [100, 5_000];

/**
 * Writes a chain into an index: all steps after its head, then each new one, until the signal. Waits while the chain cannot be read,
 * the database cannot be written, or another indexer has the lease. Ends after the current commit.
 *
 * @throws Permanent errors, such as a `PostgresStoreError` for the index of another chain or for a wrong password at the start.
 *
 * @example
 * await runIndexer({ source: chainSteps("my-chain"), openWriter: (genesis) => openPostgresWriter({ url }, { genesis }) }, signal);
 */
export async function runIndexer(options: IndexerOptions, signal: AbortSignal): Promise<void> {
  const { source, openWriter, readTips, limits = defaultLimits, beforeSteps } = options;
  await retryUntilDone(options, signal, async (onEvent) => {
    const genesis = await source.genesis();
    await using writer = closing(await openWriter(genesis));
    await writer.begin(genesis, readTips);
    await beforeSteps?.(writer.head);
    onEvent({ type: "began", head: writer.head });
    const { head, tips, firstTips } = writer;
    for await (const steps of stepBatches(source, { from: head + 1, tips, firstTips }, limits, signal)) {
      onEvent(await timed(steps, (some) => writer.write(some)));
      await beforeSteps?.(writer.head);
    }
  });
}

/** Options of {@link runExtension}. */
export interface ExtensionOptions extends CommonOptions {
  /** Called again after each failure. */
  readonly openExtension: (genesis: StepGenesis) => Promise<PostgresExtension>;
  /** The step that becomes the first one of the index. */
  readonly to: number;
  /** Steps in a commit, at most. */
  readonly batch: number;
}

/**
 * Adds steps before the first one of an index that begins late, the newest of them first, and after step 1 the zero state. Each batch is in the index completely or not at
 * all. Ends after the last step, or after the current commit if the signal is aborted. Waits as `runIndexer` does.
 *
 * @throws Permanent errors, as `runIndexer`.
 *
 * @example
 * const openExtension = (genesis: StepGenesis) => openPostgresExtension({ url }, { genesis });
 * await runExtension({ source, openExtension, to: 1_000_000, batch: 20 }, signal);
 */
export async function runExtension(options: ExtensionOptions, signal: AbortSignal): Promise<void> {
  const { source, openExtension, to, batch } = options;
  await retryUntilDone(options, signal, async (onEvent) => {
    const genesis = await source.genesis();
    await using extension = closing(await openExtension(genesis));
    await extension.begin(genesis);
    const read = (end: number) => (end > to ? readBefore(source, Math.max(to, end - batch), end - 1, signal) : undefined);
    onEvent({ type: "began", head: extension.firstSeqno });
    for (let reading = read(extension.firstSeqno); reading !== undefined; ) {
      const { tips, steps } = await reading;
      signal.throwIfAborted();
      // Reads one batch ahead.
      reading = read(extension.firstSeqno - steps.length);
      // The loop awaits it later, and throws its error.
      reading?.catch(() => {});
      const wrote = await timed(steps, (some) => extension.write(tips, some));
      // Of these events, the head is the first step.
      onEvent({ ...wrote, head: extension.firstSeqno });
    }
    if (extension.firstSeqno !== 1) return;
    const wrote = await timed([], () => extension.writeZeroState(genesis));
    onEvent({ ...wrote, head: extension.firstSeqno });
  });
}

/** Reads steps and the tips before them. */
async function readBefore(source: StepSource, from: number, to: number, signal: AbortSignal) {
  const tips = await source.tips(from - 1);
  const steps: Step[] = [];
  for await (const step of source.steps({ from, to, tips, firstTips: from > 1 ? tips : undefined }, signal)) steps.push(step);
  return { tips, steps };
}

/** Runs attempts until one succeeds or the signal is aborted, with a pause after each temporary failure. */
async function retryUntilDone(
  { onEvent = () => {}, leaseInterval = 2_000 }: CommonOptions,
  signal: AbortSignal,
  attempt: (onEvent: (event: IndexerEvent) => void) => Promise<void>,
): Promise<void> {
  const pauses = backOff(FIRST_PAUSE, LONGEST_PAUSE);
  let hasConnected = false;
  const report = (event: IndexerEvent): void => {
    // An attempt that only begins has not got further than the one before it.
    if (event.type !== "began") pauses.reset();
    hasConnected = true;
    onEvent(event);
  };
  while (!signal.aborted) {
    try {
      return await attempt(report);
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      const cause = waitCause(error, hasConnected);
      hasConnected ||= cause === "lease";
      if (cause === undefined || !(error instanceof Error)) throw error;
      onEvent({ type: "waits", cause, reason: error.message });
      await pause(cause === "lease" ? leaseInterval : pauses.next(), signal);
    }
  }
}

async function timed(
  steps: readonly Step[],
  write: (steps: readonly Step[]) => Promise<void>,
): Promise<Extract<IndexerEvent, { readonly type: "wrote" }>> {
  const start = performance.now();
  await write(steps);
  const { id, time } = steps[steps.length - 1]?.masterchain ?? {};
  return {
    type: "wrote",
    head: id?.seqno ?? 0,
    time: time ?? 0,
    steps: steps.length,
    transactions: steps.reduce((sum, step) => sum + transactionsOf(step), 0),
    accounts: steps.reduce((sum, step) => sum + step.accounts.length, 0),
    duration: performance.now() - start,
  };
}

/** Closes a writer at the end of a block. Ignores errors of closing, which would hide the first error. */
function closing<T extends { close(): Promise<void> }>(writer: T): T & AsyncDisposable {
  return Object.assign(writer, { [Symbol.asyncDispose]: () => writer.close().catch(() => {}) });
}

/** Undefined for permanent errors. A refused login is temporary if an earlier one succeeded. */
function waitCause(error: unknown, hasConnected: boolean): WaitCause | undefined {
  if (error instanceof LiteError) return "source";
  if (!(error instanceof PostgresStoreError)) return undefined;
  // The servers may be of a fork, until they are others.
  if (error.kind === "fork") return "source";
  if (error.kind === "busy" || error.kind === "lost") return "lease";
  return error.isRetryable || (error.kind === "refused" && hasConnected) ? "database" : undefined;
}
