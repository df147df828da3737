import type { Cell } from "@chain-query/format/cells";
import type { AccountId, BlockId, ShardId, TransactionId } from "@chain-query/format/identifiers";
import { adnlKeyId, connect } from "@chain-query/lite-protocol/adnl";
import { LiteError } from "@chain-query/lite-protocol/error";
import { findReceiver, findSender, findTransaction, type LiteMessageKey } from "./locate.ts";
import { pause, untilAborted, withDeadline } from "./pool/deadline.ts";
import type { OnLiteEvent } from "./pool/events.ts";
import type { GlobalConfig, ServerAddress } from "./pool/global-config.ts";
import { Heads, type LiteHead } from "./pool/heads.ts";
import { Pool } from "./pool/pool.ts";
import { type LiteServerStatus, Server } from "./pool/server.ts";
import { type LiteAccount, type LiteTransaction, readAccount, readHistory } from "./reading/accounts.ts";
import {
  type LiteBlock,
  type LiteBlockSelector,
  type LiteQueueSize,
  readBlock,
  readBlockData,
  readHeader,
  readQueueSizes,
  readShards,
  readZeroState,
  requireSelector,
} from "./reading/blocks.ts";
import { type LiteTrust, Reading } from "./reading/reading.ts";

/** Milliseconds between two looks whether there is a first head. */
const HEAD_INTERVAL = 20;

/** Options of a lite client. */
export interface LiteClientOptions {
  /** What is checked; default: "proofs". */
  readonly trust?: LiteTrust | undefined;
  /** Milliseconds for a read, all attempts together; default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for one server to answer; default: 3,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Queries a second that one server receives at most; default: 40. */
  readonly rate?: number | undefined;
  /** Servers that keep the whole history, besides those of the configuration. Only asked by reads with `archival`. */
  readonly archival?: readonly ServerAddress[] | undefined;
  /** Bytes of memory for verified answers that can never change, of blocks, states and transactions; default: 16 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Receives what happens, for logs and metrics. What it throws is ignored. */
  readonly onEvent?: OnLiteEvent | undefined;
  /** Closes the client. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a read. */
export interface LiteReadOptions {
  /** Reads as of this masterchain block, which the caller trusts; default: the head. */
  readonly at?: BlockId | undefined;
  /** Also servers that keep the whole history may be asked; default: false. */
  readonly archival?: boolean | undefined;
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
  /**
   * The newest masterchain block that 60 % of the answering servers name, with a verified header; undefined before the first. Never goes
   * back. With one server, that server decides; with two, both have to agree. Archival servers have no say.
   */
  readonly head: LiteHead | undefined;
  /** The newest masterchain block that most servers have. The same as the head, which needs as many servers. */
  readonly consensus: LiteHead | undefined;
  /**
   * What is known of each server at this moment, those of the configuration first, then those of `archival`.
   *
   * @example
   * ```ts
   * for (const { name, state, seqno, lag, latency, reason } of client.servers) console.log(name, state, seqno, lag, latency, reason);
   * ```
   */
  readonly servers: readonly LiteServerStatus[];
  /**
   * Resolves with the head as soon as there is one with at least this number; default: any. Waits without a time limit, but not for a
   * client that is closed.
   */
  waitForHead(options?: { readonly seqno?: number; readonly signal?: AbortSignal }): Promise<LiteHead>;
  /** Calls `onHead` with each new head, until the returned function is called. What it throws is ignored. */
  watchHead(onHead: (head: LiteHead) => void): () => void;
  /**
   * An account as of the head: its balance, code, data and last transaction. That it does not exist is proved, too.
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
   * A block by number, the first whose end lt is at or above an lt, or the first at or after a time; undefined before the shard has it. The
   * shard may be one that no longer or not yet exists, or as small as an address: the block is that of the chain's shard.
   */
  lookupBlock(shard: ShardId, selector: LiteBlockSelector, options?: LiteReadOptions): Promise<LiteBlock | undefined>;
  /** The newest block of each shard as of the head, the masterchain first, then by shard. */
  getShards(options?: LiteReadOptions): Promise<readonly BlockId[]>;
  /**
   * How many messages wait in the outbound queue of each shard as of the head, the masterchain first, then by shard.
   *
   * @example
   * ```ts
   * for (const { block, size } of await client.getQueueSizes()) console.log(block.workchain, block.shard, size);
   * ```
   */
  getQueueSizes(options?: LiteReadOptions): Promise<readonly LiteQueueSize[]>;
  /**
   * Newest first, beginning with `from`; each one's hash is what the one before it says. Fewer than `limit` only at the account's first,
   * or where the history of the servers begins: then the last one's `previous.lt` is not 0.
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
  /** The transaction that received a message; undefined if it is not received as of the head. */
  findReceiver(message: LiteMessageKey, options?: LiteReadOptions): Promise<LiteTransaction | undefined>;
  /** A block as a bag of cells, whose hashes were checked. The bytes are the caller's own. */
  getBlock(id: BlockId, options?: LiteReadOptions): Promise<Uint8Array>;
  /**
   * The zero state of a shard: the root of the state before its first block, whose hashes were checked. Servers give the large states after
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
  /**
   * Ends all connections, and resolves when they have ended. Reads and `waitForHead` fail from then on with a `LiteError` of kind
   * "unavailable". `await using` and the option `signal` close a client, too.
   */
  close(): Promise<void>;
}

/**
 * Connects to the lite servers of a configuration, and keeps connections to all of them until `close`.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { liteClient, parseGlobalConfig } from "@chain-query/lite-client";
 *
 * await using client = liteClient(parseGlobalConfig(await readFile("global.config.json", "utf8")));
 * const { block } = await client.waitForHead();
 * const { account } = await client.getAccount({ workchain: -1, hash: new Uint8Array(32).fill(0x55) });
 * console.log(block.seqno, account?.balance);
 * ```
 */
export function liteClient(config: GlobalConfig, options: LiteClientOptions = {}): LiteClient {
  const {
    trust = "proofs",
    timeoutMs = 10_000,
    attemptTimeoutMs = 3_000,
    rate = 40,
    archival = [],
    cacheBytes = 2 ** 24,
  } = options;
  requirePositive({ timeoutMs, attemptTimeoutMs, rate });
  const { zeroState } = config;
  const onEvent = harmless(options.onEvent ?? (() => {}));
  const closing = new AbortController();
  const context = {
    connect: (address: ServerAddress, signal: AbortSignal) => connect(address, { signal, timeout: attemptTimeoutMs }),
    zeroState,
    rate,
    attemptTimeout: attemptTimeoutMs,
    onEvent,
    onBlock: (server: Server, block: BlockId) => deciding.includes(server) && heads.note(server, block),
    onChange: () => pool.wake(),
  };
  const newServer = (keepsAll: boolean) => (address: ServerAddress) => new Server(nameOf(address), address, keepsAll, context);
  const listed = new Set(config.servers.map(nameOf));
  const onlyArchival = archival.filter((address) => !listed.has(nameOf(address)));
  // Without others, they are asked for everything.
  const isArchival = config.servers.length > 0;
  const servers = [...config.servers.map(newServer(false)), ...onlyArchival.map(newServer(isArchival))];
  const deciding = servers.filter((server) => !server.isArchival);
  const pool = new Pool(servers, onEvent, cacheBytes);
  const readHead = async (block: BlockId): Promise<LiteHead> => {
    const { endLt, time, stateRootHash } = await withDeadline(timeoutMs, closing.signal, (signal) =>
      readHeader(new Reading(pool, trust, block, false, signal), block),
    );
    return { block, endLt, time, stateRootHash };
  };
  const heads = new Heads(deciding, readHead, onEvent);

  const waitForHead = async ({
    seqno = 0,
    signal,
  }: {
    seqno?: number;
    signal?: AbortSignal | undefined;
  } = {}): Promise<LiteHead> => {
    closing.signal.throwIfAborted();
    const known = heads.head;
    if (known && known.block.seqno >= seqno) return known;
    const { promise, resolve, reject } = Promise.withResolvers<LiteHead>();
    const stop = heads.watch((head) => head.block.seqno >= seqno && resolve(head));
    const end = () => reject(closing.signal.reason);
    closing.signal.addEventListener("abort", end, { once: true });
    try {
      return await (signal ? untilAborted(promise, signal) : promise);
    } finally {
      stop();
      closing.signal.removeEventListener("abort", end);
    }
  };
  /** The head, or the first one, for which no read waits if no server can be reached. */
  const firstHead = async (signal: AbortSignal): Promise<LiteHead> => {
    for (;;) {
      if (heads.head) return heads.head;
      if (deciding.every(({ wasTried, state }) => wasTried && state !== "ready")) {
        const reasons = deciding.map(({ status }) => `${status.name}: ${status.reason}`);
        throw new LiteError("unavailable", `no lite server is connected; ${reasons.join("; ")}`);
      }
      await pause(HEAD_INTERVAL, signal);
      signal.throwIfAborted();
    }
  };
  const read = <Result>(
    run: (reading: Reading) => Promise<Result>,
    { at, archival: asksArchive = false, signal }: LiteReadOptions = {},
  ) =>
    withDeadline(timeoutMs, signal, async (ended) => {
      closing.signal.throwIfAborted();
      const block = at ?? (await firstHead(ended)).block;
      return await run(new Reading(pool, trust, block, asksArchive, ended));
    });
  const close = async () => {
    options.signal?.removeEventListener("abort", closeNow);
    closing.abort(new LiteError("unavailable", "the client is closed"));
    heads.close();
    pool.close();
    await Promise.all(servers.map((server) => server.close()));
  };
  const closeNow = () => void close();
  options.signal?.addEventListener("abort", closeNow, { once: true });
  if (options.signal?.aborted) closeNow();

  return {
    zeroState,
    get head() {
      return heads.head;
    },
    get consensus() {
      return heads.head;
    },
    get servers() {
      return servers.map(({ status }) => status);
    },
    waitForHead,
    watchHead: (onHead) => heads.watch(harmless(onHead)),
    getAccount: (account, more) => read((reading) => readAccount(reading, requireAccount(account)), more),
    lookupBlock: (shard, selector, more) => read((reading) => readBlock(reading, shard, requireSelector(selector)), more),
    getShards: (more) => read(readShards, more),
    getQueueSizes: (more) => read(readQueueSizes, more),
    getTransactions: (account, from, limit, more) =>
      read((reading) => readHistory(reading, requireAccount(account), from, limit), more),
    findTransaction: (account, lt, more) => read((reading) => findTransaction(reading, requireAccount(account), lt), more),
    findSender: (message, more) => read((reading) => findSender(reading, message), more),
    findReceiver: (message, more) => read((reading) => findReceiver(reading, message), more),
    getZeroState: (id = zeroState, more) => read((reading) => readZeroState(reading, requireZeroState(id)), more),
    getBlock: (id, more) => read((reading) => readBlockData(reading, id), more),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A callback of the user that cannot stop the client. */
function harmless<Value>(callback: (value: Value) => void): (value: Value) => void {
  return (value) => {
    try {
      callback(value);
    } catch {
      // Its own fault: the client goes on.
    }
  };
}

/** The first 8 hexadecimal digits of a server's key id. */
function nameOf({ publicKey }: ServerAddress): string {
  return Buffer.from(adnlKeyId(publicKey)).toString("hex").slice(0, 8);
}

function requirePositive(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!(value > 0)) throw new RangeError(`${name}: must be a number above 0, got ${value}`);
  }
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
