/** Waits in tests, and the output of programs that a failed test prints. */
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";

/** Values that the default condition of `until` waits out. */
type Absent = undefined | null | false;

/**
 * Reads a value every 20 ms until it fulfils a condition, and returns it. Errors of `read` are thrown at once; a condition that throws, such
 * as a failed `expect`, is not fulfilled yet.
 *
 * @param isReached - By default any value but `undefined`, `null` and `false` fulfils it.
 * @param timeoutMs - After this time an error names the condition and the last value. Vitest adds the output of programs, see `showIfFailed`.
 */
export async function until<Value>(read: () => Value | Promise<Value>): Promise<Exclude<Value, Absent>>;
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isReached: (value: Value) => unknown,
  timeoutMs?: number,
): Promise<Value>;
export async function until(
  read: () => unknown,
  isReached: (value: unknown) => unknown = (value) => value ?? false,
  timeoutMs = 150_000,
): Promise<unknown> {
  const giveUp = performance.now() + timeoutMs;
  const failure = (why: string): Error => new Error(`not reached in ${timeoutMs / 1000} s: ${why}\nread by ${read}`);
  for (;;) {
    const value = await within(giveUp, read, () => failure("the read does not end"));
    const missing = await unmet(isReached, value);
    if (missing === undefined) return value;
    if (performance.now() > giveUp) throw failure(`${missing}\nlast value: ${inspect(value)}`);
    await sleep(20);
  }
}

async function within(giveUp: number, read: () => unknown, failure: () => Error): Promise<unknown> {
  const late = new AbortController();
  const timer = sleep(Math.max(0, giveUp - performance.now() + GRACE), undefined, { signal: late.signal });
  try {
    return await Promise.race([Promise.resolve().then(read), timer.then(() => Promise.reject(failure()))]);
  } finally {
    timer.catch(() => {});
    late.abort();
  }
}
/** Milliseconds that a last read may take longer. */
const GRACE = 5_000;

/** Why a condition is not fulfilled; undefined if it is. */
async function unmet(isReached: (value: unknown) => unknown, value: unknown): Promise<string | undefined> {
  try {
    return (await isReached(value)) === false ? `expected ${isReached}` : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Programs of the current test file, newest last. */
const outputs: { readonly name: string; readonly read: () => string }[] = [];

/** Prints the last lines of a program's output if a test fails while it is among the newest programs of its file. */
export function showIfFailed(name: string, read: () => string): void {
  outputs.push({ name, read });
  if (outputs.length > PROGRAMS) outputs.shift();
}
const PROGRAMS = 6;
const LINES = 12;

/** Forgets the programs of earlier test files. */
export function forgetOutputs(): void {
  outputs.length = 0;
}

/** The last lines of each program, empty without programs. */
export function lastLines(): string {
  return outputs
    .map(({ name, read }) => `last lines of ${name}:\n${read().trimEnd().split("\n").slice(-LINES).join("\n")}\n`)
    .join("\n");
}
