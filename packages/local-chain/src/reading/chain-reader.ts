import { isSuspended } from "@chain-query/format/accounts";
import { decorate } from "@chain-query/format/async";
import { isEqual } from "@chain-query/format/cells";
import { type AccountId, accountName, prefixLength, type ShardId, shardsOfPrefix } from "@chain-query/format/identifiers";
import {
  ABSENT_ACCOUNT,
  type AccountVersion,
  accountKey,
  type BlockHeader,
  type BlockSelector,
  ChainStoreError,
  type ChainTransaction,
  configAccount,
  decodeAccount,
  decodeStoredTransaction,
  type MessageKey,
  suspendedLists,
} from "@chain-query/format/store";
import type { LocalChain, TransactionRange } from "../domain.ts";
import { readOptions } from "../genesis/options.ts";
import { blockSigners } from "../genesis/validators.ts";
import { chainFileToRead } from "../store/chain-folder.ts";
import {
  blockKey,
  blockLtKey,
  blockTimeKey,
  HIGHEST_LT,
  HIGHEST_U32,
  isLt,
  isU32,
  messageKey,
  numberRecord,
  type StoredGenesis,
  traceRecord,
  transactionKey,
  versionKey,
} from "../store/records.ts";
import { headReader, keptCells, knownHeader, missing, storedGenesis } from "../store/store-contents.ts";
import { readError } from "../store/store-error.ts";
import { MAX_DEPTH, openTables, plainBytes, type Seek, seekIn, type Tables } from "../store/tables.ts";
import { stateReader } from "./state-reader.ts";

/**
 * Opens a chain for reading. Any number of processes can read a chain, also while one writes it.
 *
 * @param directory - A folder that `createChain` or `chain-query-local-chain init` made.
 * @param retentionSeconds - After which history is archival; default: the value of the chain's creation.
 * @returns The reader; `close` it when done.
 * @throws ChainStoreError if the folder holds no chain, one of another version or a damaged one.
 *
 * @example
 * const chain = openChain("my-chain");
 * console.log(chain.head().block.id.seqno);
 * await chain.close();
 */
export function openChain(directory: string, retentionSeconds?: number): LocalChain {
  const tables = openTables(chainFileToRead(directory), "read");
  return chainReader(tables, () => tables.root.close(), retentionSeconds);
}

/** @param close - Closes the tables. */
export function chainReader(tables: Tables, close: () => Promise<void>, retentionSeconds?: number): LocalChain {
  const genesis = storedGenesis(tables);
  const kept = retentionSeconds ?? genesis.retentionSeconds;
  const readHead = headReader(tables, genesis);
  const account = accountReader(tables, genesis, readHead);
  const { transaction, transactions, findSender, findReceiver } = transactionReader(tables);
  // A synthetic chain has no validators, and no seed.
  const signersOf = genesis.options["validators"] ? blockSigners(readOptions(genesis.options)) : () => undefined;
  let last: { readonly of: unknown; readonly head: ReturnType<LocalChain["head"]> } | undefined;

  /** The same object until there is a newer head. */
  const head: LocalChain["head"] = () => {
    const of = readHead();
    if (last?.of !== of) {
      const shards = of.tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno));
      last = { of, head: { block: of.header, transactionCount: of.transactionCount, shards } };
    }
    return last.head;
  };
  const shards = () => head().shards;

  return whileOpen({
    head,
    consensus: () => head().block,
    genesis: () => ({ block: genesis.masterchain, time: genesis.time }),
    account,
    newestTransactions: (id) => {
      const newest = account(id)?.last;
      return newest === undefined || newest.lt === 0n ? undefined : { id: newest };
    },
    history: (id, { from, aboveLt }, limit) => {
      const found: ChainTransaction[] = [];
      for (const one of transactions(id, { fromLt: from.lt, aboveLt })) {
        found.push(one);
        if (found.length === limit) break;
      }
      return found[0] !== undefined && isEqual(found[0].id.hash, from.hash) ? found : [];
    },
    transactions,
    transaction,
    block: blockFinder(tables, genesis),
    blockData: (id) => (isU32(id.seqno) ? plainBytes(tables.blockData.get(blockKey(id, id.seqno))) : undefined),
    state: stateReader(tables, genesis),
    shards,
    queues: shards,
    findSender,
    findReceiver,
    signers: signersOf,
    retainedSince: (at = head()) => at.block.time - kept,
    close,
  });
}

/**
 * Throws on calls after `close`, since LMDB ends the process if a closed environment is read, and turns errors of LMDB into a
 * `ChainStoreError`.
 */
function whileOpen(reader: LocalChain): LocalChain {
  let closing: Promise<void> | undefined;
  const checkOpen = (): void => {
    if (closing) throw new ChainStoreError("the chain is closed");
  };
  return {
    ...decorate(reader, (method, args) => {
      checkOpen();
      try {
        return method(...args);
      } catch (cause) {
        throw readError(cause);
      }
    }),
    *transactions(account, range) {
      checkOpen();
      const transactions = reader.transactions(account, range);
      for (;;) {
        const next = nextOf(transactions);
        if (next.done) return;
        yield next.value;
        checkOpen();
      }
    },
    close: () => {
      closing ??= reader.close();
      return closing;
    },
  };
}

function nextOf<T>(iterator: Iterator<T, undefined>): IteratorResult<T, undefined> {
  try {
    return iterator.next();
  } catch (cause) {
    throw readError(cause);
  }
}

/** Reads accounts: the newest version at or before a masterchain block. */
function accountReader(tables: Tables, genesis: StoredGenesis, readHead: ReturnType<typeof headReader>): LocalChain["account"] {
  const cellOf = keptCells(tables.cells);
  const versions = seekIn(tables.versions);
  const lists = suspendedLists();

  const versionAt = (account: AccountId, seqno: number): AccountVersion => {
    const record = versions.downwards(versionKey(account, seqno), accountKey(account));
    return record ? decodeAccount(account, record, cellOf) : ABSENT_ACCOUNT;
  };

  return (account, asOfSeqno) => {
    const head = readHead();
    const seqno = asOfSeqno ?? head.seqno;
    if (!isU32(seqno) || seqno > head.seqno) return undefined;
    const block = seqno === head.seqno ? head.header : knownHeader(tables, genesis, genesis.masterchain, seqno);
    const { list } = lists.get(seqno) ?? lists.keep(seqno, versionAt(configAccount, seqno).data);
    return { account, ...versionAt(account, seqno), isSuspended: isSuspended(list, account, block.time), block };
  };
}

/** Above every logical time of a transaction: they have 63 bits. */
const NEWEST = 2n ** 63n - 1n;

/** Reads single transactions, the history of an account, and the sender and receiver of a message. */
function transactionReader(tables: Tables) {
  const initStateOf = keptCells(tables.cells);
  const seek = seekIn(tables.transactions);

  const transaction = (account: AccountId, lt: bigint): ChainTransaction | undefined => {
    const record = isLt(lt) ? tables.transactions.get(transactionKey(account, lt)) : undefined;
    return record && decodeStoredTransaction(account, record, initStateOf);
  };

  /** A transaction that another record refers to. */
  const referenced = (account: AccountId, lt: bigint): ChainTransaction => {
    const found = transaction(account, lt);
    if (!found) throw missing(`transaction ${lt} of account ${accountName(account)}`);
    return found;
  };

  const newest = (account: AccountId): ChainTransaction | undefined => {
    const record = seek.downwards(transactionKey(account, NEWEST), accountKey(account));
    return record && decodeStoredTransaction(account, record, initStateOf);
  };

  function* transactions(
    account: AccountId,
    { fromLt, aboveLt = 0n }: TransactionRange = {},
  ): IterableIterator<ChainTransaction> {
    // Follows the links between transactions, so that no LMDB cursor stays open between two results.
    let next = fromLt === undefined ? newest(account) : transaction(account, fromLt);
    while (next && next.id.lt > aboveLt) {
      yield next;
      const { lt } = next.previous;
      next = lt > aboveLt ? referenced(account, lt) : undefined;
    }
  }

  const traceOf = (message: MessageKey) => {
    const record = isLt(message.createdLt) ? tables.messages.get(messageKey(message)) : undefined;
    return record && traceRecord.decode(record);
  };
  const findSender = (message: MessageKey): ChainTransaction | undefined => {
    const lt = traceOf(message)?.producerLt;
    return lt === undefined ? undefined : referenced(message.source, lt);
  };
  const findReceiver = (message: MessageKey): ChainTransaction | undefined => {
    const lt = traceOf(message)?.consumerLt;
    return lt === undefined ? undefined : referenced(message.destination, lt);
  };

  return { transaction, transactions, findSender, findReceiver };
}

/** Finds blocks by seqno, logical time or time. */
function blockFinder(tables: Tables, genesis: StoredGenesis): LocalChain["block"] {
  const byLt = seekIn(tables.blocksByLt);
  const byTime = seekIn(tables.blocksByTime);

  const seqnoOf = (shard: ShardId, selector: BlockSelector): number | undefined => {
    if ("seqno" in selector) return existingSeqno(tables, shard, selector.seqno);
    if ("lt" in selector) return seqnoByLt(byLt, shard, selector.lt);
    return seqnoByTime(byTime, shard, selector.time);
  };

  const [one] = genesis.shards;
  const onlyDepth = genesis.options["resharding"] === "none" && one ? prefixLength(one.shard) : undefined;

  return (asked, selector) => {
    let first: BlockHeader | undefined;
    const shards = shardsOfPrefix(asked, onlyDepth ?? MAX_DEPTH);
    // At each moment one of these shards exists, and the blocks of all of them have rising numbers, logical times and times.
    for (const shard of onlyDepth === undefined ? shards : shards.slice(-1)) {
      const seqno = seqnoOf(shard, selector);
      const found = seqno === undefined ? undefined : knownHeader(tables, genesis, shard, seqno);
      if (found && (!first || found.id.seqno < first.id.seqno)) first = found;
    }
    return first;
  };
}

function existingSeqno(tables: Tables, shard: ShardId, seqno: number): number | undefined {
  if (!isU32(seqno) || seqno < 1) return undefined;
  return tables.blocks.doesExist(blockKey(shard, seqno)) ? seqno : undefined;
}

/** The first block whose end lt is at or above the logical time. */
function seqnoByLt(seek: Seek, shard: ShardId, lt: bigint): number | undefined {
  if (!isLt(lt)) return undefined;
  return decodeSeqno(seek.upwards(blockLtKey(shard, lt), blockLtKey(shard, HIGHEST_LT)));
}

/** The first block at or after the time. */
function seqnoByTime(seek: Seek, shard: ShardId, time: number): number | undefined {
  if (!isU32(time)) return undefined;
  return decodeSeqno(seek.upwards(blockTimeKey(shard, time, 0), blockTimeKey(shard, HIGHEST_U32, HIGHEST_U32)));
}

function decodeSeqno(record: Uint8Array | undefined): number | undefined {
  return record && numberRecord.decode(record);
}
