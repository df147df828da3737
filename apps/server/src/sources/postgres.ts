/** A chain in PostgreSQL, read as of one head for each answer. */
import {
  type AccountId,
  accountKey,
  type BlockHeader,
  type BlockSelector,
  type ShardId,
  zeroStateHeader,
} from "@chain-query/chain-store";
import { MASTERCHAIN, shardAt } from "@chain-query/format/identifiers";
import { type IndexedChain, type IndexHead, type PostgresReader, PostgresStoreError } from "@chain-query/postgres-store";
import {
  type ChainSource,
  externalQueueLimit,
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

  /** Reads from the archive what the other databases no longer have. It need not have the newest blocks. */
  const inArchive = async <Found>(read: (reader: PostgresReader, newest: IndexHead) => Promise<Found>) => {
    const { archive } = databases;
    if (archive === undefined) return undefined;
    if (!archive.isInService) throw archiveError("cannot be read");
    const newest = archive.head ?? (await archive.readHead());
    return archive
      .run((reader) => read(reader, newest))
      .catch((error: unknown) => {
        throw error instanceof PostgresStoreError && error.kind === "behind" ? archiveError("lacks blocks") : error;
      });
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

  const newestTransactions = (account: AccountId, limit: number, { block }: Pick<Head, "block">) => {
    const at = block.id.seqno;
    return once(`newest ${nameOf(account)} ${limit} ${at}`, async () => {
      const found = await databases.read(at, (reader) => reader.transactions(account, { aboveLt: 0n }, limit, at));
      if (found.length > 0 || databases.archive === undefined) return found;
      // Of a quiet account, only the archive may have transactions.
      const { last } = await databases.read(at, (reader) => reader.account(account, at));
      if (last.lt === 0n) return [];
      const range = { fromLt: last.lt, aboveLt: 0n };
      const old = await inArchive((reader, newest) => reader.transactions(account, range, limit, common(at, newest)));
      if (old === undefined || !isStart(old[0], last)) throw archiveError("lacks blocks");
      return old;
    });
  };

  const history = async (account: AccountId, { from, aboveLt, archival }: HistoryRange, limit: number, at: number) => {
    const readAt = async (reader: PostgresReader, seqno: number) => {
      const rows = await reader.transactions(account, { fromLt: from.lt, aboveLt }, limit, seqno);
      return isStart(rows[0], from) ? rows : undefined;
    };
    const found = await databases.read(at, (reader) => readAt(reader, at));
    return found ?? (archival ? inArchive((reader, newest) => readAt(reader, common(at, newest))) : undefined);
  };

  const located = async (
    { block }: Snapshot,
    read: (reader: PostgresReader, at: number) => Promise<Transaction | undefined>,
  ): Promise<Transaction | undefined> => {
    const at = block.id.seqno;
    const recent = await databases.read(at, (reader) => read(reader, at));
    if (recent !== undefined) return recent;
    return inArchive(async (reader, newest) => {
      const old = await read(reader, common(at, newest));
      // Neither may have what is older than the one and newer than the other.
      if (old === undefined && newest.block.time < block.time - kept) throw archiveError("lacks blocks");
      return old;
    });
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
        const read = (reader: PostgresReader) => reader.account(account, at);
        const isOld = block.time < head.block.time - kept;
        const version = (isOld ? await inArchive(read) : undefined) ?? (await databases.read(at, read));
        return { account, ...version, block };
      });
    },
    newestTransaction: async (account) => (await newestTransactions(account, 1, await newest()))[0]?.id,
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
    findSender: (message) => find((head) => located(head, (reader, at) => reader.findSender(message, at))),
    findReceiver: (message) => find((head) => located(head, (reader, at) => reader.findReceiver(message, at))),
    retainedSince: (at) => {
      const head = at ?? known();
      return head instanceof Promise ? head.then(({ block }) => block.time - kept) : head.block.time - kept;
    },
    externalQueueLimit,
    longestRead,
    close,
  });
}

function isStart(transaction: Transaction | undefined, { lt, hash }: Transaction["id"]): boolean {
  return transaction?.id.lt === lt && isSameHash(transaction.id.hash, hash);
}

/** The newest step of a head that an archive has. */
function common(at: number, { block }: IndexHead): number {
  return Math.min(at, block.id.seqno);
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
