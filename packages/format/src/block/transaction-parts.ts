import type { Cell } from "../cells/cell.ts";
import { CellError, CellReader } from "../cells/cell-reader.ts";
import { readEntries } from "../dictionary/entries.ts";
import { type Currencies, readCurrencies } from "../state/currencies.ts";
import { type MessageParts, readMessageParts } from "../state/message-parts.ts";

/** What a block must know of a transaction. */
export interface TransactionParts {
  /** The original cell. */
  readonly cell: Cell;
  /** The 256 bits of the account's address. */
  readonly account: Uint8Array;
  readonly lt: bigint;
  readonly previousHash: Uint8Array;
  readonly previousLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly inMessage: MessageParts | undefined;
  /** In order of creation. */
  readonly outMessages: readonly MessageParts[];
  readonly totalFees: Currencies;
  /** Hashes of the account's cell before and after. */
  readonly oldStateHash: Uint8Array;
  readonly newStateHash: Uint8Array;
}

/** Reads the head of a transaction (TL-B Transaction). Throws a CellError where the cell holds none. */
export function readTransactionParts(cell: Cell): TransactionParts {
  const reader = new CellReader(cell);
  if (reader.uint(4) !== 7) throw new CellError("a cell that should hold a transaction holds something else");
  const account = reader.bytes(32);
  const lt = reader.bigUint(64);
  const previousHash = reader.bytes(32);
  const previousLt = reader.bigUint(64);
  const time = reader.uint(32);
  reader.skip(15 + 2 + 2);
  const messages = new CellReader(reader.ref());
  const totalFees = readCurrencies(reader);
  const update = new CellReader(reader.ref());
  if (update.uint(8) !== 0x72) throw new CellError("a transaction's change of state is not one");
  const inMessage = messages.maybeRef();
  const outMessages = messages.maybeRef();
  return {
    cell,
    account,
    lt,
    previousHash,
    previousLt,
    time,
    inMessage: inMessage && readMessageParts(inMessage),
    outMessages: outMessages ? Array.from(readEntries(outMessages, 15), ({ leaf }) => readMessageParts(leaf.ref())) : [],
    totalFees,
    oldStateHash: update.bytes(32),
    newStateHash: update.bytes(32),
  };
}
