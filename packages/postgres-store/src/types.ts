/** Types that all parts of the store use. Times are whole Unix seconds, seqnos are of masterchain blocks unless stated otherwise. */

import { OperationalError } from "@chain-query/format/error";
import type {
  AccountId,
  AccountVersion,
  BlockHeader,
  BlockId,
  BlockSelector,
  ChainTransaction,
  MessageKey,
  ShardId,
  Step,
  StepGenesis,
} from "@chain-query/format/store";

/** How to connect. The password may come from the URL, from PGPASSWORD or from PGPASSFILE. */
export interface PostgresConnection {
  /** `postgres://user@host:port/database`. */
  readonly url: string;
  /** Connections; default: 2, which pipeline their queries. */
  readonly connections?: number;
  /**
   * Milliseconds for a statement; default: 1,000 for readers, none for writers. A server that answers nothing for a quarter longer
   * counts as silent: reads then fail at once until it answers again.
   */
  readonly statementTimeout?: number;
  /** Name of the connections in `pg_stat_activity`; default: `chain-query` and the purpose of the connections. */
  readonly applicationName?: string;
}

/** An API key as it is stored. The secret is not: only its hash. */
export interface ApiKeyRow {
  readonly id: string;
  readonly secretHash: Uint8Array;
  readonly owner: string;
  /** Requests per second; 0 for no limit. */
  readonly rate: number;
  /** The network that the key is for; any network if absent. */
  readonly network?: string;
  /** Unix seconds. */
  readonly created: number;
}

/** The genesis of a chain, as it is stored. */
export interface IndexedChain {
  readonly masterchain: BlockId;
  readonly shards: readonly BlockId[];
  readonly time: number;
  readonly retentionSeconds: number;
}

/** The newest published step, with all data of responses about the head. One row, so one read. */
export interface IndexHead {
  readonly block: BlockHeader;
  readonly transactionCount: bigint;
  /** The newest committed block of each shard, the masterchain first, then by shard. */
  readonly shards: readonly BlockHeader[];
}

/** A step that changes an account. */
interface AccountChange {
  readonly seqno: number;
  /** Whether the account did not exist before the step. */
  readonly isMade: boolean;
}

/**
 * Reads an index as of a head: nothing above `at`, a masterchain seqno, is ever found. Rejects with a `PostgresStoreError`: of kind
 * `behind` if the database lacks `at`, of kind `other-chain` if it holds another chain. Both are checked anew on each connection that is
 * opened, which may lead to another server. Rejects with a `DroppedHistoryError` if the requested data may have been dropped. A signal ends
 * a read, which then rejects with the signal's reason; other callers of the same read continue.
 */
export interface PostgresReader {
  /** Throws if the database has no index, or one of another schema version or chain. */
  chain(signal?: AbortSignal): Promise<IndexedChain>;
  /** Reads the head: the same object until it moves. `coalesced` of `@chain-query/format/async` lets callers share a read. */
  head(signal?: AbortSignal): Promise<IndexHead>;
  /** The record that validators have signed two chains; undefined without one. */
  signedFork(signal?: AbortSignal): Promise<string | undefined>;
  /** Rejects with an `UnreadAccountError` if no step of an index that begins late changed the account up to `at`. */
  account(account: AccountId, at: number, signal?: AbortSignal): Promise<AccountVersion>;
  /** The first step after `from`, up to `to`, that changes an account, and whether it makes the account. Undefined if none does. */
  nextChange(account: AccountId, from: number, to: number, signal?: AbortSignal): Promise<AccountChange | undefined>;
  /**
   * Newest first, at most `limit`, from `fromLt` down to above `aboveLt`. One statement. Default for `fromLt`: the last transaction of
   * the account; a deleted account has none. Also fewer than `limit` where older transactions were dropped, but at least one.
   */
  transactions(
    account: AccountId,
    range: { readonly fromLt?: bigint; readonly aboveLt: bigint },
    limit: number,
    at: number,
    signal?: AbortSignal,
  ): Promise<readonly ChainTransaction[]>;
  /**
   * The block of the shard that had the asked shard's prefix then, also if this shard was split or merged since. Undefined if there is no
   * such block at or before `at`. Rejects with a `DroppedHistoryError` if the block may be of a step before the first one of the index.
   */
  block(shard: ShardId, selector: BlockSelector, at: number, signal?: AbortSignal): Promise<BlockHeader | undefined>;
  findSender(message: MessageKey, at: number, signal?: AbortSignal): Promise<ChainTransaction | undefined>;
  findReceiver(message: MessageKey, at: number, signal?: AbortSignal): Promise<ChainTransaction | undefined>;
  /** An API key; undefined if it was never added, or has been revoked. */
  findKey(id: string, signal?: AbortSignal): Promise<ApiKeyRow | undefined>;
  close(): Promise<void>;
}

export type DatabaseState = "connecting" | "ready" | "behind" | "failing" | "other-chain";

/** The state of a database in one process. */
export interface DatabaseStatus {
  /** `primary`, `replica 1`: names no host. */
  readonly name: string;
  readonly state: DatabaseState;
  /** Its newest masterchain block. */
  readonly seqno?: number;
  /** Seconds for which it lacks a block that the primary has. */
  readonly lag: number;
  /** Reads that wait for an answer. */
  readonly inFlight: number;
}

/** The status of a database, for operators. */
export interface DatabaseEvents {
  /** Called when the state changes; `reason` may name a host, for the log. */
  readonly onChange?: (database: DatabaseStatus, reason: string | undefined) => void;
  /** Called when a check of the head fails after one that did not, with the reason for the log, and without when one succeeds again. */
  readonly onAnswering?: (database: string, reason: string | undefined) => void;
  /** Called after each read. */
  readonly onRead?: (database: string, seconds: number, hasFailed: boolean) => void;
}

/** Writes an index. One writer at a time holds the lease; a writer that has lost the lease fails at its next commit. */
export interface PostgresWriter {
  /** The newest published step; 0 after genesis. */
  readonly head: number;
  /** The newest block of each shard at the head. */
  readonly tips: readonly BlockHeader[];
  /** The newest block of each shard before an index that begins late, after `begin`: for the source of its steps. */
  readonly firstTips: readonly BlockHeader[] | undefined;
  /**
   * Writes the zero state, or checks that the index is of this chain. Throws if it is of another one.
   *
   * @param readTips - Called for an empty index that begins later than with the zero state: the newest block of each shard before its first
   * step, the masterchain first. Undefined for the zero state.
   */
  begin(genesis: StepGenesis, readTips?: () => Promise<readonly BlockHeader[] | undefined>): Promise<void>;
  /** Writes steps that follow the head, and publishes them, all or none. */
  write(steps: readonly Step[]): Promise<void>;
  close(): Promise<void>;
}

/** Adds steps before the first one of an index that begins late, the newest of them first. */
export interface PostgresExtension {
  /** The first step of the index; 1 when it has all of them, 0 with the zero state. */
  readonly firstSeqno: number;
  /** Checks that the index is of this chain. Throws if it is of another one. */
  begin(genesis: StepGenesis): Promise<void>;
  /**
   * Writes steps that end before the first one of the index, all or none. Then they are its first ones.
   *
   * @param tips - The newest block of each shard before the steps, the masterchain first.
   */
  write(tips: readonly BlockHeader[], steps: readonly Step[]): Promise<void>;
  /** Adds the zero state to an index that has all steps. It is then as one that began with it. */
  writeZeroState(genesis: StepGenesis): Promise<void>;
  close(): Promise<void>;
}

/** Why the index cannot be read or written. The message is one line without secrets. */
export class PostgresStoreError extends OperationalError {
  override readonly name = "PostgresStoreError";
  override readonly isUserError = true;
  override readonly isRetryable: boolean;
  override readonly status: number;
  /**
   * - `unreachable`: no connection; `refused`: a wrong password or user, or a pooler in transaction mode;
   * - `slow`: the statement timeout;
   * - `busy`: another writer has the lease; `lost`: another writer took it;
   * - `full`: no space, or read-only: writing may succeed later;
   * - `behind`: a read as of a head that the database does not have (yet);
   * - `dropped`: a read of history whose partition was dropped, or that is before the first step of the index;
   * - `unread`: a read of an account that has not changed since the index begins, and that was not read from the network yet;
   * - `fork`: blocks that do not follow those of the database, of a chain with the same genesis;
   * - `other-chain`: another chain; `schema`: no index, or another version of the schema; `damaged`: a record that differs from the written one.
   */
  readonly kind:
    | "unreachable"
    | "refused"
    | "slow"
    | "behind"
    | "dropped"
    | "unread"
    | "busy"
    | "lost"
    | "full"
    | "fork"
    | "other-chain"
    | "schema"
    | "damaged";

  constructor(kind: PostgresStoreError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    [this.isRetryable, this.status] = ANSWERS[kind];
  }
}

const ANSWERS: Readonly<Record<PostgresStoreError["kind"], readonly [isRetryable: boolean, status: number]>> = {
  unreachable: [true, 542],
  refused: [false, 542],
  slow: [true, 504],
  behind: [true, 504],
  dropped: [false, 500],
  unread: [false, 500],
  busy: [true, 542],
  lost: [true, 542],
  full: [true, 542],
  fork: [false, 542],
  "other-chain": [false, 542],
  schema: [false, 542],
  damaged: [false, 500],
};

/**
 * No step of an index that begins late changed the account up to the requested one, and `account_base` does not have it. Either the
 * `nextChange` makes the account, or its state is the same until then.
 */
export class UnreadAccountError extends PostgresStoreError {
  /** The first step that was not dropped. */
  readonly firstSeqno: number;

  constructor(firstSeqno: number) {
    super("unread", `the index begins late, and does not have an account that has not changed since step ${firstSeqno}`);
    this.firstSeqno = firstSeqno;
  }
}

/** The requested data may be in dropped history, or before the first step of the index. */
export class DroppedHistoryError extends PostgresStoreError {
  /** The first step that was not dropped. */
  readonly firstSeqno: number;
  /** Transactions that were dropped have lower logical times, and so have their messages. */
  readonly endLt: bigint;

  constructor(firstSeqno: number, endLt: bigint) {
    super("dropped", `the index does not have the history before step ${firstSeqno}`);
    this.firstSeqno = firstSeqno;
    this.endLt = endLt;
  }
}
