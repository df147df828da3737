import type { Cell } from "../cells/cell.ts";
import { CellReader } from "../cells/cell-reader.ts";
import type { AccountId } from "../identifiers/types.ts";
import { readAddress } from "./address.ts";
import { type Currencies, NO_CURRENCIES, readCurrencies } from "./currencies.ts";

/** What a block must know of a message. What a kind of message does not have is 0 or absent. */
export interface MessageParts {
  readonly kind: "internal" | "external-in" | "external-out";
  /** The original cell. */
  readonly cell: Cell;
  readonly source: AccountId | undefined;
  readonly destination: AccountId | undefined;
  readonly bounce: boolean;
  readonly bounced: boolean;
  readonly value: Currencies;
  /**
   * What stands where older networks had the fee for instant routing: since version 12 of the machine's rules, flags that nobody
   * pays for.
   */
  readonly extraFlags: bigint;
  /** What is left of the forward fee: the part that the sender's block did not take. */
  readonly forwardFee: bigint;
  readonly createdLt: bigint;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** Reads the head of a message (TL-B Message). Throws a CellError where the cell holds none, or one with a variable address. */
export function readMessageParts(cell: Cell): MessageParts {
  const reader = new CellReader(cell);
  if (!reader.bit()) return readInternal(cell, reader);
  const isOut = reader.bit();
  const source = readAddress(reader);
  const destination = readAddress(reader);
  return {
    ...BARE,
    kind: isOut ? "external-out" : "external-in",
    cell,
    source,
    destination,
    createdLt: isOut ? reader.bigUint(64) : 0n,
    createdAt: isOut ? reader.uint(32) : 0,
  };
}

const BARE = { bounce: false, bounced: false, value: NO_CURRENCIES, extraFlags: 0n, forwardFee: 0n } as const;

function readInternal(cell: Cell, reader: CellReader): MessageParts {
  reader.skip(1);
  const bounce = reader.bit();
  const bounced = reader.bit();
  const source = readAddress(reader);
  const destination = readAddress(reader);
  const value = readCurrencies(reader);
  const extraFlags = reader.coins();
  const forwardFee = reader.coins();
  const createdLt = reader.bigUint(64);
  const createdAt = reader.uint(32);
  return { kind: "internal", cell, source, destination, bounce, bounced, value, extraFlags, forwardFee, createdLt, createdAt };
}
