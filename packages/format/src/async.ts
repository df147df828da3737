/** What promises, signals and timers need in more than one package. */

/** A value now, or a promise of it. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Continues with a value: at once if it is known, since a promise costs more than most reads. */
export function andThen<Value, Result>(value: Awaitable<Value>, next: (value: Value) => Awaitable<Result>): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A method of a reader, of any type. */
export type Method = (...args: readonly unknown[]) => unknown;

/** The same object, whose methods are called through `around`. */
export function decorate<Target extends object>(
  target: Target,
  around: (method: Method, args: readonly unknown[], name: string) => unknown,
): Target {
  const members = Object.entries(target).map(([name, member]) => [
    name,
    typeof member === "function" ? (...args: readonly unknown[]) => around(member, args, name) : member,
  ]);
  return Object.fromEntries(members);
}

/** A signal with what its work waits for, or with the signal of work that it shares. A weak map would slow garbage collection down. */
interface WorkSignal extends AbortSignal {
  waitingFor?: string | AbortSignal;
}

/**
 * Records what the work of a signal waits for from now on, for the error of its deadline.
 *
 * @param part - In words for the caller, or the signal of shared work.
 */
export function setWaitingFor(signal: WorkSignal, part: string | AbortSignal): void {
  signal.waitingFor = part;
}

/** What the work of a signal waits for now. */
export function slowPart({ waitingFor: part = "the service" }: WorkSignal): string {
  return typeof part === "string" ? part : slowPart(part);
}

/** The result of a promise. Rejects with the signal's reason as soon as the signal aborts. */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  // Half the cost of Promise.race.
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const end = (): void => signal.removeEventListener("abort", abort);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
    work.then(
      (value) => {
        end();
        resolve(value);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}

/** Resolves after `ms`, or at once when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}

/** Pauses between attempts, in milliseconds. */
export interface BackOff {
  /** The next pause: the first one, then twice the one before, up to the longest one. */
  next(): number;
  /** The next pause is the first one again. */
  reset(): void;
}

/** Pauses that grow from `first` to `longest` milliseconds. */
export function backOff(first: number, longest: number): BackOff {
  let pauses = 0;
  return {
    next: () => Math.min(longest, first * 2 ** pauses++),
    reset: () => {
      pauses = 0;
    },
  };
}

/** Work that goes on for one or several callers. */
export class Flight<Value> {
  readonly result: Promise<Value>;
  #controller: AbortController | undefined;
  readonly #end: () => void;
  readonly #unwanted: Error | undefined;
  #callers = 0;

  /** As of {@link SingleFlight.begin}. */
  constructor(work: (flight: Flight<Value>) => Promise<Value>, end: (flight: Flight<Value>) => void, unwanted?: Error) {
    this.#end = () => end(this);
    this.#unwanted = unwanted;
    this.result = work(this);
    this.result.then(this.#end, this.#end);
  }

  /** Of the work, which asks for it when it begins. Made on demand, since a controller costs more than a read from memory. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** The result for one more caller. The work is aborted with its last caller. */
  async join(signal: AbortSignal): Promise<Value> {
    this.#callers++;
    const leave = (): void => {
      this.#callers--;
      if (this.#callers === 0) this.abort(this.#unwanted ?? signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    try {
      return await untilAborted(this.result, signal);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  abort(reason: unknown): void {
    this.#end();
    this.#controller?.abort(reason);
  }
}

/** Does equal work once for all concurrent callers. */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();
  readonly #unwanted: Error | undefined;

  /** @param unwanted - The reason of work that no caller waits for; by default that of the last caller. */
  constructor(unwanted?: Error) {
    this.#unwanted = unwanted;
  }

  /** The work that goes on for a key. */
  get(key: string): Flight<Value> | undefined {
    return this.#flights.get(key);
  }

  begin(key: string, work: (flight: Flight<Value>) => Promise<Value>): Flight<Value> {
    const end = (ended: Flight<Value>): void => {
      if (this.#flights.get(key) === ended) this.#flights.delete(key);
    };
    const flight = new Flight(work, end, this.#unwanted);
    this.#flights.set(key, flight);
    return flight;
  }

  /** Aborts all work. */
  abort(reason: Error): void {
    for (const flight of this.#flights.values()) flight.abort(reason);
  }
}

/** Milliseconds for which callers may wait for more callers. */
const LONGEST_WAIT = 2;

/**
 * Reads a value for all callers that wait for it. No caller gets a value of a read that began before its call, and one read is in flight
 * at a time.
 *
 * A single caller does not wait for others. Of many callers that keep a process busy, each half shares every other read: the process
 * answers one half while the read of the other one is in flight. With one read for all of them, it would do nothing meanwhile; with a
 * read as soon as there is a caller, most of its time would go into reads.
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
