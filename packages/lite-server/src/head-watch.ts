import { CODES, failure, notReady } from "./failure.ts";
import type { LiteChain } from "./lite-chain.ts";

/** Milliseconds between two reads of the head while a query waits. */
const POLL_MS = 20;
/** Queries wait at most this long. */
const MAX_WAIT_MS = 10_000;
/** Blocks that a query may wait for. */
const MAX_AHEAD = 100;

interface Waiter {
  readonly seqno: number;
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Lets queries wait for a masterchain block. */
export class HeadWatch {
  readonly #chain: LiteChain;
  readonly #waiters = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;

  constructor(chain: LiteChain) {
    this.#chain = chain;
  }

  /**
   * Resolves when the chain has a masterchain block.
   *
   * @throws LiteError 651 if the block is more than 100 ahead, 652 if it does not come in time.
   * @throws The error of the chain if its head cannot be read.
   */
  async wait(seqno: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const head = this.#chain.head().seqno;
    if (seqno <= head) return;
    if (seqno > head + MAX_AHEAD) throw notReady(`masterchain block ${seqno} is too far ahead`, head);
    const deadline = performance.now() + Math.min(Math.max(timeoutMs, 0), MAX_WAIT_MS);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { seqno, deadline, resolve, reject };
    this.#waiters.add(waiter);
    this.#timer ??= setInterval(() => this.#check(), POLL_MS);
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#remove(waiter);
    }
  }

  #check(): void {
    let head: number;
    try {
      head = this.#chain.head().seqno;
    } catch (error) {
      // A chain that cannot be read fails the queries that wait for it, not the process.
      for (const { reject } of this.#waiters) reject(error);
      return;
    }
    const now = performance.now();
    for (const waiter of this.#waiters) {
      if (waiter.seqno <= head) waiter.resolve();
      else if (waiter.deadline <= now) waiter.reject(failure(CODES.timeout, `timeout: masterchain block ${waiter.seqno}`));
    }
  }

  #remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
