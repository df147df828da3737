/** A chain in PostgreSQL, read as of one head for each answer. */

import {
  type AccountId,
  accountKey,
  type BlockHeader,
  type BlockSelector,
  type MessageKey,
  type ShardId,
  zeroStateHeader,
} from "@chain-query/chain-store";
import { MASTERCHAIN, shardAt } from "@chain-query/format/identifiers";
import { EXTERNAL_QUEUE_LIMIT } from "@chain-query/format/states";
import {
  DroppedHistoryError,
  type IndexedChain,
  type IndexHead,
  type PostgresReader,
  PostgresStoreError,
} from "@chain-query/postgres-store";
import {
  type ChainSource,
  type Head,
  type HistoryRange,
  type ShardQueue,
  SourceError,
  type Transaction,
} from "../chain-source.ts";
import { isSameHash } from "../convert/bytes.ts";
import { inTime } from "./in-time.ts";
import type { Databases } from "./postgres-databases.ts";
import type { ServedHead } from "./served-head.ts";

/** What a source needs. */
export interface PostgresSourceOptions {
  readonly databases: Databases;
  readonly served: ServedHead;
  readonly chain: IndexedChain;
  /** Seconds after which transactions are archival; default: what the chain was made with. */
  readonly retention?: number | undefined;
  /** Closes what the source was opened with. */
  readonly close: () => Promise<void>;
}

/** Milliseconds for an answer of the source: a read of the head, the wait for a replica, and what else is tried. */
const answerLimit = 2_000;
/** A page of the usual length is one statement. */
const longestRead = 100;

/** What one head is answered with. */
interface Snapshot extends Head {
  readonly block: BlockHeader;
  readonly queues: readonly ShardQueue[];
}

/**
 * A chain in PostgreSQL. What was found as of an earlier head never changes; so only what depends on the head, and what was not found,
 * waits until the head is read.
 *
 * @example
 * ```ts
 * const source = postgresSource({ databases, served, chain, close: () => databases.close() });
 * ```
 */
export function postgresSource({ databases, served, chain, retention, close }: PostgresSourceOptions): ChainSource {
  const kept = retention ?? chain.retentionSeconds;
  const snapshots = new WeakMap<IndexHead, Snapshot>();
  const once = singleFlight();
  let shared: { readonly read: Promise<unknown>; readonly snapshot: Promise<Snapshot> } | undefined;

  const snapshotOf = (head: IndexHead): Snapshot => {
    const known = snapshots.get(head);
    if (known !== undefined) return known;
    const { block, transactionCount, shards } = head;
    const made = { block, transactionCount, queues: shards.map(({ id, queueSize }) => ({ id, size: queueSize })) };
    snapshots.set(head, made);
    return made;
  };

  /** One promise for all callers that share a read. */
  const newest = (): Promise<Snapshot> => {
    const read = served.read();
    if (read === shared?.read) return shared.snapshot;
    const snapshot = read.then(
      ({ head }) => snapshotOf(head),
      (error: unknown) => {
        throw sourceError(error);
      },
    );
    shared = { read, snapshot };
    return snapshot;
  };

  /** A head without asking for the newest one. */
  const known = (): Snapshot | Promise<Snapshot> => {
    const head = served.known;
    return head === undefined ? newest() : snapshotOf(head);
  };

  /** Looks for something that never changes once it is there. */
  const find = async <Found>(look: (at: Snapshot) => Promise<Found | undefined>): Promise<Found | undefined> => {
    const before = await known();
    const found = await look(before);
    if (found !== undefined) return found;
    const head = await newest();
    return head.block.id.seqno === before.block.id.seqno ? undefined : look(head);
  };

  /** Reads what the databases have as of a head, or from the archive what they have dropped. It need not have the newest blocks. */
  const readAll = async <Found>(at: number, read: (reader: PostgresReader, at: number) => Promise<Found>): Promise<Found> => {
    try {
      return await databases.read(at, (reader) => read(reader, at));
    } catch (error) {
      const { archive } = databases;
      if (!(error instanceof DroppedHistoryError) || archive === undefined) throw error;
      if (!archive.isInService) throw archiveError("cannot be read");
      const newest = (archive.head ?? (await archive.readHead())).block.id.seqno;
      if (newest < error.firstSeqno - 1) throw archiveError("lacks blocks");
      return archive
        .run((reader) => read(reader, Math.min(at, newest)))
        .catch((cause: unknown) => {
          throw cause instanceof PostgresStoreError && cause.kind === "behind" ? archiveError("lacks blocks") : cause;
        });
    }
  };

  const header = async (seqno: number, { block }: Snapshot): Promise<BlockHeader> => {
    if (seqno === 0) return zeroStateHeader(chain.masterchain, chain.time);
    if (seqno === block.id.seqno) return block;
    const found = await once(`header ${seqno}`, () =>
      databases.read(seqno, (reader) => reader.block(MASTERCHAIN, { seqno }, seqno)),
    );
    if (found !== undefined) return found;
    throw new PostgresStoreError("damaged", `the index is damaged: masterchain block ${seqno} is missing`);
  };

  const findBlock = async (shard: ShardId, selector: BlockSelector, { block, queues }: Snapshot) => {
    const at = block.id.seqno;
    const ids = queues.map(({ id }) => id);
    const covering = shardAt(ids, shard);
    const isCurrent = covering?.shard === shard.shard;
    const read = (one: ShardId) => databases.read(at, (reader) => reader.block(one, selector, at));
    // A shard of the past may be one that was split or merged since.
    const own = isCurrent || shard.shard === 0n ? undefined : await read(shard);
    return own ?? (covering && (await read(covering)));
  };

  const located = (
    { createdLt }: MessageKey,
    read: (reader: PostgresReader, at: number) => Promise<Transaction | undefined>,
  ): Promise<Transaction | undefined> =>
    find(({ block }) => readAll(block.id.seqno, read)).catch(
      missing(`a message of lt ${createdLt} is not in this node's history`),
    );

  const newestTransactions = (account: AccountId, limit: number, { block }: Pick<Head, "block">, archival: boolean) => {
    const at = block.id.seqno;
    return once(`newest ${nameOf(account)} ${limit} ${at} ${archival}`, async () => {
      const read = (reader: PostgresReader, seqno: number) => reader.transactions(account, { aboveLt: 0n }, limit, seqno);
      try {
        return archival ? await readAll(at, read) : await databases.read(at, (reader) => read(reader, at));
      } catch (error) {
        if (!(error instanceof DroppedHistoryError)) throw error;
        const { last } = await databases.read(at, (reader) => reader.account(account, at));
        // An account that was deleted has none.
        if (last.lt === 0n) return [];
        throw new SourceError("archival", tooOld(last.lt, archival), { cause: error });
      }
    });
  };

  const history = async (account: AccountId, { from, aboveLt, archival }: HistoryRange, limit: number, at: number) => {
    const read = async (reader: PostgresReader, seqno: number) => {
      const rows = await reader.transactions(account, { fromLt: from.lt, aboveLt }, limit, seqno);
      return isStart(rows[0], from) ? rows : undefined;
    };
    try {
      return await (archival ? readAll(at, read) : databases.read(at, (reader) => read(reader, at)));
    } catch (error) {
      if (!(error instanceof DroppedHistoryError)) throw error;
      // All that was dropped is older.
      if (from.lt >= error.endLt) return undefined;
      throw new SourceError("archival", tooOld(from.lt, archival), { cause: error });
    }
  };

  return guarded({
    head: newest,
    consensus: async () => (await served.read()).consensus.block,
    genesis: () => ({ block: chain.masterchain }),
    async account(account, asOfSeqno) {
      let head = asOfSeqno === undefined ? await newest() : await known();
      if (asOfSeqno !== undefined && asOfSeqno > head.block.id.seqno) head = await newest();
      const at = asOfSeqno ?? head.block.id.seqno;
      if (at > head.block.id.seqno) return undefined;
      return once(`account ${nameOf(account)} ${at}`, async () => {
        const block = await header(at, head);
        const version = await readAll(at, (reader, seqno) => reader.account(account, seqno)).catch(
          missing(`masterchain block ${at} is not in this node's history`),
        );
        return { account, ...version, block };
      });
    },
    newestTransaction: async (account) => (await newestTransactions(account, 1, await newest(), true))[0]?.id,
    newestTransactions,
    async transactions(account, range, limit) {
      const { from, aboveLt, archival } = range;
      const name = `history ${nameOf(account)} ${from.lt} ${aboveLt} ${archival} ${limit}`;
      const found = await find(({ block: { id } }) =>
        once(`${name} ${id.seqno}`, () => history(account, range, limit, id.seqno)),
      );
      return found ?? [];
    },
    block: (shard, selector) => {
      const name = `block ${shard.workchain} ${shard.shard} ${JSON.stringify(Object.entries(selector).map(String))}`;
      return find((head) => once(`${name} ${head.block.id.seqno}`, () => findBlock(shard, selector, head)));
    },
    shards: async () => (await newest()).queues.map(({ id }) => id),
    queues: async () => (await newest()).queues,
    findSender: (message) => located(message, (reader, at) => reader.findSender(message, at)),
    findReceiver: (message) => located(message, (reader, at) => reader.findReceiver(message, at)),
    retainedSince: (at) => {
      const head = at ?? known();
      return head instanceof Promise ? head.then(({ block }) => block.time - kept) : head.block.time - kept;
    },
    externalQueueLimit: EXTERNAL_QUEUE_LIMIT,
    longestRead,
    close,
  });
}

function isStart(transaction: Transaction | undefined, { lt, hash }: Transaction["id"]): boolean {
  return transaction?.id.lt === lt && isSameHash(transaction.id.hash, hash);
}

/** Throws another error for what was dropped and is in no archive. */
function missing(text: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof DroppedHistoryError ? new SourceError("archival", text, { cause: error }) : error;
  };
}

function tooOld(lt: bigint, archival: boolean): string {
  return `lt ${lt} is not in this node's history${archival ? "" : ", use archival=true to reach it"}`;
}

function archiveError(problem: string): SourceError {
  return new SourceError("unavailable", `the archive of this service ${problem}`);
}

function nameOf(account: AccountId): string {
  return accountKey(account).toString("latin1");
}

/** Shares one promise among equal questions that are asked at the same time. */
function singleFlight(): <Value>(question: string, answer: () => Promise<Value>) => Promise<Value> {
  const running = new Map<string, Promise<unknown>>();
  return <Value>(question: string, answer: () => Promise<Value>): Promise<Value> => {
    const same = running.get(question);
    if (same !== undefined) return same as Promise<Value>;
    const own = answer().finally(() => running.delete(question));
    running.set(question, own);
    return own;
  };
}

/** Limits the time, and turns errors of the store into words for the caller. A damaged record is a fault of the service. */
function guarded(source: Required<ChainSource>): ChainSource {
  const guard =
    <Args extends unknown[], Result>(read: (...args: Args) => Result | Promise<Result>) =>
    async (...args: Args): Promise<Awaited<Result>> => {
      try {
        return await inTime(answerLimit, Promise.resolve(read(...args)));
      } catch (error) {
        throw sourceError(error);
      }
    };
  return {
    ...source,
    consensus: guard(source.consensus),
    account: guard(source.account),
    newestTransaction: guard(source.newestTransaction),
    newestTransactions: guard(source.newestTransactions),
    transactions: guard(source.transactions),
    block: guard(source.block),
    shards: guard(source.shards),
    queues: guard(source.queues),
    findSender: guard(source.findSender),
    findReceiver: guard(source.findReceiver),
  };
}

function sourceError(error: unknown): unknown {
  if (!(error instanceof PostgresStoreError) || error.kind === "damaged") return error;
  const options = { cause: error };
  if (error.kind === "behind")
    return new SourceError("slow", "the databases of this service do not have the newest block yet", options);
  if (error.kind === "slow") return new SourceError("slow", "the database did not answer in time", options);
  return new SourceError("unavailable", "the database of this service cannot be read", options);
}
