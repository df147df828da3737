/** Cells of a transaction, a message and an account, as small as they may be. */
import { type Cell, CellBuilder } from "../../src/cells/index.ts";
import { type AccountId, writeAddress } from "../../src/identifiers.ts";

export const ACCOUNT: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(7) };
export const CODE: Cell = new CellBuilder().uint(0xc0de, 16).cell();
export const DATA: Cell = new CellBuilder().uint(0xda7a, 16).cell();
/** TL-B StateInit with code and data. */
export const STATE_INIT: Cell = new CellBuilder().uint(0, 2).maybeRef(CODE).maybeRef(DATA).bit(false).cell();

/** TL-B Transaction that received a message from outside, perhaps with an initial state. */
export function transactionCell(initState: Cell | undefined): Cell {
  const message = writeAddress(new CellBuilder().uint(0b10, 2).uint(0, 2), ACCOUNT).coins(0n);
  if (initState) message.uint(0b11, 2).ref(initState);
  else message.bit(false);
  const messages = new CellBuilder().maybeRef(message.bit(false).uint(5, 8).cell()).maybeRef(undefined).cell();
  return new CellBuilder()
    .uint(0b0111, 4)
    .bytes(ACCOUNT.hash)
    .bigUint(61n, 64)
    .bytes(new Uint8Array(32))
    .bigUint(0n, 64)
    .uint(1_700_000_000, 32)
    .uint(0, 15)
    .uint(0b1010, 4)
    .ref(messages)
    .coins(9n)
    .bit(false)
    .ref(new CellBuilder().uint(0x72, 8).bytes(new Uint8Array(32)).bytes(new Uint8Array(32)).cell())
    .ref(new CellBuilder().uint(0, 4).bit(true).bit(true).coins(4n).bit(false).uint(0, 1).bit(false).cell())
    .cell();
}

/** TL-B Account. Its state is active, frozen with a hash, or uninitialized. */
export function accountCell(state: "active" | "frozen" | "uninitialized"): Cell {
  const account = writeAddress(new CellBuilder().bit(true), ACCOUNT)
    .varUint(1n, 3)
    .varUint(100n, 3)
    .uint(0, 3)
    .uint(1_700_000_000, 32)
    .bit(false)
    .bigUint(62n, 64)
    .coins(12n)
    .bit(false);
  if (state === "active") account.uint(0b100, 3).maybeRef(CODE).maybeRef(DATA).bit(false);
  else if (state === "frozen") account.uint(0b01, 2).bytes(CODE.hash);
  else account.uint(0b00, 2);
  return account.cell();
}
