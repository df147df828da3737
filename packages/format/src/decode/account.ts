import type { Cell } from "../cells/cell.ts";
import { CellReader } from "../cells/cell-reader.ts";
import type { TransactionId } from "../identifiers/types.ts";
import { readAddress } from "../state/address.ts";
import { type ExtraCurrency, readCurrencies } from "../state/currencies.ts";
import { readStateInit } from "./message.ts";

export type AccountStatus = "uninitialized" | "active" | "frozen";

/** What an account's own cell tells of it; code and data are still cells. */
export interface DecodedAccount {
  readonly status: AccountStatus;
  readonly balance: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  readonly code?: Cell;
  readonly data?: Cell;
  /** Of a frozen account: the hash of the state it had. */
  readonly frozenHash?: Uint8Array;
}

const NO_ACCOUNT: DecodedAccount = { status: "uninitialized", balance: 0n, extraCurrencies: [] };

/** Decodes a TL-B `ShardAccount`: an account with the id of its last transaction. */
export function decodeShardAccount(cell: Cell): DecodedAccount & { readonly last: TransactionId } {
  const reader = new CellReader(cell);
  return { ...decodeAccount(reader.ref()), last: { hash: reader.bytes(32), lt: reader.bigUint(64) } };
}

/**
 * Decodes a TL-B `Account`. An account without code is uninitialized, or frozen where the hash of its last state is kept;
 * every other one is active.
 *
 * @throws CellError where the cell is no account.
 */
export function decodeAccount(cell: Cell): DecodedAccount {
  const reader = new CellReader(cell);
  if (!reader.bit()) return NO_ACCOUNT;
  readAddress(reader);
  skipStorageInfo(reader);
  reader.skip(64);
  const { coins, extra } = readCurrencies(reader);
  const { code, data, frozenHash } = readState(reader);
  return {
    status: statusOf(code, frozenHash),
    balance: coins,
    extraCurrencies: extra,
    ...(code && { code }),
    ...(data && { data }),
    ...(frozenHash && { frozenHash }),
  };
}

/** TL-B StorageInfo: cells and bits used, a hash of its dictionary or nothing, time of last payment, what is due. */
function skipStorageInfo(reader: CellReader): void {
  reader.varUint(3);
  reader.varUint(3);
  if (reader.uint(3) === 1) reader.skip(256);
  reader.skip(32);
  if (reader.bit()) reader.coins();
}

interface State {
  readonly code?: Cell | undefined;
  readonly data?: Cell | undefined;
  readonly frozenHash?: Uint8Array;
}

/** TL-B AccountState: account_uninit$00, account_frozen$01, account_active$1. */
function readState(reader: CellReader): State {
  if (reader.bit()) return readStateInit(reader);
  return reader.bit() ? { frozenHash: reader.bytes(32) } : {};
}

function statusOf(code: Cell | undefined, frozenHash: Uint8Array | undefined): AccountStatus {
  if (code) return "active";
  return frozenHash ? "frozen" : "uninitialized";
}
