import { type Cell, hex, isEqual } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  containsAccount,
  isSameBlock,
  type TransactionId,
} from "@chain-query/format/identifiers";
import type { DecodedTransaction } from "@chain-query/format/transactions";
import {
  ABSENT,
  newestShardBlock,
  type ProvedAccount,
  readProvedAccount,
  readProvedTransaction,
} from "@chain-query/proof/accounts";
import { openState } from "@chain-query/proof/blocks";
import { formatBlock, requireBlock, UnprovenError } from "@chain-query/proof/unproven";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { checked, readData, readProofs } from "./evidence.ts";

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
      throw new UnprovenError(
        `the block ${formatBlock(answer.shardblk)} cannot hold account ${account.workchain}:${hex(account.hash)}`,
      );
    }
    const state = openState(answer.shardblk, readProofs(answer.proof, 2));
    const found = readProvedAccount(state, account, (shown) => openAccount(account.hash, answer.state, shown.hashAt(0)));
    if (!found.cell) requireNoState(account.hash, answer.state);
    return found;
  });
}

/** Whether the masterchain has a shard for the account. Then the shard's block must be the newest one that it registers. */
function hasShard(at: BlockId, account: AccountId, { shardblk, shardProof }: LiteAnswer<"getAccountState">): boolean {
  if (at.workchain !== -1)
    throw new UnprovenError(`the account's block must be ${formatBlock(at)}, got ${formatBlock(shardblk)}`);
  const newest = newestShardBlock(openState(at, readProofs(shardProof, 2)), account);
  // The block's id is meaningless then: nodes send an invalid one.
  if (newest) requireBlock("the newest block of the account's shard", shardblk, newest);
  return newest !== undefined;
}

function openAccount(hash: Uint8Array, data: Uint8Array, expected: Uint8Array): Cell {
  if (data.length === 0) throw new UnprovenError(`account ${hex(hash)} must have a state, got none`);
  const [cell] = readData(data, "account");
  if (cell && isEqual(cell.hash, expected)) return cell;
  const got = cell ? hex(cell.hash) : "no cell";
  throw new UnprovenError(`the state of account ${hex(hash)} must have hash ${hex(expected)}, got ${got}`);
}

function requireNoState(hash: Uint8Array, data: Uint8Array): void {
  if (data.length > 0) throw new UnprovenError(`account ${hex(hash)} must be empty, got a state`);
}

/** Transactions in one answer at most. */
export const MAX_PAGE = 16;

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
    if (cells.length > most) throw new UnprovenError(`a history must have at most ${most} transactions, got ${cells.length}`);
    if (cells.length !== answer.ids.length) {
      throw new UnprovenError(`a history of ${cells.length} transactions must name as many blocks, got ${answer.ids.length}`);
    }
    const transactions: HistoryTransaction[] = [];
    let next = from;
    for (const [i, cell] of cells.entries()) {
      const block = answer.ids[i] as BlockId;
      const transaction = readProvedTransaction(account, next, cell);
      if (!containsAccount(block, account)) {
        throw new UnprovenError(`${formatBlock(block)} cannot hold a transaction of ${hex(account.hash)}`);
      }
      transactions.push({ ...transaction, cell, block });
      next = transaction.previous;
    }
    return { transactions, next };
  });
}
