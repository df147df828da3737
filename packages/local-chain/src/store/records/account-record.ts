import type { AccountState, AccountStatus } from "../../domain.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { readExtraCurrencies, writeExtraCurrencies } from "./currencies-record.ts";

/**
 * A version of an account as it is stored: what readers ask for, and the account's own cell, so that it can be hashed again. Its
 * code, the same for many, lies elsewhere under its hash.
 */
export interface StoredAccount extends Omit<AccountState, "account" | "block" | "code" | "data"> {
  readonly cell: ShallowCell;
  /** Which references of the cell are the code and the data. */
  readonly code?: number;
  readonly data?: number;
}

/** A cell whose references are bags of cells of their own, or the hashes of some that lie elsewhere. */
export interface ShallowCell {
  readonly bytes: Uint8Array;
  readonly bitLength: number;
  readonly refs: readonly StoredRef[];
}
export type StoredRef = { readonly boc: Uint8Array } | { readonly kept: Uint8Array };

const STATUSES: readonly AccountStatus[] = ["uninitialized", "active", "frozen"];
const NO_REF = 255;

export function writeAccount(account: StoredAccount): Uint8Array {
  const { cell, frozenHash } = account;
  const writer = new ByteWriter(512);
  writer
    .u8(STATUSES.indexOf(account.status))
    .u8(account.code ?? NO_REF)
    .u8(account.data ?? NO_REF);
  writer.amount(account.balance).u64(account.last.lt).fixed(account.last.hash);
  writeExtraCurrencies(writer, account.extraCurrencies);
  writer.bytes(frozenHash ?? NO_HASH);
  writer.u32(cell.bitLength).bytes(cell.bytes).u8(cell.refs.length);
  for (const ref of cell.refs) {
    if ("kept" in ref) writer.u8(1).fixed(ref.kept);
    else writer.u8(0).bytes(ref.boc);
  }
  return writer.finish();
}

const NO_HASH = new Uint8Array(0);

export function readStoredAccount(record: Uint8Array): StoredAccount {
  const reader = new ByteReader(record);
  const status = STATUSES[reader.u8()] ?? "uninitialized";
  const code = reader.u8();
  const data = reader.u8();
  const balance = reader.amount();
  const last = { lt: reader.u64(), hash: reader.fixed(32) };
  const extraCurrencies = readExtraCurrencies(reader);
  const frozenHash = reader.bytes();
  const bitLength = reader.u32();
  const bytes = reader.bytes();
  const refs: StoredRef[] = [];
  for (let left = reader.u8(); left > 0; left--) {
    refs.push(reader.u8() === 1 ? { kept: reader.fixed(32) } : { boc: reader.bytes() });
  }
  reader.end();
  return {
    status,
    balance,
    extraCurrencies,
    ...(code !== NO_REF && { code }),
    ...(data !== NO_REF && { data }),
    ...(frozenHash.length > 0 && { frozenHash }),
    last,
    cell: { bytes, bitLength, refs },
  };
}

/** @param keptCell - Finds a bag of cells by the hash of its root. */
export function readAccount(
  record: Uint8Array,
  keptCell: (hash: Uint8Array) => Uint8Array,
): Omit<AccountState, "account" | "block"> {
  const { cell, code, data, ...account } = readStoredAccount(record);
  const bocAt = (index: number | undefined): Uint8Array | undefined => {
    const ref = index === undefined ? undefined : cell.refs[index];
    return ref && ("kept" in ref ? keptCell(ref.kept) : ref.boc);
  };
  const codeBoc = bocAt(code);
  const dataBoc = bocAt(data);
  return { ...account, ...(codeBoc && { code: codeBoc }), ...(dataBoc && { data: dataBoc }) };
}
