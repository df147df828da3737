/** Milliseconds for which a read waits for more callers, while each turn of the event loop brings some. */
const LONGEST_WAIT = 2;

/**
 * Reads a value for all callers that wait for it. A read begins when a turn of the event loop has brought no more callers: at once for
 * a single one, and for many that keep the process busy together. Those that arrive while it runs share the next one, so no caller gets
 * a value that is older than its call.
 *
 * @example
 * const head = coalesced(() => reader.head());
 * const [one, other] = await Promise.all([head(), head()]);
 */
export function coalesced<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let waiting: PromiseWithResolvers<Value> | undefined;
  let isRunning = false;
  let hasNewCallers = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting !== undefined) {
      const end = performance.now() + LONGEST_WAIT;
      do {
        hasNewCallers = false;
        await nextTurn();
      } while (hasNewCallers && performance.now() < end);
      const { resolve, reject } = waiting;
      waiting = undefined;
      await read().then(resolve, reject);
    }
    isRunning = false;
  };
  return () => {
    hasNewCallers = true;
    waiting ??= Promise.withResolvers<Value>();
    const { promise } = waiting;
    if (!isRunning) void run();
    return promise;
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
