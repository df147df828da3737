import { setWaitingFor } from "../deadline.ts";
import { HttpError } from "../failure.ts";

/** A page of 1,000 transactions takes about 60 ms, so the last one waits for some four seconds. */
const maxWaiting = 64;

const tooMany = new HttpError(503, "too many long pages wait to be read; try again later, or use a limit of at most 100", {
  "retry-after": "5",
});

/** Reads long pages one after another, so that memory holds one of them besides those that are being sent. */
export class ReadQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /**
   * Calls `read` after all earlier ones, unless the signal aborts before.
   *
   * @throws HttpError if too many wait.
   */
  async run<Value>(read: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    if (this.#waiting >= maxWaiting) throw tooMany;
    this.#waiting++;
    setWaitingFor(signal, "the queue of long pages");
    let isWaiting = true;
    const leave = (): void => {
      if (isWaiting) this.#waiting--;
      isWaiting = false;
    };
    signal.addEventListener("abort", leave, { once: true });
    const result = this.#last.then(() => {
      signal.removeEventListener("abort", leave);
      leave();
      signal.throwIfAborted();
      return read();
    });
    this.#last = result.then(
      () => {},
      () => {},
    );
    return result;
  }
}
