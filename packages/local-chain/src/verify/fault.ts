import { CellError } from "@chain-query/format/cells";
import { OperationalError } from "@chain-query/format/error";
import { ChainStoreError } from "@chain-query/format/store";
import { isLmdbError } from "../store/store-error.ts";

/** The first inconsistency that `verify` found, in one line: where it is, the value, and the expected value. */
export class ChainFault extends OperationalError {
  override readonly name = "ChainFault";
}

/** Throws a ChainFault unless the condition holds. */
export function must(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new ChainFault(what());
}

/** Throws a ChainFault unless two values are equal. Arrays of bytes are compared by their bytes. */
export function mustEqual<T extends number | bigint | string | Uint8Array | undefined>(
  actual: T,
  expected: T,
  what: () => string,
): void {
  must(isEqual(actual, expected), () => `${what()} is ${shown(actual)} and should be ${shown(expected)}`);
}

/** Runs a check. Errors of reading damaged bytes become a ChainFault with the name of the object. */
export function naming<T>(what: string, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (isLmdbError(cause) || UNREADABLE.some((kind) => cause instanceof kind)) {
      throw new ChainFault(`${what} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
    throw cause;
  }
}

const UNREADABLE = [CellError, ChainStoreError, RangeError, SyntaxError];

function isEqual(a: unknown, b: unknown): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
}

function shown(value: number | bigint | string | Uint8Array | undefined): string {
  if (value === undefined) return "absent";
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") || "empty" : `${value}`;
}
