/** Milliseconds for which callers may wait for more callers. */
const LONGEST_WAIT = 2;

/**
 * Reads a value for all callers that wait for it. No caller gets a value of a read that began before its call, and one read is in flight
 * at a time.
 *
 * A single caller does not wait for others. Of many callers that keep a process busy, each half shares every other read: the process
 * answers one half while the read of the other one is in flight. With one read for all of them, it would do nothing meanwhile; with a
 * read as soon as there is a caller, most of its time would go into reads.
 *
 * @example
 * const head = coalesced(() => reader.head());
 * const [one, other] = await Promise.all([head(), head()]);
 */
export function coalesced<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let waiting: PromiseWithResolvers<Value> | undefined;
  let callers = 0;
  /** Number of callers of the last read, and of callers that waited when it ended. */
  let recent = 0;
  let isInFlight = false;
  let isWatching = false;

  const begin = (): void => {
    if (waiting === undefined) return;
    const [{ resolve, reject }, size] = [waiting, callers];
    [waiting, callers, isInFlight] = [undefined, 0, true];
    read().then(
      (value) => end(size, () => resolve(value)),
      (error: unknown) => end(size, () => reject(error)),
    );
  };

  const end = (size: number, answer: () => void): void => {
    isInFlight = false;
    recent = size + callers;
    if (callers > 0 && callers >= recent / 2) {
      begin();
      // The next read is sent in the next tick.
      void ticks(2).then(answer);
    } else {
      answer();
      if (callers > 0) void watch();
    }
  };

  /** Begins a read after two ticks without more callers: in the first one, callers that just received a result send no request yet. */
  const watch = async (): Promise<void> => {
    if (isWatching) return;
    isWatching = true;
    const until = performance.now() + LONGEST_WAIT;
    for (let seen = 0; !isInFlight && seen !== callers && performance.now() < until; ) {
      seen = callers;
      await ticks(2);
    }
    isWatching = false;
    if (!isInFlight) begin();
  };

  return () => {
    waiting ??= Promise.withResolvers<Value>();
    const { promise } = waiting;
    callers++;
    if (isInFlight) return promise;
    if (callers >= recent / 2) begin();
    else void watch();
    return promise;
  };
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve));
}
