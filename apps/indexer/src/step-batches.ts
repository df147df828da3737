import type { Step, StepRange, StepSource } from "@chain-query/format/store";

/** The limits of a commit. A batch ends with the step that reaches one of them. */
export interface BatchLimits {
  readonly steps: number;
  readonly transactions: number;
}

export const defaultLimits: BatchLimits = { steps: 20, transactions: 5_000 };

/**
 * Groups the steps of a source. A batch contains the steps that were read while the previous one was written: many steps far behind the chain,
 * one step at its end. Reads one batch ahead.
 *
 * @param signal - Ends the batches with its reason, even if steps were read already.
 */
export async function* stepBatches(
  source: StepSource,
  range: StepRange,
  limits: BatchLimits,
  signal: AbortSignal,
): AsyncGenerator<readonly Step[], void, undefined> {
  const end = new AbortController();
  const queue: Step[] = [];
  let transactions = 0;
  let isRead = false;
  let change = Promise.withResolvers<void>();
  const notify = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const isFull = (): boolean => queue.length >= limits.steps || transactions >= limits.transactions;

  const read = async (): Promise<void> => {
    for await (const step of source.steps(range, AbortSignal.any([signal, end.signal]))) {
      queue.push(step);
      transactions += transactionsOf(step);
      notify();
      while (isFull()) await change.promise;
    }
  };
  const reading = read().finally(() => {
    isRead = true;
    notify();
  });
  // A failure is thrown after the steps before it are written.
  reading.catch(() => {});

  try {
    for (;;) {
      while (queue.length === 0 && !isRead) await change.promise;
      signal.throwIfAborted();
      if (queue.length === 0) break;
      const batch = queue.splice(0);
      transactions = 0;
      notify();
      yield batch;
    }
    await reading;
  } finally {
    end.abort();
    queue.length = 0;
    transactions = 0;
    notify();
    await reading.catch(() => {});
  }
}

/** The number of transactions in all blocks of a step. */
export function transactionsOf({ masterchain, shards }: Step): number {
  return shards.reduce((sum, block) => sum + block.transactions.length, masterchain.transactions.length);
}
