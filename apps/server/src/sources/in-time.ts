/** A limit on the time of a read. */
import { SourceError } from "../chain-source.ts";

/**
 * Waits for a read, but no longer than the given number of milliseconds. The read goes on.
 *
 * @throws SourceError of kind "slow"
 */
export async function inTime<Value>(milliseconds: number, read: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    // After a long turn of the event loop, the answer may have arrived and is not read yet.
    setImmediate(() => reject(new SourceError("slow", "the database did not answer in time")));
  }, milliseconds);
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}
