import { setWaitingFor } from "@chain-query/format/async";
import { HttpError } from "../failure.ts";

/** A page of 1,000 transactions takes about 60 ms, so the last one waits for some four seconds. */
const maxWaiting = 64;

const tooMany = new HttpError(503, "too many long pages wait to be read; try again later, or use a limit of at most 100", {
  headers: { "retry-after": "5" },
});

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Reads long pages one after another, so that memory holds one of them besides those that are being sent. Owners take turns: the next page is of
 * the owner whose last turn, or whose arrival, is the longest time ago.
 */
export class ReadQueue {
  /** By owner, in the order of their next turns. No list is empty. */
  readonly #waiting = new Map<string, Waiting[]>();
  #count = 0;
  #isReading = false;

  /**
   * Calls `read` in the turn of its owner, unless the signal aborts before.
   *
   * @param owner - The API key of the request, or its address without a key.
   * @param signal - Of the work.
   * @throws HttpError if too many wait.
   */
  async run<Value>(read: () => Promise<Value>, owner: string, signal: AbortSignal): Promise<Value> {
    if (this.#isReading) await this.#turn(owner, signal);
    this.#isReading = true;
    try {
      signal.throwIfAborted();
      return await read();
    } finally {
      this.#end(owner);
    }
  }

  async #turn(owner: string, signal: AbortSignal): Promise<void> {
    if (this.#count >= maxWaiting) this.#makeRoom(owner);
    setWaitingFor(signal, "the queue of long pages");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = this.#waiting.get(owner) ?? [];
    const waiting = { begin: resolve, refuse: reject };
    own.push(waiting);
    this.#count++;
    this.#waiting.set(owner, own);
    const leave = (): void => {
      this.#remove(owner, waiting);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** Refuses the last page of the owner with the most, so that no owner fills the queue. @throws HttpError if that is the given one. */
  #makeRoom(owner: string): void {
    const [most, pages] = [...this.#waiting].reduce((one, other) => (other[1].length > one[1].length ? other : one));
    const last = pages.at(-1);
    if (last === undefined || pages.length <= (this.#waiting.get(owner)?.length ?? 0) + 1) throw tooMany;
    this.#remove(most, last);
    last.refuse(tooMany);
  }

  #remove(owner: string, waiting: Waiting): void {
    const own = this.#waiting.get(owner) ?? [];
    const left = own.filter((one) => one !== waiting);
    this.#count -= own.length - left.length;
    if (left.length > 0) this.#waiting.set(owner, left);
    else this.#waiting.delete(owner);
  }

  #end(owner: string): void {
    const own = this.#waiting.get(owner);
    this.#waiting.delete(owner);
    if (own !== undefined) this.#waiting.set(owner, own);
    const [next] = this.#waiting;
    const first = next?.[1][0];
    this.#isReading = first !== undefined;
    if (next === undefined || first === undefined) return;
    this.#remove(next[0], first);
    first.begin();
  }
}
