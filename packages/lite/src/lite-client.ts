import { pause, untilAborted } from "@chain-query/format/async";
import { type Cell, isEqual } from "@chain-query/format/cells";
import type { AccountId, BlockId, BlockSelector, ShardId, TransactionId } from "@chain-query/format/identifiers";
import { anchorKeeper, isContinued, readAnchor } from "./head/anchor.ts";
import { type AskForProof, follow } from "./head/follow-block-proof.ts";
import type { LiteHead, ProveHead, ReadHead } from "./head/heads.ts";
import { type SignedForkStore, signedForkFile } from "./head/signed-fork.ts";
import { SignedHead } from "./head/signed-head.ts";
import { type LiteAccount, type LiteTransaction, readAccount, readHistory, suspendedLists } from "./read/accounts.ts";
import {
  type LiteBlock,
  type LiteQueueSize,
  readBlock,
  readBlockData,
  readHistory as readBlockHistory,
  readQueueSizes,
  readShards,
  readTime,
  readZeroState,
  requireSelector,
} from "./read/blocks.ts";
import { findReceiver, findSender, findTransaction, type LiteMessageKey } from "./read/find-transactions.ts";
import { findHistory, type LiteHistory } from "./read/histories.ts";
import { type ReadContext, readContext } from "./read/read-context.ts";
import { withDeadline } from "./servers/deadline.ts";
import type { LiteMethod, OnLiteEvent } from "./servers/events.ts";
import { ConfigError, type GlobalConfig, type ServerAddress } from "./servers/global-config.ts";
import { Pool } from "./servers/pool.ts";
import { type LiteBudget, QueryBudget } from "./servers/query-budget.ts";
import { type LiteServerStatus, Server } from "./servers/server.ts";
import { connect } from "./wire/adnl/connect.ts";
import { adnlKeyId } from "./wire/adnl/handshake.ts";
import { LiteError } from "./wire/lite-error.ts";

/** Milliseconds between two checks for the first head. */
const HEAD_INTERVAL = 20;
/** Milliseconds to find out the history of a server. */
const HISTORY_TIMEOUT = 10_000;
/** Queries of a search at most, by default. What other reads return bounds their queries. */
const SEARCH_QUERIES = 200;
const SEARCHES: ReadonlySet<LiteMethod> = new Set(["lookupBlock", "findTransaction", "findSender", "findReceiver"]);

/** Options of a lite client. */
export interface LiteClientOptions {
  /**
   * The file in which the newest verified key block is kept, from which the next start verifies. Default: each start verifies from the
   * configuration's `initBlock`. See `readAnchor`.
   */
  readonly anchorFile?: string | undefined;
  /**
   * Where it is kept that validators have signed two chains. Until an operator removes the record, nothing is read.
   * Default: the file `<anchorFile>.fork`, or no place without an anchor file: then each start finds it out again.
   */
  readonly signedForks?: SignedForkStore | undefined;
  /**
   * Another client of the network. Its newest verified key block is trusted, unless the configuration has another
   * `initBlock` that is not newer, or a newer hard fork. The servers that proved its last heads are asked first.
   */
  readonly former?: Pick<LiteClient, "initBlock" | "trusted" | "provers"> | undefined;
  /**
   * The public key of a server of the configuration, which you run yourself. Its newest block is the head if it descends from the head
   * before, or at first from the trusted block; signatures are not verified. For a network that signs in a form that this version does not
   * know.
   */
  readonly headFrom?: Uint8Array | undefined;
  /** Milliseconds for a read, all attempts together; default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for an answer of one server; default: 3,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Queries per second to one server, at most; default: 40. */
  readonly rate?: number | undefined;
  /** Servers with the whole history, besides those of the configuration. Only reads with `archival` ask them. */
  readonly archival?: readonly ServerAddress[] | undefined;
  /** Bytes of memory for verified blocks, states and transactions, which never change; default: 16 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Receives events for logs and metrics. Its errors are ignored. */
  readonly onEvent?: OnLiteEvent | undefined;
  /** Closes the client. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a read. */
export interface LiteReadOptions {
  /** Reads as of this masterchain block, which the caller trusts; default: the head. */
  readonly at?: BlockId | undefined;
  /** Whether to ask servers with the whole history too; default: false. */
  readonly archival?: boolean | undefined;
  /**
   * Queries to servers at most; default: 200 for `lookupBlock`, `findTransaction`, `findSender` and `findReceiver`, no limit for others or
   * with a `budget`. Answers from memory, or shared with an equal read, do not count. A read that needs more fails with kind "exhausted".
   */
  readonly maxQueries?: number | undefined;
  /** Pays for the queries of this read and maybe of others, such as those of one request. */
  readonly budget?: LiteBudget | undefined;
  /** Whether other reads come first while all servers are at their limits; default: false. */
  readonly yields?: boolean | undefined;
  /** Ends the read before the client's time limit. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a network through its lite servers. A read asks one server, and another one if the answer is missing or wrong. All reads throw a
 * `LiteError`, or the reason of their signal.
 */
export interface LiteClient extends AsyncDisposable {
  /** The zero state of the configuration. */
  readonly zeroState: BlockId;
  /** The trusted block of the configuration. */
  readonly initBlock: BlockId;
  /**
   * The newest masterchain block that a server proves by the signatures of validators, at most one a second; see also `headFrom`. Undefined
   * before the first, and after validators have signed two chains. Archival servers are not asked.
   */
  readonly head: LiteHead | undefined;
  /**
   * The block from which another client may verify: the newest verified key block, after the first head was compared with the chains of all
   * servers. Before, the block from which this client began.
   */
  readonly trusted: BlockId;
  /** The names of the servers whose last proof was complete, the newest one first. */
  readonly provers: readonly string[];
  /** Why no newer block becomes the head, in one line for the operator; undefined if nothing is wrong. */
  readonly problem: string | undefined;
  /** Nothing is read as of this masterchain block and later ones, since validators have signed two chains; `problem` has the details. */
  readonly forkedAt: number | undefined;
  /** That the head is not verified, and whose it is, in one line; undefined without the option `headFrom`. */
  readonly warning: string | undefined;
  /**
   * The current status of each server, first those of the configuration, then those of `archival`.
   *
   * @example
   * ```ts
   * for (const { name, state, seqno, lag, latency, reason } of client.servers) console.log(name, state, seqno, lag, latency, reason);
   * ```
   */
  readonly servers: readonly LiteServerStatus[];
  /**
   * Resolves with the head as soon as it has at least this seqno; default: any. Waits without a time limit, and rejects when the client is
   * closed.
   */
  waitForHead(options?: { readonly seqno?: number; readonly signal?: AbortSignal }): Promise<LiteHead>;
  /** Calls `onHead` with each new head, until the returned function is called. Its errors are ignored. */
  watchHead(onHead: (head: LiteHead) => void): () => void;
  /**
   * An account as of the head: its balance, code, data and last transaction. A proof also shows its absence.
   *
   * @example
   * ```ts
   * const elector = { workchain: -1, hash: new Uint8Array(32).fill(0x33) };
   * const { account, last, block } = await client.getAccount(elector);
   * console.log(account?.balance ?? 0n, last.lt, block.id.seqno);
   * ```
   */
  getAccount(account: AccountId, options?: LiteReadOptions): Promise<LiteAccount>;
  /**
   * A block by seqno, the first whose end lt is at or above an lt, or the first at or after a time; undefined if the shard does not have it
   * yet. The shard may be a former or future one, or as small as an address: the block is of the chain's shard at its place.
   */
  lookupBlock(shard: ShardId, selector: BlockSelector, options?: LiteReadOptions): Promise<LiteBlock | undefined>;
  /** The newest block of each shard as of the head, the masterchain first, then by shard. */
  getShards(options?: LiteReadOptions): Promise<readonly BlockId[]>;
  /**
   * The number of messages in the outbound queue of each shard as of the head, the masterchain first, then by shard.
   *
   * @example
   * ```ts
   * for (const { block, size } of await client.getQueueSizes()) console.log(block.workchain, block.shard, size);
   * ```
   */
  getQueueSizes(options?: LiteReadOptions): Promise<readonly LiteQueueSize[]>;
  /**
   * Newest first, beginning with `from`; each transaction is verified by the hash in the next newer one. Fewer than `limit` only at the
   * account's first transaction, or at the begin of the servers' history: then the `previous.lt` of the last transaction is not 0.
   */
  getTransactions(
    account: AccountId,
    from: TransactionId,
    limit: number,
    options?: LiteReadOptions,
  ): Promise<readonly LiteTransaction[]>;
  /** The transaction of an account with a logical time; undefined if it does not exist. */
  findTransaction(account: AccountId, lt: bigint, options?: LiteReadOptions): Promise<LiteTransaction | undefined>;
  /** The transaction that sent a message; undefined if no transaction did. */
  findSender(message: LiteMessageKey, options?: LiteReadOptions): Promise<LiteTransaction | undefined>;
  /** The transaction that received a message; undefined if the message is not received as of the head. */
  findReceiver(message: LiteMessageKey, options?: LiteReadOptions): Promise<LiteTransaction | undefined>;
  /** A block as a bag of cells with verified hashes. The caller may change the bytes. */
  getBlock(id: BlockId, options?: LiteReadOptions): Promise<Uint8Array>;
  /**
   * The zero state of a shard: the root of the state before its first block, with verified hashes. Servers return the large states after
   * blocks only in parts.
   *
   * @example
   * ```ts
   * const { time, accounts } = readState(await client.getZeroState());
   * for (const { address, account } of readAccounts(accounts)) console.log(address, decodeAccount(account).balance);
   * ```
   *
   * @param id - A block of seqno 0; default: the zero state of the configuration, the masterchain's.
   */
  getZeroState(id?: BlockId, options?: LiteReadOptions): Promise<Cell>;
  /** Reads parts of a proof as of the head, for `liteProofs`. */
  prove<Result>(run: (context: ReadContext) => Promise<Result>, options?: LiteReadOptions): Promise<Result>;
  /**
   * Finds out how much history each server keeps, with the states, which nodes delete before the blocks. Archival servers are left out. Takes
   * at most 58 queries to each server, after those of reads, and ten seconds. The newest block of a server is not verified for it.
   */
  findHistories(): Promise<readonly LiteHistory[]>;
  /**
   * Ends all connections, and resolves when they have ended. Later reads and `waitForHead` fail with a `LiteError` of kind "unavailable".
   * `await using` and the option `signal` close a client, too.
   */
  close(): Promise<void>;
}

/**
 * Connects to the lite servers of a configuration, and keeps connections to all of them until `close`.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { liteClient, parseGlobalConfig } from "@chain-query/lite";
 *
 * await using client = liteClient(parseGlobalConfig(await readFile("global.config.json", "utf8")));
 * const { block } = await client.waitForHead();
 * const { account } = await client.getAccount({ workchain: -1, hash: new Uint8Array(32).fill(0x55) });
 * console.log(block.seqno, account?.balance);
 * ```
 *
 * @throws AnchorError if the anchor file cannot be used; ConfigError if no server has the key `headFrom`; RangeError for an option out of
 * range.
 */
export function liteClient(config: GlobalConfig, options: LiteClientOptions = {}): LiteClient {
  const { timeoutMs = 10_000, attemptTimeoutMs = 3_000, rate = 40, archival = [], cacheBytes = 2 ** 24 } = options;
  requirePositive({ timeoutMs, attemptTimeoutMs, rate });
  const { zeroState } = config;
  const headFromName = options.headFrom && nameOfListed(config, options.headFrom);
  const onEvent: OnLiteEvent = harmless(options.onEvent ?? (() => {}));
  const { anchorFile, former } = options;
  const kept = anchorFile === undefined ? undefined : readAnchor(anchorFile, config);
  const continued = former && isContinued(former.initBlock, config) ? former.trusted : undefined;
  const trusted = [kept, continued].reduce<BlockId>(
    (newest, block) => (block && block.seqno > newest.seqno ? block : newest),
    config.initBlock,
  );
  const anchor =
    anchorFile === undefined
      ? undefined
      : anchorKeeper(anchorFile, config, ({ message }) => onEvent({ type: "anchor-failed", reason: message }));
  const closing = new AbortController();
  const serverContext = {
    connect: (address: ServerAddress, signal: AbortSignal) => connect(address, { signal, timeout: attemptTimeoutMs }),
    zeroState,
    rate,
    attemptTimeout: attemptTimeoutMs,
    onEvent,
    onBlock: (server: Server, block: BlockId) => deciding.includes(server) && signed.note(server, block),
    onChange: () => pool.wake(),
  };
  const newServer = (keepsAll: boolean) => (address: ServerAddress) =>
    new Server(nameOf(address), address, keepsAll, serverContext);
  const listed = new Set(config.servers.map(nameOf));
  const onlyArchival = archival.filter((address) => !listed.has(nameOf(address)));
  // If there are no other servers, these answer all reads.
  const isArchival = config.servers.length > 0;
  const servers = [...config.servers.map(newServer(false)), ...onlyArchival.map(newServer(isArchival))];
  const deciding = servers.filter((server) => !server.isArchival);
  const pool = new Pool(servers, onEvent, cacheBytes);
  const lists = suspendedLists();
  const readHead: ReadHead = async (block, ancestorSeqno, server, ended = closing.signal) => {
    const read = (asksArchive: boolean) =>
      withDeadline(timeoutMs, ended, (signal) =>
        readBlockHistory(readContext(pool, block, asksArchive, signal), ancestorSeqno, server?.name),
      );
    const { block: header, ancestor } = await read(false).catch((error: unknown) => {
      // After a long outage, only servers with the whole history have the ancestor.
      if (server || archival.length === 0) throw error;
      return read(true);
    });
    const { endLt, time, stateRootHash } = header;
    return { head: { block, endLt, time, stateRootHash }, ancestor };
  };
  const prove: ProveHead = (server, trusted, block, onProgress, signal) => {
    const need = { server: server.name, seqno: block.seqno };
    const ask: AskForProof = (read, ended) => withDeadline(timeoutMs, ended, (each) => pool.ask({ ...read, need }, each));
    return follow(ask, trusted, { target: block, signal, onProgress });
  };
  const keep = (block: BlockId): void => anchor?.keep(block);
  const forks = options.signedForks ?? (anchorFile === undefined ? undefined : signedForkFile(anchorFile));
  const signed = new SignedHead({
    ...{ servers: deciding, trusted, read: readHead, prove, keep, onEvent, forks, preferred: former?.provers },
    // Another trusted block is not that of the file.
    anchorFile: trusted === kept ? anchorFile : undefined,
    headFrom: deciding.find(({ name }) => name === headFromName),
  });
  const historyOf = async (server: Server): Promise<LiteHistory> => {
    const oldest = await withDeadline(HISTORY_TIMEOUT, closing.signal, (signal) =>
      findHistory(server, signal, (newest, seqno) =>
        readTime(readContext(pool, newest, false, signal, undefined, true), seqno, server.name),
      ),
    ).catch(() => undefined);
    const { name, state } = server.status;
    return { name, state, oldest };
  };

  const waitForHead = async ({
    seqno = 0,
    signal,
  }: {
    seqno?: number;
    signal?: AbortSignal | undefined;
  } = {}): Promise<LiteHead> => {
    closing.signal.throwIfAborted();
    const known = signed.head;
    if (known && known.block.seqno >= seqno) return known;
    const { promise, resolve, reject } = Promise.withResolvers<LiteHead>();
    const stop = signed.watch((head) => head.block.seqno >= seqno && resolve(head));
    const end = () => reject(closing.signal.reason);
    closing.signal.addEventListener("abort", end, { once: true });
    try {
      return await (signal ? untilAborted(promise, signal) : promise);
    } finally {
      stop();
      closing.signal.removeEventListener("abort", end);
    }
  };
  /** The head. Waits for the first one, but fails at once if no server can be reached. */
  const firstHead = async (signal: AbortSignal): Promise<LiteHead> => {
    for (;;) {
      if (signed.head) return signed.head;
      if (signed.problem !== undefined) throw new LiteError("unavailable", signed.problem);
      if (deciding.every(({ isPending, state }) => !isPending && state !== "ready")) {
        const reasons = deciding.map(({ status }) => `${status.name}: ${status.reason}`);
        throw new LiteError("unavailable", `no lite server is connected; ${reasons.join("; ")}`);
      }
      await pause(HEAD_INTERVAL, signal);
      signal.throwIfAborted();
    }
  };
  const read = <Result>(
    method: LiteMethod,
    run: (context: ReadContext) => Promise<Result>,
    { at, archival: asksArchive = false, maxQueries, budget: caller, yields, signal }: LiteReadOptions = {},
  ) =>
    withDeadline(timeoutMs, signal, async (ended) => {
      closing.signal.throwIfAborted();
      const most = SEARCHES.has(method) && caller === undefined ? SEARCH_QUERIES : Number.POSITIVE_INFINITY;
      const budget = new QueryBudget(requireBudget(maxQueries) ?? most, caller);
      const block = at ?? (await firstHead(ended)).block;
      if (block.seqno >= (signed.forkedAt ?? Number.POSITIVE_INFINITY))
        throw new LiteError("unavailable", signed.problem ?? "");
      try {
        return await run(readContext(pool, block, asksArchive, ended, budget, yields));
      } finally {
        onEvent({ type: "call", method, queries: budget.sent, isExhausted: budget.isExhausted });
      }
    });
  const close = async () => {
    options.signal?.removeEventListener("abort", closeNow);
    closing.abort(new LiteError("unavailable", "the client is closed"));
    signed.close();
    pool.close();
    await Promise.all([...servers.map((server) => server.close()), anchor?.settled()]);
  };
  const closeNow = () => void close();
  options.signal?.addEventListener("abort", closeNow, { once: true });
  if (options.signal?.aborted) closeNow();

  return {
    zeroState,
    initBlock: config.initBlock,
    get head() {
      return signed.head;
    },
    get trusted() {
      return signed.trusted;
    },
    get provers() {
      return signed.provers;
    },
    get problem() {
      return signed.problem;
    },
    get forkedAt() {
      return signed.forkedAt;
    },
    warning: headFromName && `the newest block is that of lite server ${headFromName}, and is not verified by signatures`,
    get servers() {
      return servers.map((server) => ({ ...server.status, hasHead: signed.isReportedBy(server) }));
    },
    waitForHead,
    watchHead: (onHead) => signed.watch(harmless(onHead)),
    getAccount: (account, more) => read("getAccount", (context) => readAccount(context, requireAccount(account), lists), more),
    lookupBlock: (shard, selector, more) =>
      read("lookupBlock", (context) => readBlock(context, shard, requireSelector(selector)), more),
    getShards: (more) => read("getShards", readShards, more),
    getQueueSizes: (more) => read("getQueueSizes", readQueueSizes, more),
    getTransactions: (account, from, limit, more) =>
      read("getTransactions", (context) => readHistory(context, requireAccount(account), from, limit), more),
    findTransaction: (account, lt, more) =>
      read("findTransaction", (context) => findTransaction(context, requireAccount(account), lt), more),
    findSender: (message, more) => read("findSender", (context) => findSender(context, message), more),
    findReceiver: (message, more) => read("findReceiver", (context) => findReceiver(context, message), more),
    getZeroState: (id = zeroState, more) =>
      read("getZeroState", (context) => readZeroState(context, requireZeroState(id)), more),
    getBlock: (id, more) => read("getBlock", (context) => readBlockData(context, id), more),
    prove: (run, more) => read("prove", run, more),
    findHistories: () => Promise.all(deciding.map(historyOf)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function harmless<Value>(callback: (value: Value) => void): (value: Value) => void {
  return (value) => {
    try {
      callback(value);
    } catch {
      // Errors of callbacks must not stop the client.
    }
  };
}

function nameOf({ publicKey }: ServerAddress): string {
  return Buffer.from(adnlKeyId(publicKey)).toString("hex").slice(0, 8);
}

/** @throws ConfigError if no server has the key. */
function nameOfListed({ servers }: GlobalConfig, key: Uint8Array): string {
  const server = servers.find(({ publicKey }) => isEqual(publicKey, key));
  if (server) return nameOf(server);
  const text = Buffer.from(key).toString("base64");
  throw new ConfigError(
    `headFrom (--lite-head-from): must be the public key of a lite server that the file lists, got ${text}`,
  );
}

function requirePositive(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!(value > 0)) throw new RangeError(`${name}: must be a number above 0, got ${value}`);
  }
}

function requireBudget(maxQueries: number | undefined): number | undefined {
  if (maxQueries !== undefined) requirePositive({ maxQueries });
  return maxQueries;
}

function requireZeroState(id: BlockId): BlockId {
  if (id.seqno !== 0) throw new RangeError(`id.seqno: must be 0, got ${id.seqno}`);
  return id;
}

function requireAccount(account: AccountId): AccountId {
  const { length } = account.hash;
  if (length !== 32) throw new RangeError(`account.hash: must be 32 bytes, got ${length}`);
  return account;
}
