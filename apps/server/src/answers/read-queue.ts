import { Refusal } from "../failure.ts";

/** A page of 1,000 transactions takes about 60 ms, so the last one waits for some four seconds. */
const maxWaiting = 64;

const tooMany = new Refusal(503, "too many long pages wait to be read; try again later, or use a limit of at most 100", {
  "retry-after": "5",
});
const unwanted = new Refusal(422, "the connection was closed while the page waited to be read");

/** Reads long pages one after another, so that one of them is in memory besides those that are being sent. */
export class ReadQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /**
   * Calls `read` after all earlier ones.
   *
   * @param isUnwanted - Whether all callers have gone meanwhile.
   * @throws Refusal if too many wait, or if the result is unwanted when its turn comes.
   */
  async run<Value>(read: () => Promise<Value>, isUnwanted: () => boolean): Promise<Value> {
    if (this.#waiting >= maxWaiting) throw tooMany;
    this.#waiting++;
    const result = this.#last.then(() => {
      this.#waiting--;
      if (isUnwanted()) throw unwanted;
      return read();
    });
    this.#last = result.then(
      () => {},
      () => {},
    );
    return result;
  }
}
