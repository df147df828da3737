/**
 * Keeps requests from waiting for a server that does not reply.
 *
 *   disconnected  Commands are refused at once.
 *     → ready         when a connection has replied to its first command.
 *   ready         Commands are sent. One without a reply after `replyTimeout` fails, and so do all pending ones: replies come in order.
 *     → paused        when a command fails for a reason that concerns all commands.
 *     → disconnected  when the connection is closed.
 *   paused        Commands are refused at once for 100 ms, after each third failure in a row for 750 ms. Then a probe is sent.
 *     → ready         when it has a reply.
 *     → paused        when it fails. After each sixth failure, if the reply timed out, the client reconnects.
 *     → disconnected  when the connection is closed.
 *
 * Besides, the server is unavailable, which is reported, from the third failure in a row or the end of the connection until a command
 * succeeds. After a refused write, only a write that succeeds ends it: a server may serve reads and refuse writes.
 */
import { shortText } from "@chain-query/format/error";
import { messageOf } from "../failure.ts";

/** Why a command was not sent, or has no reply. */
class NoReply extends Error {
  override readonly name = "NoReply";
}

/** One for all requests of an outage: making an error costs more than the request's own count. */
const unavailable = new NoReply("Redis is unavailable");

/** Options of a breaker. */
interface BreakerOptions {
  /** Milliseconds. */
  readonly replyTimeout: number;
  /** Sends a command that any server that works replies to. */
  readonly probe: () => Promise<unknown>;
  /** Called with the reason when the server is unavailable, and with undefined when it has recovered. */
  readonly onChange: (problem: string | undefined) => void;
  readonly onFailure: (error: unknown) => void;
  /** Whether an error concerns all commands, and not only the one that failed. */
  readonly isOutage: (error: unknown) => boolean;
  /** Called after six commands without a reply: the connection may be broken without a FIN or RST. */
  readonly reconnect: () => void;
}

/** Whether a command writes. Counts of limits are writes. */
export type CommandKind = "read" | "write";

/** Failures in a row until the server is reported as unavailable, and until the client reconnects. */
const [failuresUntilReport, failuresUntilReconnect] = [3, 6];
/** Milliseconds without commands after a failure, and after every third one in a row. A server that has recovered is used within a second. */
const [shortPause, longPause] = [100, 750];

interface Waiting {
  readonly until: number;
  readonly reject: (error: unknown) => void;
}

/** Sends commands while the server replies. */
export class Breaker {
  readonly #options: BreakerOptions;
  /** In the order of their times. */
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;
  #isConnected = false;
  #isPaused = false;
  #failures = 0;
  /** The kind of command that ends the outage: any, or a write after a refused one. */
  #failing: CommandKind = "read";
  #problem: string | undefined = "";
  #isClosed = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Whether commands are sent now. */
  get isReady(): boolean {
    return this.#isConnected && !this.#isPaused;
  }

  /** Whether commands are sent now, and writes are not known to be refused. */
  get isWritable(): boolean {
    return this.isReady && (this.#problem === undefined || this.#failing === "read");
  }

  /** Why the server is unavailable; undefined if it is not, and empty until the first connection. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The result of `run` while no commands are sent. */
  refuse(): Promise<never> {
    return Promise.reject(unavailable);
  }

  /** Sends a command. Rejects at once while none are sent. */
  run<Value>(command: () => Promise<Value>, kind: CommandKind): Promise<Value> {
    if (!this.isReady) return this.refuse();
    return new Promise((resolve, reject) => {
      const succeed = (value: Value): void => {
        this.#succeeded(kind);
        resolve(value);
      };
      const fail = (error: unknown): void => {
        if (this.#options.isOutage(error)) this.#fail(error, kind);
        else this.#options.onFailure(error);
        reject(error);
      };
      this.#send(command, succeed, fail);
    });
  }

  /** The connection has replied to its first command. */
  connected(): void {
    this.#isConnected = true;
    this.#failures = 0;
    this.#failing = "read";
    this.#endPause();
    if (this.#problem !== undefined) this.#report(undefined);
  }

  /** There is no connection. */
  disconnected(reason: string): void {
    this.#isConnected = false;
    this.#endPause();
    this.#abandonAll(reason);
    if (!this.#isClosed && !this.#problem) this.#report(reason);
  }

  close(): void {
    this.#isClosed = true;
    this.#endPause();
    clearTimeout(this.#timer);
    this.#abandonAll("the connection is closed");
  }

  /** A successful read does not end an outage of writes. */
  #succeeded(kind: CommandKind): void {
    if (kind === "read" && this.#failing === "write") return;
    this.#failing = "read";
    this.#failures = 0;
    if (this.#problem !== undefined) this.#report(undefined);
  }

  /** Calls `resolve` or `reject`, once. A reply after the timeout is ignored. */
  #send<Value>(command: () => Promise<Value>, resolve: (value: Value) => void, reject: (error: unknown) => void): void {
    const { replyTimeout } = this.#options;
    const waiting: Waiting = { until: performance.now() + replyTimeout, reject };
    this.#waiting.add(waiting);
    this.#timer ??= setTimeout(this.#check, replyTimeout);
    const fail = (error: unknown): void => {
      if (this.#waiting.delete(waiting)) reject(error);
    };
    try {
      command().then((value) => {
        if (this.#waiting.delete(waiting)) resolve(value);
      }, fail);
    } catch (error) {
      fail(error);
    }
  }

  /** One timer for all commands. After a busy second, replies that have arrived are read before they count as late. */
  readonly #check = (): void => {
    setImmediate(() => {
      this.#timer = undefined;
      const [oldest] = this.#waiting;
      if (oldest === undefined) return;
      const left = oldest.until - performance.now();
      if (left <= 0) this.#abandonAll(`no reply in ${this.#options.replyTimeout} ms`);
      else this.#timer = setTimeout(this.#check, left);
    });
  };

  #abandonAll(reason: string): void {
    const abandoned = [...this.#waiting];
    this.#waiting.clear();
    if (abandoned.length === 0) return;
    const error = new NoReply(reason);
    for (const { reject } of abandoned) reject(error);
  }

  #fail(error: unknown, kind: CommandKind): void {
    this.#options.onFailure(error);
    if (kind === "write" && !(error instanceof NoReply)) this.#failing = "write";
    // Commands that failed together are one failure.
    if (!this.isReady || this.#isClosed) return;
    this.#failures++;
    if (this.#failures >= failuresUntilReport && this.#problem === undefined) this.#report(messageOf(error));
    this.#isPaused = true;
    const isThird = this.#failures % failuresUntilReport === 0;
    this.#pause = setTimeout(() => this.#probe(), isThird ? longPause : shortPause);
    if (error instanceof NoReply && this.#failures % failuresUntilReconnect === 0) this.#options.reconnect();
  }

  #probe(): void {
    const fail = (error: unknown): void => {
      if (!this.#isPaused) return;
      this.#isPaused = false;
      this.#fail(error, "read");
    };
    this.#send(this.#options.probe, () => this.#endPause(), fail);
  }

  #endPause(): void {
    clearTimeout(this.#pause);
    this.#isPaused = false;
  }

  #report(problem: string | undefined): void {
    // Texts of the server.
    this.#problem = problem && shortText(problem);
    this.#options.onChange(this.#problem);
  }
}
