import { hex } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import type { LiteError } from "../wire/lite-error.ts";
import type { LiteFault } from "./fault.ts";

/**
 * An event of the pool. `server` is the name of a server, see `LiteServerStatus`. For a log, see `liteEventLines`.
 *
 * @example
 * ```ts
 * import { liteClient } from "@chain-query/lite";
 *
 * const client = liteClient(config, {
 *   onEvent: (event) => {
 *     if (event.type === "server-down") console.log(event.server, event.reason, event.retryInMs);
 *   },
 * });
 * ```
 */
export type LiteEvent =
  | { readonly type: "server-up"; readonly server: string; readonly seqno: number }
  | {
      readonly type: "server-down";
      readonly server: string;
      readonly class: LiteFault | undefined;
      readonly reason: string;
      readonly retryInMs: number;
    }
  /** A server gave a false answer to what another one answers, or a wrong proof. It is not asked for 10 minutes. */
  | ({ readonly type: "quarantine"; readonly untilMs: number } & Evidence)
  /**
   * An answer of a server is not proved, and no other server has answered the read: it may be due to the question, so that the server is still
   * asked.
   */
  | ({ readonly type: "unproved" } & Evidence)
  /** A server refused what another one, `by`, answers: it keeps less history, or is not honest. It is asked less often. */
  | {
      readonly type: "overruled";
      readonly server: string;
      readonly by: string;
      readonly function: string;
      readonly reason: string;
    }
  /** The signatures up to the key block `seqno` are verified, on the way to the first head. */
  | {
      readonly type: "sync";
      readonly seqno: number;
      /** The newest block of the server. */
      readonly target: number;
      /** The signatures that were verified so far. */
      readonly signatures: number;
      /** Whether it is one for a log: about one in 10 seconds is. */
      readonly isMilestone: boolean;
    }
  /** The head was verified. `signatures` of blocks were verified since the one before; `blockTime` is in Unix seconds. */
  | {
      readonly type: "verified";
      readonly seqno: number;
      readonly blockTime: number;
      readonly signatures: number;
      readonly isFirst: boolean;
    }
  /**
   * "signed-fork": validators have signed two chains. Nothing is read as of block `seqno` or a later one. "refused-fork": a server proves a
   * chain that former validators signed beside a verified key block. It is refused; reads go on.
   */
  | {
      readonly type: "signed-fork" | "refused-fork";
      readonly seqno: number;
      readonly blocks: readonly [verified: BlockId, other: BlockId];
      readonly server: string;
    }
  /** No newer block can be verified. Repeated once a minute. */
  | { readonly type: "unverified"; readonly reason: string }
  /** With `headFrom`: the head is the newest block of this server, without signatures. Repeated once a minute. */
  | { readonly type: "unsigned"; readonly server: string }
  /** The anchor file cannot be written. The next start verifies from an older block. */
  | { readonly type: "anchor-failed"; readonly reason: string }
  /** The end of a query to one server. */
  | {
      readonly type: "answer";
      readonly server: string;
      /** The function, `liteServer.` left out. */
      readonly function: string;
      readonly ms: number;
      /** "cancelled": another server was faster, the caller stopped waiting, or the client closed the connection for another reason. */
      readonly outcome: "ok" | "cancelled" | LiteFault;
      readonly error: LiteError | undefined;
      /** Whether it was the second server, asked because the first server was slow. */
      readonly isHedge: boolean;
      readonly isRetry: boolean;
      readonly bytesSent: number;
      readonly bytesReceived: number;
    }
  /** A read was answered from memory, or together with an equal one. */
  | { readonly type: "cached" | "shared"; readonly function: string }
  /** The end of a call of the client, with the number of its queries; `isExhausted` if it needed more than `maxQueries`. */
  | { readonly type: "call"; readonly method: LiteMethod; readonly queries: number; readonly isExhausted: boolean };

/** What a server has answered. */
interface Evidence {
  readonly server: string;
  readonly reason: string;
  /** Hexadecimal digits, of the first 16 kB. */
  readonly query: string;
  readonly answer: string;
}

/** A method of the client that reads. */
export type LiteMethod =
  | "getAccount"
  | "lookupBlock"
  | "getShards"
  | "getQueueSizes"
  | "getTransactions"
  | "findTransaction"
  | "findSender"
  | "findReceiver"
  | "getZeroState"
  | "prove"
  | "getBlock";

/** Receives the events of a pool. */
export type OnLiteEvent = (event: LiteEvent) => void;

/** Bytes of a query or an answer that are kept as evidence. */
export const EVIDENCE: number = 16 * 1024;

export function evidence(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, EVIDENCE)).toString("hex");
}

/** A line of a log. */
export interface LiteEventLine {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  /** The details of the event, as JSON values, without the names that loggers use. */
  readonly details: Readonly<Record<string, unknown>> & { readonly [Name in "level" | "time" | "msg"]?: never };
}

const frequent = ["answer", "cached", "shared", "call"] as const;
type Logged = Exclude<LiteEvent["type"], (typeof frequent)[number]>;

const lines: { readonly [Type in Logged]: readonly [LiteEventLine["level"], string] } = {
  "server-up": ["info", "lite server connected"],
  "server-down": ["warn", "lite server failing, will be tried again"],
  quarantine: ["error", "lite server gave a wrong answer and is left alone; tell its operator"],
  unproved: ["warn", "an answer of a lite server is not proved, and no other server has answered; it is still asked"],
  overruled: ["warn", "lite server refuses what another one answers, and is asked less often"],
  sync: ["info", "verifying signatures up to the newest block"],
  verified: ["info", "the newest block is verified by the signatures of validators"],
  "signed-fork": ["error", "validators have signed two chains, nothing is read any more"],
  unverified: ["error", "no newer block can be verified"],
  unsigned: ["warn", "the newest block is that of one lite server, and is not verified by signatures"],
  "refused-fork": ["error", "former validators have signed another chain, which is refused; find out which one is right"],
  "anchor-failed": ["warn", "the anchor file cannot be written, the next start verifies from an older block"],
};

/** Events that servers can cause at any time: one line for each type, server and class of errors in a minute. */
const limited: ReadonlySet<LiteEvent["type"]> = new Set<LiteEvent["type"]>(["server-down", "unproved", "overruled"]);
const MINUTE = 60_000;

/**
 * Returns a function that makes the log line of an event. Undefined for "answer", "cached", "shared" and "call", and for most of "sync" and
 * "verified", which are too frequent, and for what the same server caused less than a minute before.
 *
 * @example
 * ```ts
 * const lineOf = liteEventLines();
 * const onEvent = (event: LiteEvent) => {
 *   const line = lineOf(event);
 *   if (line) console[line.level](line.message, line.details);
 * };
 * ```
 */
export function liteEventLines(): (event: LiteEvent) => LiteEventLine | undefined {
  const logged = new Map<string, number>();
  return (event) => {
    if (!isLogged(event)) return undefined;
    if (limited.has(event.type) && "server" in event) {
      const key = [event.type, event.server, "class" in event ? event.class : ""].join();
      if (performance.now() - (logged.get(key) ?? Number.NEGATIVE_INFINITY) < MINUTE) return undefined;
      logged.set(key, performance.now());
    }
    const [level, message] = lines[event.type];
    const { type: _, ...details } = event;
    if ("blocks" in event) return { level, message, details: { ...details, blocks: event.blocks.map(hashesOf) } };
    return { level, message, details };
  };
}

function isLogged(event: LiteEvent): event is Extract<LiteEvent, { type: Logged }> {
  if (event.type === "sync") return event.isMilestone;
  if (event.type === "verified") return event.isFirst;
  return !frequent.some((type) => type === event.type);
}

function hashesOf({ seqno, rootHash, fileHash }: BlockId) {
  return { seqno, rootHash: hex(rootHash), fileHash: hex(fileHash) };
}

type SyncEvent = Extract<LiteEvent, { type: "sync" }>;

/**
 * Shows on a line of a terminal how far signatures are verified before the first head. Returns a function that receives the events.
 *
 * @example
 * ```ts
 * import { statusLine } from "@chain-query/command-line";
 *
 * const client = liteClient(config, { onEvent: liteSyncStatus(statusLine(process.stderr)) });
 * ```
 */
export function liteSyncStatus(line: { show(text: string): void; clear(): void }): (event: LiteEvent) => void {
  return (event) => {
    if (event.type === "sync") line.show(describeSync(event));
    else if (event.type === "verified" && event.isFirst) line.clear();
  };
}

/** One line, such as `verifying signatures: key block 1200 of 5000, 8431 signatures`. */
export function describeSync({ seqno, target, signatures }: SyncEvent): string {
  return `verifying signatures: key block ${seqno} of ${target}, ${signatures} signatures`;
}
