/** Converts transactions and accounts between cells, records and domain types. */
import { decodeShardAccount } from "../accounts.ts";
import { Cell, CellError, CellReader, isEqual, writePooledBoc } from "../cells/index.ts";
import { type AccountId, NO_TRANSACTION, readAddress } from "../identifiers.ts";
import type { DecodedMessage } from "../messages.ts";
import type { DecodedTransaction } from "../transactions.ts";
import { accountKey } from "./account-key.ts";
import { type ChainAccount, ChainStoreError, type ChainTransaction, type Message } from "./domain.ts";
import { accountRecord, type StoredAccount, type StoredMessage, type StoredTransaction, transactionRecord } from "./records.ts";

/** Adds a cell to the store's table of cells, and returns its hash. */
export type KeepCell = (cell: Cell) => Uint8Array;

/** @param data - The transaction's bag of cells. */
export function storedTransaction(
  decoded: DecodedTransaction,
  data: Uint8Array,
  masterchainSeqno: number,
  keepCell: KeepCell,
): StoredTransaction {
  const { accountHash: _, totalFees: __, inMessage, outMessages, ...rest } = decoded;
  return {
    ...{ ...rest, data, masterchainSeqno },
    ...(inMessage && { inMessage: storedMessage(inMessage, keepCell) }),
    outMessages: outMessages.map((message) => storedMessage(message, keepCell)),
  };
}

function storedMessage(message: DecodedMessage, keepCell: KeepCell): StoredMessage {
  const { body, initState, ...rest } = message;
  return { ...rest, body: writePooledBoc(body), ...(initState && { initStateHash: keepCell(initState) }) };
}

/** @param shardAccount - TL-B ShardAccount. */
export function storedAccount(shardAccount: Cell, keepCell: KeepCell): StoredAccount {
  const { code, data, ...rest } = decodeShardAccount(shardAccount);
  const [account] = shardAccount.refs;
  if (!account) throw new CellError("a ShardAccount has no reference to its account");
  const { bytes, bitLength, refs } = account;
  const stored = refs.map((ref) => (ref === code ? { kept: keepCell(ref) } : { boc: writePooledBoc(ref) }));
  return {
    ...rest,
    ...(code && { code: refs.indexOf(code) }),
    ...(data && { data: refs.indexOf(data) }),
    cell: { bytes, bitLength, refs: stored },
  };
}

/** Finds a bag of cells that the store keeps once, by the hash of its root. Throws if the store does not have it. */
export type CellOf = (hash: Uint8Array) => Uint8Array;

/** The fields of an account in its record. */
export type AccountVersion = Omit<ChainAccount, "account" | "block">;

/** A deleted account equals an account that never existed: the state of its shard has no entry. */
export const ABSENT_ACCOUNT: AccountVersion = {
  status: "uninitialized",
  balance: 0n,
  extraCurrencies: [],
  last: NO_TRANSACTION,
};

/**
 * Decodes a version of an account.
 *
 * @throws ChainStoreError if the record is damaged or of another account, or the error of `cellOf`.
 */
export function decodeAccount(account: AccountId, record: Uint8Array, cellOf: CellOf): AccountVersion {
  const { cell, code, data, ...version } = accountRecord.decode(record);
  // TL-B account_none$0; account$1 begins with its address.
  if (cell.bitLength === 1) return ABSENT_ACCOUNT;
  const address = readAddress(new CellReader(new Cell(cell.bytes, cell.bitLength, [])).skip(1));
  if (!address || !isEqual(accountKey(address), accountKey(account)))
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
 * @throws ChainStoreError if the record is damaged, or the error of `cellOf`.
 */
export function decodeStoredTransaction(account: AccountId, record: Uint8Array, cellOf: CellOf): ChainTransaction {
  const stored = transactionRecord.decode(record);
  const { inMessage, outMessages } = stored;
  // Most messages deploy nothing, and are not copied.
  if (!inMessage?.initStateHash && !outMessages.some((message) => message.initStateHash)) return { ...stored, account };
  const withInitState = ({ initStateHash, ...message }: StoredMessage): Message =>
    initStateHash ? { ...message, initState: cellOf(initStateHash) } : message;
  const complete = { ...stored, account, outMessages: outMessages.map(withInitState) };
  return inMessage ? { ...complete, inMessage: withInitState(inMessage) } : complete;
}

/** Hashes of the cells that decoding a transaction needs, for stores that read asynchronously. */
export function cellsOfTransaction(record: Uint8Array): Uint8Array[] {
  const { inMessage, outMessages } = transactionRecord.decode(record);
  return [...(inMessage ? [inMessage] : []), ...outMessages].flatMap(({ initStateHash }) => initStateHash ?? []);
}
