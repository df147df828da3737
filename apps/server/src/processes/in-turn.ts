/** Runs of one task, of which the newest request counts. */

/**
 * Returns a function that runs a task, one run after another. Calls while a run waits share it, so that each call is followed by a whole
 * run, and many calls by at most two.
 *
 * @param run - Must not reject.
 */
export function inTurn(run: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= last = last.then(() => {
      waiting = undefined;
      return run();
    });
    return waiting;
  };
}
