import { type DecodedAccount, decodeAccount } from "@chain-query/format/accounts";
import { type Cell, CellReader, hex, isEqual } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  containsAccount,
  isSameBlock,
  namedBlock,
  smallestShard,
  type TransactionId,
} from "@chain-query/format/identifiers";
import { lookUpAccount, lookUpShard, readStateShards } from "@chain-query/format/states";
import { type DecodedTransaction, decodeTransaction } from "@chain-query/format/transactions";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { openState } from "./block.ts";
import { checked, formatBlock, readData, readProofs, requireBlock, unproven } from "./evidence.ts";

export interface ProvedAccount {
  /** Undefined if the proof shows that the account does not exist. */
  readonly account: DecodedAccount | undefined;
  readonly cell: Cell | undefined;
  /** The last transaction; lt 0 and 32 zero bytes before the first. */
  readonly last: TransactionId;
}

/**
 * Checks the state of an account as of a masterchain block. Its absence is proved by another path in the dictionary of accounts, or by the
 * masterchain's state without a shard for it, as for a workchain that the network does not have: a pruned branch proves nothing.
 */
export function checkAccountState(
  asked: { readonly at: BlockId; readonly account: AccountId },
  answer: LiteAnswer<"getAccountState">,
): ProvedAccount {
  return checked("an account's proof", () => {
    const { at, account } = asked;
    requireBlock("the block of an account", answer.id, at);
    if (!isSameBlock(answer.shardblk, at) && !hasShard(at, account, answer)) {
      requireNoState(account.hash, answer.state);
      return ABSENT;
    }
    if (!containsAccount(answer.shardblk, account)) {
      throw unproven(`the block ${formatBlock(answer.shardblk)} cannot hold account ${account.workchain}:${hex(account.hash)}`);
    }
    return readAccount(openState(answer.shardblk, readProofs(answer.proof, 2)), account, answer.state);
  });
}

const ABSENT: ProvedAccount = { account: undefined, cell: undefined, last: { lt: 0n, hash: new Uint8Array(32) } };

/** Whether the masterchain has a shard for the account. Then the shard's block must be the newest one that it registers. */
function hasShard(at: BlockId, account: AccountId, { shardblk, shardProof }: LiteAnswer<"getAccountState">): boolean {
  if (at.workchain !== -1) throw unproven(`the account's block must be ${formatBlock(at)}, got ${formatBlock(shardblk)}`);
  const top = lookUpShard(readStateShards(openState(at, readProofs(shardProof, 2))), smallestShard(account));
  // The block's id is meaningless then: nodes send an invalid one.
  if (top) requireBlock("the newest block of the account's shard", shardblk, namedBlock(top, top.block));
  return top !== undefined;
}

function readAccount(state: Cell, { hash }: AccountId, data: Uint8Array): ProvedAccount {
  const entry = lookUpAccount(state, hash);
  if (!entry) {
    requireNoState(hash, data);
    return ABSENT;
  }
  if (data.length === 0) throw unproven(`account ${hex(hash)} must have a state, got none`);
  const [cell] = readData(data, "account");
  const expected = entry.account.hashAt(0);
  if (!cell || !isEqual(cell.hash, expected)) {
    throw unproven(
      `the state of account ${hex(hash)} must have hash ${hex(expected)}, got ${cell ? hex(cell.hash) : "no cell"}`,
    );
  }
  // `account_none$0` stands for an account without a state.
  const account = new CellReader(cell).bit() ? decodeAccount(cell) : undefined;
  if (account && account.balance !== entry.coins) {
    throw unproven(`account ${hex(hash)} must have a balance of ${entry.coins}, got ${account.balance}`);
  }
  return { account, cell, last: entry.last };
}

function requireNoState(hash: Uint8Array, data: Uint8Array): void {
  if (data.length > 0) throw unproven(`account ${hex(hash)} must be empty, got a state`);
}

/** Transactions in one answer at most. */
const MAX_PAGE = 16;

/** A transaction of an account's history. */
interface HistoryTransaction extends DecodedTransaction {
  readonly cell: Cell;
  /** The block that the server reports. Unverified, except for its shard. */
  readonly block: BlockId;
}

/** A part of an account's history, newest first. */
export interface HistoryPage {
  readonly transactions: readonly HistoryTransaction[];
  /** The transaction before the last one of the page; lt 0 if the history ends here. A server may end a page early. */
  readonly next: TransactionId;
}

/**
 * Checks a part of an account's history: the first transaction has the trusted hash, and each other one the hash in the transaction
 * before it on the page. A server may still end the page early.
 */
export function checkHistory(
  asked: { readonly account: AccountId; readonly from: TransactionId; readonly count: number },
  answer: LiteAnswer<"getTransactions">,
): HistoryPage {
  return checked("a history", () => {
    const { account, from } = asked;
    const cells = readData(answer.transactions, "transactions", MAX_PAGE);
    const most = Math.min(asked.count, MAX_PAGE);
    if (cells.length > most) throw unproven(`a history must have at most ${most} transactions, got ${cells.length}`);
    if (cells.length !== answer.ids.length) {
      throw unproven(`a history of ${cells.length} transactions must name as many blocks, got ${answer.ids.length}`);
    }
    const transactions: HistoryTransaction[] = [];
    let next = from;
    for (const [i, cell] of cells.entries()) {
      const block = answer.ids[i] as BlockId;
      const transaction = checkNext(account, next, cell, block);
      transactions.push({ ...transaction, cell, block });
      next = transaction.previous;
    }
    return { transactions, next };
  });
}

function checkNext(account: AccountId, { lt, hash }: TransactionId, cell: Cell, block: BlockId): DecodedTransaction {
  if (!isEqual(cell.hash, hash))
    throw unproven(`the transaction at lt ${lt} must have hash ${hex(hash)}, got ${hex(cell.hash)}`);
  const transaction = decodeTransaction(cell);
  if (transaction.id.lt !== lt || transaction.previous.lt >= lt) {
    const { id, previous } = transaction;
    throw unproven(
      `the transaction ${hex(hash)} must have lt ${lt} and follow an earlier one, got ${id.lt} after ${previous.lt}`,
    );
  }
  if (!isEqual(transaction.accountHash, account.hash)) {
    throw unproven(`the transaction at lt ${lt} must be of account ${hex(account.hash)}, got ${hex(transaction.accountHash)}`);
  }
  if (!containsAccount(block, account))
    throw unproven(`${formatBlock(block)} cannot hold a transaction of ${hex(account.hash)}`);
  return transaction;
}
