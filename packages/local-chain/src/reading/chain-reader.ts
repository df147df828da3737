import { type AccountId, accountName, prefixLength, type ShardId, shardsOfPrefix } from "@chain-query/format/identifiers";
import {
  ABSENT_ACCOUNT,
  type AccountVersion,
  accountKey,
  type BlockHeader,
  type BlockSelector,
  ChainStoreError,
  type ChainTransaction,
  decodeAccount,
  decodeStoredTransaction,
  type MessageKey,
  type MessageTrace,
} from "@chain-query/format/store";
import type { ChainReader, TransactionRange } from "../domain.ts";
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
import { headReader, keptCells, knownHeader, storedGenesis } from "../store/store-contents.ts";
import { readError } from "../store/store-error.ts";
import { MAX_DEPTH, openTables, plainBytes, type Seek, seekIn, type Tables } from "../store/tables.ts";
import { stateReader } from "./state-reader.ts";

/**
 * Opens a chain for reading. Any number of processes can read a chain, also while one writes it.
 *
 * @param directory - A folder that `createChain` or `chain-query-local-chain init` made.
 * @returns The reader; `close` it when done.
 * @throws ChainStoreError if the folder holds no chain, one of another version or a damaged one.
 *
 * @example
 * const chain = openChain("my-chain");
 * console.log(chain.head().block.id.seqno);
 * await chain.close();
 */
export function openChain(directory: string): ChainReader {
  const tables = openTables(chainFileToRead(directory), "read");
  return chainReader(tables, () => tables.root.close());
}

/** @param close - Closes the tables. */
export function chainReader(tables: Tables, close: () => Promise<void>): ChainReader {
  const genesis = storedGenesis(tables);
  const readHead = headReader(tables, genesis);
  const account = accountReader(tables, genesis, readHead);
  const { transaction, transactions, locate } = transactionReader(tables);
  const block = blockFinder(tables, genesis);
  const state = stateReader(tables, genesis);
  // A synthetic chain has no validators, and no seed.
  const signersOf = genesis.options["validators"] ? blockSigners(readOptions(genesis.options)) : () => undefined;

  const reader: ChainReader = {
    head: () => {
      const { header: block, transactionCount } = readHead();
      return { block, transactionCount };
    },
    genesis: () => ({ block: genesis.masterchain, time: genesis.time }),
    account,
    transactions,
    transaction,
    block,
    blockData: (id) => (isU32(id.seqno) ? plainBytes(tables.blockData.get(blockKey(id, id.seqno))) : undefined),
    state,
    shards: () => readHead().tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno)),
    locate,
    signers: signersOf,
    retainedSince: () => readHead().header.time - genesis.retentionSeconds,
    close,
  };
  return whileOpen(reader);
}

/**
 * Throws on calls after `close`, since LMDB ends the process if a closed environment is read, and turns errors of LMDB into a
 * `ChainStoreError`.
 */
function whileOpen(reader: ChainReader): ChainReader {
  let closing: Promise<void> | undefined;
  const checkOpen = (): void => {
    if (closing) throw new ChainStoreError("the chain is closed");
  };
  const guarded = Object.fromEntries(
    Object.entries(reader).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        checkOpen();
        try {
          return method(...args);
        } catch (cause) {
          throw readError(cause);
        }
      },
    ]),
  );
  return {
    ...(guarded as unknown as ChainReader),
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
function accountReader(
  tables: Tables,
  genesis: StoredGenesis,
  readHead: ReturnType<typeof headReader>,
): ChainReader["account"] {
  const cellOf = keptCells(tables.cells);
  const versions = seekIn(tables.versions);

  const versionAt = (account: AccountId, seqno: number): AccountVersion => {
    const record = versions.downwards(versionKey(account, seqno), accountKey(account));
    return record ? decodeAccount(account, record, cellOf) : ABSENT_ACCOUNT;
  };

  return (account, asOfSeqno) => {
    const head = readHead();
    const seqno = asOfSeqno ?? head.seqno;
    if (!isU32(seqno) || seqno > head.seqno) return undefined;
    const block = seqno === head.seqno ? head.header : knownHeader(tables, genesis, genesis.masterchain, seqno);
    return { account, ...versionAt(account, seqno), block };
  };
}

/** Above every logical time of a transaction: they have 63 bits. */
const NEWEST = 2n ** 63n - 1n;

/** Reads single transactions, the history of an account, and the sender and receiver of a message. */
function transactionReader(tables: Tables): Pick<ChainReader, "transaction" | "transactions" | "locate"> {
  const initStateOf = keptCells(tables.cells);
  const seek = seekIn(tables.transactions);

  const transaction = (account: AccountId, lt: bigint): ChainTransaction | undefined => {
    const record = isLt(lt) ? tables.transactions.get(transactionKey(account, lt)) : undefined;
    return record && decodeStoredTransaction(account, record, initStateOf);
  };

  /** A transaction that another record refers to. */
  const referenced = (account: AccountId, lt: bigint): ChainTransaction => {
    const found = transaction(account, lt);
    if (!found)
      throw new ChainStoreError(`the chain is damaged: transaction ${lt} of account ${accountName(account)} is missing`);
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

  const locate = (message: MessageKey): MessageTrace => {
    const record = isLt(message.createdLt) ? tables.messages.get(messageKey(message)) : undefined;
    if (!record) return {};
    const { producerLt, consumerLt } = traceRecord.decode(record);
    const producer = producerLt === undefined ? undefined : referenced(message.source, producerLt);
    const consumer = consumerLt === undefined ? undefined : referenced(message.destination, consumerLt);
    return { ...(producer && { producer }), ...(consumer && { consumer }) };
  };

  return { transaction, transactions, locate };
}

/** Finds blocks by seqno, logical time or time. */
function blockFinder(tables: Tables, genesis: StoredGenesis): ChainReader["block"] {
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
