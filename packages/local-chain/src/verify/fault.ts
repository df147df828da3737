import { CellError } from "@chain-query/format/cells";
import type { AccountId, ShardId } from "../domain.ts";
import { ChainStoreError } from "../store/store-error.ts";

/** The first thing that is wrong with a chain, in one line: where it is, what it is and what it should be. */
export class ChainFault extends Error {
  override readonly name = "ChainFault";
}

/** Throws a ChainFault unless the condition holds. */
export function must(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new ChainFault(what());
}

/** Throws a ChainFault unless two values are the same; arrays of bytes are compared by their bytes. */
export function mustEqual<T extends number | bigint | string | Uint8Array | undefined>(
  actual: T,
  expected: T,
  what: () => string,
): void {
  must(isEqual(actual, expected), () => `${what()} is ${shown(actual)} and should be ${shown(expected)}`);
}

/** Runs a check that reads cells or records, and says of what they are where they cannot be read at all. */
export function naming<T>(what: string, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (UNREADABLE.some((kind) => cause instanceof kind)) {
      throw new ChainFault(`${what} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
    throw cause;
  }
}

/** What reading damaged bytes ends in. */
const UNREADABLE = [CellError, ChainStoreError, RangeError, SyntaxError];

function isEqual(a: unknown, b: unknown): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
}

function shown(value: number | bigint | string | Uint8Array | undefined): string {
  if (value === undefined) return "absent";
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") || "empty" : `${value}`;
}

/** A block by its short name, as people write it: (workchain,shard,seqno) with the shard in hexadecimal. */
export function blockName({ workchain, shard }: ShardId, seqno: number): string {
  return `block (${workchain},${BigInt.asUintN(64, shard).toString(16)},${seqno})`;
}

/** An account by its raw address. */
export function accountName({ workchain, hash }: AccountId): string {
  return `account ${workchain}:${Buffer.from(hash).toString("hex").toUpperCase()}`;
}
