/** Makes the records of transactions and accounts from their cells. */
import { decodeShardAccount } from "@chain-query/format/accounts";
import { type Cell, CellError, writePooledBoc } from "@chain-query/format/cells";
import type { DecodedMessage } from "@chain-query/format/messages";
import type { DecodedTransaction } from "@chain-query/format/transactions";
import type { StoredAccount, StoredMessage, StoredTransaction } from "./records.ts";

/** Adds a cell to the store's table of cells, and returns its hash. */
export type KeepCell = (cell: Cell) => Uint8Array;

/** @param data - The transaction's bag of cells. */
export function storedTransaction(
  decoded: DecodedTransaction,
  data: Uint8Array,
  masterchainSeqno: number,
  keepCell: KeepCell,
): StoredTransaction {
  const { id, previous, time, fee, storageFee, inMessage, outMessages } = decoded;
  return {
    id,
    previous,
    time,
    data,
    fee,
    storageFee,
    ...(inMessage && { inMessage: storedMessage(inMessage, keepCell) }),
    outMessages: outMessages.map((message) => storedMessage(message, keepCell)),
    masterchainSeqno,
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
  return {
    ...rest,
    ...(code && { code: refs.indexOf(code) }),
    ...(data && { data: refs.indexOf(data) }),
    cell: {
      bytes,
      bitLength,
      refs: refs.map((ref) => (ref === code ? { kept: keepCell(ref) } : { boc: writePooledBoc(ref) })),
    },
  };
}
