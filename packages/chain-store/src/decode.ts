/** Makes transactions and accounts from their records. */
import { Cell, CellReader } from "@chain-query/format/cells";
import { type AccountId, readAddress } from "@chain-query/format/identifiers";
import { accountKey } from "./account-key.ts";
import { ChainStoreError } from "./chain-store-error.ts";
import type { AccountState, Message, Transaction } from "./domain.ts";
import { accountRecord, type StoredMessage, transactionRecord } from "./records.ts";

/** Finds a bag of cells that the store keeps once, by the hash of its root. Throws if the store does not have it. */
export type CellOf = (hash: Uint8Array) => Uint8Array;

/** What a record tells of an account. */
export type AccountVersion = Omit<AccountState, "account" | "block">;

/** The state of a shard has nothing of an account that does not exist, be it that it never did or that it was deleted. */
export const ABSENT_ACCOUNT: AccountVersion = {
  status: "uninitialized",
  balance: 0n,
  extraCurrencies: [],
  last: { lt: 0n, hash: new Uint8Array(32) },
};

/**
 * Decodes a version of an account.
 *
 * @throws ChainStoreError if the record is damaged or that of another account, or what `cellOf` throws.
 */
export function decodeAccount(account: AccountId, record: Uint8Array, cellOf: CellOf): AccountVersion {
  const { cell, code, data, ...version } = accountRecord.decode(record);
  // TL-B account_none$0; account$1 begins with its address.
  if (cell.bitLength === 1) return ABSENT_ACCOUNT;
  const address = readAddress(new CellReader(new Cell(cell.bytes, cell.bitLength, [])).skip(1));
  if (!address || Buffer.compare(accountKey(address), accountKey(account)) !== 0)
    throw new ChainStoreError("the chain is damaged: the record of an account is that of another one");
  const bocAt = (index: number | undefined): Uint8Array | undefined => {
    const ref = index === undefined ? undefined : cell.refs[index];
    return ref && ("kept" in ref ? cellOf(ref.kept) : ref.boc);
  };
  const codeBoc = bocAt(code);
  const dataBoc = bocAt(data);
  return { ...version, ...(codeBoc && { code: codeBoc }), ...(dataBoc && { data: dataBoc }) };
}

/**
 * Decodes a transaction.
 *
 * @throws ChainStoreError if the record is damaged, or what `cellOf` throws.
 */
export function decodeStoredTransaction(account: AccountId, record: Uint8Array, cellOf: CellOf): Transaction {
  const stored = transactionRecord.decode(record);
  const { inMessage, outMessages } = stored;
  // Most messages deploy nothing, and are returned without another copy.
  if (!inMessage?.initStateHash && !outMessages.some((message) => message.initStateHash)) return { ...stored, account };
  const withInitState = ({ initStateHash, ...message }: StoredMessage): Message =>
    initStateHash ? { ...message, initState: cellOf(initStateHash) } : message;
  const complete = { ...stored, account, outMessages: outMessages.map(withInitState) };
  return inMessage ? { ...complete, inMessage: withInitState(inMessage) } : complete;
}

/** Hashes of the cells that decoding a transaction asks for, for stores that cannot answer at once. */
export function cellsOfTransaction(record: Uint8Array): Uint8Array[] {
  const { inMessage, outMessages } = transactionRecord.decode(record);
  return [...(inMessage ? [inMessage] : []), ...outMessages].flatMap(({ initStateHash }) => initStateHash ?? []);
}

/** The same for a version of an account. */
export function cellsOfAccount(record: Uint8Array): Uint8Array[] {
  return accountRecord.decode(record).cell.refs.flatMap((ref) => ("kept" in ref ? ref.kept : []));
}
