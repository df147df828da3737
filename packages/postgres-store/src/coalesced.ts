/**
 * Reads a value for all callers that wait for it. Callers that arrive while a read is in flight share the next one, so no caller gets
 * a value that is older than its call.
 *
 * @example
 * const head = coalesced(() => reader.head());
 * const [one, other] = await Promise.all([head(), head()]);
 */
export function coalesced<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  let next: Promise<Value> | undefined;
  const start = (): Promise<Value> => {
    const current = read().finally(() => {
      if (next === undefined) running = undefined;
    });
    running = current;
    next = undefined;
    return current;
  };
  return () => {
    if (running === undefined) return start();
    next ??= running.then(start, start);
    return next;
  };
}
