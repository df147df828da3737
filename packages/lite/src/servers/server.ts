import { pause } from "@chain-query/format/async";
import { hex, isEqual } from "@chain-query/format/cells";
import { shortText } from "@chain-query/format/error";
import type { BlockId } from "@chain-query/format/identifiers";
import type { Connection } from "../wire/adnl/connect.ts";
import { LiteError } from "../wire/lite-error.ts";
import { type LiteQuery, queries, withWait } from "../wire/tl/queries.ts";
import { withDeadline } from "./deadline.ts";
import { evidence, type OnLiteEvent } from "./events.ts";
import { faultOf, GivenUpError, type LiteFault } from "./fault.ts";
import type { ServerAddress } from "./global-config.ts";
import { Backoff, Latency, ServerLimit } from "./server-limits.ts";

/** Status of one server. */
export interface LiteServerStatus {
  /** The first 8 hexadecimal digits of its key's id. */
  readonly name: string;
  /** Whether it is only asked for old history. It then does not take part in the choice of the head. */
  readonly archival: boolean;
  /** "disputed" is a connected server that has not reported a verified block. */
  readonly state: "connecting" | "ready" | "disputed" | "failing" | "quarantined";
  /** Its newest masterchain block; undefined before its first answer. */
  readonly seqno: number | undefined;
  /** Whether it has reported the head, with the same hashes. Another server may be behind, ahead, or on another chain. */
  readonly hasHead: boolean;
  /** Seconds by which its blocks arrive later than the first server's. */
  readonly lag: number | undefined;
  /** Milliseconds, averaged with more weight on recent answers. */
  readonly latency: number | undefined;
  readonly inFlight: number;
  /** The reason of the state "disputed", "failing" or "quarantined". */
  readonly reason: string | undefined;
}

/** A query and its answer, as evidence. */
export interface Exchange {
  readonly query: Uint8Array;
  readonly answer: Uint8Array;
}

/** Opens a connection. */
type Connect = (address: ServerAddress, signal: AbortSignal) => Promise<Connection>;

/** The part of the client that a server uses. */
export interface ServerContext {
  readonly connect: Connect;
  readonly zeroState: BlockId;
  /** Queries a second. */
  readonly rate: number;
  /** Milliseconds for one answer. */
  readonly attemptTimeout: number;
  readonly onEvent: OnLiteEvent;
  /** The server reports its newest block. */
  readonly onBlock: (server: Server, block: BlockId) => void;
  /** Waiting queries may be possible now, or the server is no longer available. */
  readonly onChange: () => void;
}

const QUARANTINE = 600_000;
/** Milliseconds without an answer after which a server may not exist any more. */
const GONE = 600_000;
/** Milliseconds in the penalty for a refusal of what another server answers. */
const OVERRULED = 2_000;
/** Milliseconds that a server waits for its next block, so that it answers at least every 5 seconds. */
const BLOCK_WAIT = 4_000;
/** Timeouts in a row that end a connection. */
const MAX_TIMEOUTS = 3;
/** Milliseconds until the next connection for which reads wait. */
const SOON = 2_000;
/** Capability: the server can answer with the newest block whose shards it has. */
const HAS_SHARD_CLIENT = 8n;

/**
 * One server: keeps a connection, follows its newest block, and tracks its state.
 *
 *   connecting   → ready         It is connected, and its zero state is that of the configuration.
 *                → failing       It cannot be connected to, or is of another network.
 *   ready        → failing       The connection ends or breaks, three answers in a row are late, or its own loop gets no answer.
 *   failing      → connecting    After a pause, which grows with each failure in a row.
 *   any          → quarantined   A read finds a false answer, or a wrong proof of a block.
 *   quarantined  → connecting    After ten minutes.
 *
 * A server that is ready is shown as "disputed" until it reports a verified block.
 */
export class Server {
  readonly name: string;
  readonly address: ServerAddress;
  /** Only asked for old blocks. */
  readonly isArchival: boolean;
  readonly limit: ServerLimit;
  readonly latency: Latency = new Latency();
  /** Milliseconds that the choice of a server adds to the latency, because this one refuses what others answer. */
  readonly penalty: Latency = new Latency();
  /** The oldest masterchain block that it keeps according to the configuration; 0 if that says nothing. */
  readonly oldestSeqno: number;
  readonly unknownFunctions: Set<string> = new Set();
  block: BlockId | undefined;
  lag: number | undefined;
  /** The last answer to a query of its own loop. */
  lastExchange: Exchange = { query: new Uint8Array(), answer: new Uint8Array() };
  /** Time of its last answer, as of `performance.now()`. */
  lastSeenAt: number = Number.NEGATIVE_INFINITY;
  /** Whether other servers are asked first: its newest block may be one of another chain. */
  isDisputed = false;
  /** Reads wait for its connection: the first one, or the one after a connection that the client closed because answers were late. */
  isPending = true;

  readonly #context: ServerContext;
  readonly #end: AbortController = new AbortController();
  readonly #backoff = new Backoff();
  readonly #life: Promise<void>;
  #state: Exclude<LiteServerStatus["state"], "disputed"> = "connecting";
  #reason: string | undefined;
  /** The classes of errors that were reported since it was last ready. */
  readonly #down = new Set<LiteFault | undefined>();
  #session = new AbortController();
  #connection: Connection | undefined;
  #timeouts = 0;
  #quarantinedUntil = 0;

  constructor(name: string, address: ServerAddress, isArchival: boolean, context: ServerContext) {
    this.name = name;
    this.address = address;
    this.isArchival = isArchival;
    this.limit = new ServerLimit(context.rate);
    this.oldestSeqno = oldestSeqno(address);
    this.#context = context;
    this.#life = this.#live();
  }

  get state(): Exclude<LiteServerStatus["state"], "disputed"> {
    return this.#state;
  }

  get status(): Omit<LiteServerStatus, "hasHead"> {
    const { name, isArchival: archival, lag, limit } = this;
    const isDisputed = this.#state === "ready" && this.isDisputed;
    const reason = isDisputed ? "has not reported a verified block" : this.#reason;
    const common = { name, archival, lag, latency: this.latency.average, inFlight: limit.inFlight, reason };
    return { ...common, seqno: this.block?.seqno, state: isDisputed ? "disputed" : this.#state };
  }

  /** Sends a query. The caller has taken a place from `limit`, and calls `succeeded` or `failed` afterwards. */
  async send(bytes: Uint8Array, signal: AbortSignal, timeout: number = this.#context.attemptTimeout): Promise<Uint8Array> {
    const connection = this.#connection;
    if (!connection) throw new LiteError("unavailable", `${this.name}: not connected`);
    try {
      return await withDeadline(timeout, signal, (ended) => connection.query(bytes, ended));
    } catch (error) {
      if (faultOf(error) !== "broken" || !(error instanceof LiteError)) throw error;
      const reason = await Promise.race([connection.closed, "still open"]);
      throw reason === undefined ? new GivenUpError(this.name, error) : error;
    }
  }

  /** Whether it may answer a query, now or soon: it was connected lately, and has not given a false answer. */
  get mayAnswer(): boolean {
    return this.#state !== "quarantined" && performance.now() - this.lastSeenAt < GONE;
  }

  /** Another server has answered what this one refused. */
  overruled(): void {
    this.penalty.add(OVERRULED);
  }

  succeeded(ms: number): void {
    this.latency.add(ms);
    this.penalty.add(0);
    this.#timeouts = 0;
    this.lastSeenAt = performance.now();
  }

  /** The server gave no valid answer to a function. Whether a false one is its fault is decided with the answers of other servers. */
  failed(error: LiteError, name: string, answer: Uint8Array | undefined, ms: number): void {
    const fault = faultOf(error);
    if (answer) this.lastSeenAt = performance.now();
    if (fault === "timeout") {
      this.latency.add(ms);
      this.#timeouts += 1;
      if (this.#timeouts >= MAX_TIMEOUTS) this.#session.abort(error);
    } else if (fault === "broken") this.#session.abort(error);
    else if (fault === "limited") this.limit.halve();
    else if (fault === "unknown-function") this.unknownFunctions.add(name);
  }

  /** Leaves the server alone for 10 minutes. */
  quarantine(reason: string, query: Uint8Array, answer: Uint8Array): void {
    if (this.#quarantinedUntil > performance.now()) return;
    this.#quarantinedUntil = performance.now() + QUARANTINE;
    this.#state = "quarantined";
    this.#reason = reason;
    const untilMs = Date.now() + QUARANTINE;
    const shown = { server: this.name, reason, untilMs, query: evidence(query), answer: evidence(answer) };
    this.#context.onEvent({ type: "quarantine", ...shown });
    this.#session.abort(new LiteError("proof", reason));
    this.#context.onChange();
  }

  async close(): Promise<void> {
    this.#end.abort(new LiteError("unavailable", "the client is closed"));
    this.#session.abort(this.#end.signal.reason);
    await this.#life;
  }

  async #live(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const left = this.#quarantinedUntil - performance.now();
      if (left > 0) {
        await pause(left, signal);
        continue;
      }
      this.#state = "connecting";
      this.#session = new AbortController();
      const error = await this.#follow(this.#session.signal).catch((reason: unknown) => reason);
      this.#connection?.close();
      this.#connection = undefined;
      if (signal.aborted) break;
      const retryInMs = this.#backoff.fail();
      this.isPending = this.state === "ready" && faultOf(error) === "timeout" && retryInMs <= SOON;
      if (this.#quarantinedUntil <= performance.now()) this.#reportDown(error, retryInMs);
      this.#context.onChange();
      await pause(retryInMs, signal);
    }
  }

  #reportDown(error: unknown, retryInMs: number): void {
    this.#state = "failing";
    // Its host name is from a file.
    this.#reason = shortText(error instanceof Error ? error.message : String(error));
    const fault = faultOf(error);
    // One event for each class of errors, not for each attempt: the server chooses some of the texts.
    if (!this.#down.has(fault))
      this.#context.onEvent({ type: "server-down", server: this.name, class: fault, reason: this.#reason, retryInMs });
    this.#down.add(fault);
  }

  /** Connects, and follows the server's newest block until the connection ends or the signal aborts. Always rejects. */
  async #follow(signal: AbortSignal): Promise<never> {
    const { connect, attemptTimeout, zeroState } = this.#context;
    const connection = await withDeadline(attemptTimeout, signal, (ended) => connect(this.address, ended));
    this.#connection = connection;
    const session = this.#session;
    void connection.closed.then((reason) => session.abort(reason ?? new LiteError("unavailable", "the connection ended")));
    const ask = await this.#infoQuery(signal);
    const first = await this.#ask(ask.query, signal);
    const { rootHash, fileHash } = first.init;
    if (!isEqual(rootHash, zeroState.rootHash) || !isEqual(fileHash, zeroState.fileHash)) {
      const root = hex(rootHash);
      throw new LiteError("unavailable", `serves another network, whose zero state is ${root}`);
    }
    this.#timeouts = 0;
    this.#reason = undefined;
    this.#down.clear();
    this.#state = "ready";
    this.isPending = false;
    this.#backoff.succeed();
    this.#context.onEvent({ type: "server-up", server: this.name, seqno: first.last.seqno });
    this.#note(first.last);
    this.#context.onChange();
    for (;;) {
      const wait = { seqno: (this.block?.seqno ?? 0) + 1, timeoutMs: BLOCK_WAIT };
      const startedAt = performance.now();
      const before = this.block?.seqno ?? 0;
      const next = await this.#ask(withWait(ask.query, wait), signal, BLOCK_WAIT + attemptTimeout).catch((error: unknown) => {
        // No new block in this time, or too many queries: ask again. Other errors end the session.
        if (["server-error", "behind", "limited"].includes(faultOf(error) ?? "")) return undefined;
        throw error;
      });
      if (next) this.#note(next.last);
      // Some servers do not wait and answer at once without a newer block: a pause avoids a busy loop.
      const isEarly = (this.block?.seqno ?? 0) <= before && performance.now() - startedAt < BLOCK_WAIT / 8;
      if (isEarly) await pause(BLOCK_WAIT / 8, signal);
    }
  }

  /** The query for the newest block, if possible for the newest block whose shards the server has. */
  async #infoQuery(
    signal: AbortSignal,
  ): Promise<{ query: LiteQuery<{ readonly last: BlockId; readonly init: Pick<BlockId, "rootHash" | "fileHash"> }> }> {
    const version = await this.#ask(queries.getVersion(), signal).catch((error: unknown) => {
      if (error instanceof LiteError && error.kind === "refused") return undefined;
      throw error;
    });
    const hasShardClient = ((version?.capabilities ?? 0n) & HAS_SHARD_CLIENT) !== 0n;
    return { query: hasShardClient ? queries.getMasterchainInfoExt({ mode: 1 }) : queries.getMasterchainInfo() };
  }

  /** Sends a query of the server's own loop. It counts for the limits. */
  async #ask<Answer>(query: LiteQuery<Answer>, signal: AbortSignal, timeout?: number): Promise<Answer> {
    while (!this.limit.take()) {
      const delay = this.limit.delay();
      await pause(Number.isFinite(delay) ? delay : 20, signal);
      signal.throwIfAborted();
    }
    const startedAt = performance.now();
    try {
      const bytes = await this.send(query.bytes, signal, timeout);
      const answer = query.read(bytes);
      // A copy, so that no larger part of a stream is kept.
      this.lastExchange = { query: query.bytes, answer: Uint8Array.from(bytes) };
      this.lastSeenAt = performance.now();
      // Queries with a longer timeout wait for a block.
      if (timeout === undefined) this.latency.add(this.lastSeenAt - startedAt);
      return answer;
    } catch (error) {
      if (error instanceof LiteError && error.kind === "refused") this.lastSeenAt = performance.now();
      if (faultOf(error) === "limited") this.limit.halve();
      throw error;
    } finally {
      this.limit.release();
      this.#context.onChange();
    }
  }

  #note(block: BlockId): void {
    this.block = block;
    this.#context.onBlock(this, block);
  }
}

function oldestSeqno({ slices }: ServerAddress): number {
  const starts = slices.map(({ from }) => from.find(({ workchain }) => workchain === -1)?.seqno ?? 0);
  return starts.length === 0 ? 0 : Math.min(...starts);
}
