import { type DecodedAccount, isSuspended, SUSPENDED_ACCOUNTS } from "@chain-query/format/accounts";
import type { Cell } from "@chain-query/format/cells";
import type { AccountId, BlockId, TransactionId } from "@chain-query/format/identifiers";
import type { DecodedTransaction } from "@chain-query/format/transactions";
import type { ProvedAccount } from "@chain-query/proof/accounts";
import type { ProvedBlock } from "@chain-query/proof/blocks";
import { LRUCache } from "lru-cache";
import { checkAccountState, checkHistory, type HistoryPage, MAX_PAGE } from "../proof/account.ts";
import { checkSuspendedList } from "../proof/block.ts";
import { isBehind } from "../servers/fault.ts";
import type { PoolRead } from "../servers/pool.ts";
import { LiteError } from "../wire/lite-error.ts";
import { queries } from "../wire/tl/queries.ts";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { described, hasReached, type LiteBlock, readProvedHeader } from "./blocks.ts";
import type { ReadContext } from "./read-context.ts";

/** An account as of a masterchain block. */
export interface LiteAccount {
  /** Undefined if the account does not exist in this state. */
  readonly account: DecodedAccount | undefined;
  /** TL-B Account; undefined if the account does not exist in this state. */
  readonly cell: Cell | undefined;
  /** The last transaction; lt 0 and 32 zero bytes without transactions. */
  readonly last: TransactionId;
  /** Whether the configuration suspends it, see `isSuspended`. */
  readonly isSuspended: boolean;
  /** The masterchain block as of which this holds. */
  readonly block: LiteBlock;
}

/** The lists of suspended accounts by the number of the key block that sets them. */
type SuspendedLists = LRUCache<number, { readonly list: Cell | undefined }>;

/** As many as old states are read of at the same time. */
export function suspendedLists(): SuspendedLists {
  return new LRUCache({ max: 16 });
}

/** A transaction. */
export interface LiteTransaction extends DecodedTransaction {
  readonly account: AccountId;
  readonly cell: Cell;
  /** The block that contains it. Unverified in a history, except for its shard. */
  readonly block: BlockId;
}

export function readState(context: ReadContext, account: AccountId): Promise<ProvedAccount> {
  const { at } = context;
  return context.ask({
    query: queries.getAccountState({ id: at, account }),
    check: (answer) => checkAccountState({ at, account }, answer),
    isImmutable: true,
  });
}

export async function readAccount(context: ReadContext, asked: AccountId, lists: SuspendedLists): Promise<LiteAccount> {
  const { at } = context;
  const readList = async ({ keySeqno }: ProvedBlock): Promise<Cell | undefined> => {
    const known = lists.get(keySeqno) ?? { list: await readSuspended(context) };
    lists.set(keySeqno, known);
    return known.list;
  };
  const header = readProvedHeader(context, at);
  const [{ account, cell, last }, block, list] = await Promise.all([readState(context, asked), header, header.then(readList)]);
  return { account, cell: account && cell, last, isSuspended: isSuspended(list, asked, block.time), block: described(block) };
}

function readSuspended(context: ReadContext): Promise<Cell | undefined> {
  const { at } = context;
  return context.ask({
    query: queries.getConfigParams({ mode: 0, id: at, paramList: [SUSPENDED_ACCOUNTS] }),
    check: (answer) => checkSuspendedList(at, answer),
    isImmutable: true,
  });
}

/** Transactions of an account from a known one to older ones, as many as one answer has. */
export async function readPage(
  context: ReadContext,
  account: AccountId,
  from: TransactionId,
  count: number,
): Promise<HistoryPage> {
  const read: PoolRead<LiteAnswer<"getTransactions">, HistoryPage> = {
    query: queries.getTransactions({ count, account, lt: BigInt.asIntN(64, from.lt), hash: from.hash }),
    check: (answer) => {
      const page = checkHistory({ account, from, count }, answer);
      if (page.transactions.length === 0) throw new LiteError("proof", "a history has no transaction, not even the first one");
      return page;
    },
    isImmutable: true,
  };
  try {
    return await context.ask({ ...read, isOnce: true });
  } catch (error) {
    // Servers that lag wait for the block. They say the same of a logical time that no block has.
    if (!isBehind(error) || !(await hasReached(context, account, from.lt))) throw error;
    return context.ask(read);
  }
}

/** The transactions of an account from a known one to older ones. Ends early where the history of the servers does. */
export async function readHistory(
  context: ReadContext,
  account: AccountId,
  from: TransactionId,
  limit: number,
): Promise<readonly LiteTransaction[]> {
  const found: LiteTransaction[] = [];
  let next = from;
  while (found.length < limit && next.lt > 0n) {
    const page = await readPage(context, account, next, Math.min(MAX_PAGE, limit - found.length)).catch((error: unknown) => {
      if (found.length > 0 && error instanceof LiteError && error.kind === "refused") return undefined;
      throw error;
    });
    if (!page) break;
    for (const transaction of page.transactions) found.push({ ...transaction, account });
    next = page.next;
  }
  return found;
}
