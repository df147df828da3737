import { ChainStoreError } from "@chain-query/chain-store";
import { CellError } from "@chain-query/format/cells";
import { PostgresStoreError } from "../types.ts";

type Value = number | bigint | Uint8Array | null | undefined;

/** Throws unless the condition holds. */
export function must(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new PostgresStoreError("damaged", what());
}

/** Throws unless two values are equal. Arrays of bytes are compared by their bytes. */
export function mustEqual(actual: Value, expected: Value, what: () => string): void {
  const isEqual =
    actual instanceof Uint8Array && expected instanceof Uint8Array
      ? Buffer.compare(actual, expected) === 0
      : actual === expected;
  must(isEqual, () => `${what()} is ${shown(actual)} and should be ${shown(expected)}`);
}

/** Runs a check of a record. Errors of decoding say what was decoded. */
export async function naming<T>(what: () => string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    if (!(cause instanceof CellError || cause instanceof ChainStoreError || cause instanceof RangeError)) throw cause;
    throw new PostgresStoreError("damaged", `${what()} cannot be read: ${cause.message}`, { cause });
  }
}

function shown(value: Value): string {
  return value instanceof Uint8Array ? hexOf(value) || "empty" : `${value ?? "absent"}`;
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
