/** Accounts and transactions that Merkle proofs show, and how readers of a chain return them. */
import { type DecodedAccount, decodeAccount } from "@chain-query/format/accounts";
import { type Cell, CellReader, hex, isEqual } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  type BlockRef,
  NO_TRANSACTION,
  namedBlock,
  smallestShard,
  type TransactionId,
} from "@chain-query/format/identifiers";
import type { DecodedMessage } from "@chain-query/format/messages";
import { lookUpAccount, lookUpShard, readStateShards } from "@chain-query/format/states";
import type { Message, ReadAccount, ReadTransaction } from "@chain-query/format/store";
import { type DecodedTransaction, decodeTransaction } from "@chain-query/format/transactions";
import { UnprovenError } from "./unproven.ts";

/** An account, or its absence, in the state of its shard. */
export interface ProvedAccount {
  /** Undefined if the proof shows that the account does not exist. */
  readonly account: DecodedAccount | undefined;
  readonly cell: Cell | undefined;
  /** The last transaction; lt 0 and 32 zero bytes before the first. */
  readonly last: TransactionId;
}

/** An account that does not exist. */
export const ABSENT: ProvedAccount = { account: undefined, cell: undefined, last: NO_TRANSACTION };

/** The newest block of an account's shard as of a masterchain state; undefined if the chain does not have its workchain. */
export function newestShardBlock(masterchainState: Cell, account: AccountId): (BlockId & BlockRef) | undefined {
  const top = lookUpShard(readStateShards(masterchainState), smallestShard(account));
  return top && namedBlock(top, top.block);
}

/**
 * Reads an account in the state of its shard. Its absence is proved by another path in the dictionary of accounts: a pruned branch
 * proves nothing.
 *
 * @param state - Root of the state, see `openState`.
 * @param open - Gives the cell of the account for the one in the state, which may be a pruned branch. Default: the same cell.
 */
export function readProvedAccount(
  state: Cell,
  { hash }: AccountId,
  open: (shown: Cell) => Cell = (shown) => shown,
): ProvedAccount {
  const entry = lookUpAccount(state, hash);
  if (!entry) return ABSENT;
  const cell = open(entry.account);
  // `account_none$0` stands for an account without a state.
  const account = new CellReader(cell).bit() ? decodeAccount(cell) : undefined;
  if (account && account.balance !== entry.coins) {
    throw new UnprovenError(`account ${hex(hash)} must have a balance of ${entry.coins}, got ${account.balance}`);
  }
  return { account, cell, last: entry.last };
}

/** Checks that a cell is a transaction of an account whose hash is known, and that the one before it, which it names, is earlier. */
export function readProvedTransaction(account: AccountId, { lt, hash }: TransactionId, cell: Cell): DecodedTransaction {
  if (!isEqual(cell.hash, hash)) {
    throw new UnprovenError(`the transaction at lt ${lt} must have hash ${hex(hash)}, got ${hex(cell.hash)}`);
  }
  const transaction = decodeTransaction(cell);
  if (transaction.id.lt !== lt || transaction.previous.lt >= lt) {
    const { id, previous } = transaction;
    throw new UnprovenError(
      `the transaction ${hex(hash)} must have lt ${lt} and follow an earlier one, got ${id.lt} after ${previous.lt}`,
    );
  }
  if (!isEqual(transaction.accountHash, account.hash)) {
    throw new UnprovenError(
      `the transaction at lt ${lt} must be of account ${hex(account.hash)}, got ${hex(transaction.accountHash)}`,
    );
  }
  return transaction;
}

/** Gives a cell as a bag of cells, such as `writeBoc`. */
export type BocOf = (cell: Cell) => Uint8Array;

/** The state of an account as readers return it. An account that does not exist is uninitialized and empty. */
export function describeAccount(
  found: DecodedAccount | undefined,
  known: Pick<ReadAccount, "account" | "last" | "isSuspended" | "block">,
  bocOf: BocOf,
): ReadAccount {
  if (found === undefined) return { ...known, status: "uninitialized", balance: 0n, extraCurrencies: [] };
  const { code, data, ...rest } = found;
  return { ...rest, ...known, ...(code && { code: bocOf(code) }), ...(data && { data: bocOf(data) }) };
}

/** A transaction with its messages as readers return it. */
export function describeTransaction(
  found: DecodedTransaction & { readonly account: AccountId; readonly cell: Cell },
  bocOf: BocOf,
): ReadTransaction {
  const { account, id, previous, time, fee, storageFee, cell, inMessage, outMessages } = found;
  const messageOf = ({ body, initState, ...rest }: DecodedMessage): Message => ({
    ...rest,
    body: bocOf(body),
    ...(initState && { initState: bocOf(initState) }),
  });
  return {
    ...{ account, id, previous, time, fee, storageFee },
    data: bocOf(cell),
    ...(inMessage && { inMessage: messageOf(inMessage) }),
    outMessages: outMessages.map(messageOf),
  };
}
