/** A function that lets one of its callers continue in each tick of the event loop. */
export function createTicks(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => new Promise((resolve) => setImmediate(resolve))));
}
