import { decodeShardAccount } from "@chain-query/format/accounts";
import { type Cell, CellError, writeBoc } from "@chain-query/format/cells";
import type { DecodedMessage } from "@chain-query/format/messages";
import { type DecodedTransaction, decodeTransaction } from "@chain-query/format/transactions";
import type { BlockHeader } from "../domain.ts";
import type { AccountCommit, BlockCommit, TransactionCommit } from "./commit.ts";
import type { StoredAccount } from "./records/account-record.ts";
import type { StoredMessage } from "./records/message-record.ts";
import type { StoredTransaction } from "./records/transaction-record.ts";

/** Puts a cell where those lie that are the same for many, and tells under which hash. */
export type KeepCell = (cell: Cell) => Uint8Array;

/** A transaction in the two forms that a step needs: as it is stored, and as its cell told it. */
export function transactionRecord(
  transaction: TransactionCommit,
  masterchainSeqno: number,
  keepCell: KeepCell,
): { readonly stored: StoredTransaction; readonly decoded: DecodedTransaction } {
  const decoded = decodeTransaction(transaction.cell);
  const { inMessage } = decoded;
  const stored = {
    id: decoded.id,
    previous: decoded.previous,
    time: decoded.time,
    data: transaction.boc ?? writeBoc(transaction.cell),
    fee: decoded.fee,
    storageFee: decoded.storageFee,
    ...(inMessage && { inMessage: messageRecord(inMessage, keepCell) }),
    outMessages: decoded.outMessages.map((message) => messageRecord(message, keepCell)),
    masterchainSeqno,
  };
  return { stored, decoded };
}

function messageRecord(message: DecodedMessage, keepCell: KeepCell): StoredMessage {
  const { body, initState, ...rest } = message;
  return { ...rest, body: writeBoc(body), ...(initState && { initStateHash: keepCell(initState) }) };
}

/** An account as it is stored. */
export function accountRecord({ shardAccount }: Pick<AccountCommit, "shardAccount">, keepCell: KeepCell): StoredAccount {
  const { code, data, ...rest } = decodeShardAccount(shardAccount);
  const [account] = shardAccount.refs;
  if (!account) throw new CellError("a shard's account has no cell");
  const { bytes, bitLength, refs } = account;
  return {
    ...rest,
    ...(code && { code: refs.indexOf(code) }),
    ...(data && { data: refs.indexOf(data) }),
    cell: { bytes, bitLength, refs: refs.map((ref) => (ref === code ? { kept: keepCell(ref) } : { boc: writeBoc(ref) })) },
  };
}

/** A block without its bytes and its transactions. */
export function headerRecord(block: BlockCommit, masterchainSeqno: number): BlockHeader {
  const { boc: _boc, transactions, ...header } = block;
  return { ...header, masterchainSeqno, transactionCount: transactions.length };
}
