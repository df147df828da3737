import type { BlockId } from "@chain-query/format/identifiers";
import type { LiteError } from "@chain-query/lite-protocol/error";
import type { LiteFault } from "./fault.ts";

/**
 * An event of the pool. `server` is the name of a server, see `LiteServerStatus`. For a log, see `liteEventLines`.
 *
 * @example
 * ```ts
 * import { liteClient } from "@chain-query/lite-client";
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
  /** A server gave a false answer to what another one answers, or reported another block than the majority. It is not asked for 10 minutes. */
  | {
      readonly type: "quarantine";
      readonly server: string;
      readonly reason: string;
      readonly untilMs: number;
      /** The evidence in hexadecimal digits, the first 16 kB of each. */
      readonly query: string;
      readonly answer: string;
    }
  /**
   * An answer of a server is not proved, and no other server has answered the read: it may be due to the question, so that the server is still
   * asked.
   */
  | {
      readonly type: "unproved";
      readonly server: string;
      readonly reason: string;
      readonly query: string;
      readonly answer: string;
    }
  /** A server refused what another one, `by`, answers: it keeps less history, or is not honest. It is asked less often. */
  | {
      readonly type: "overruled";
      readonly server: string;
      readonly by: string;
      readonly function: string;
      readonly reason: string;
    }
  /**
   * Servers report different masterchain blocks with the same seqno, and there is no quorum for one: the pool asks them only if no
   * other server is left, and only for what a proof shows. Or servers report a block that does not descend from a former head, which is the first claim.
   */
  | { readonly type: "fork"; readonly seqno: number; readonly claims: readonly LiteClaim[] }
  /** The servers agree on the block. */
  | { readonly type: "fork-settled"; readonly seqno: number }
  /**
   * Too few servers can be used to accept a new head: `servers` of the `needed` ones. The head stays. Servers that never answered may not
   * exist any more.
   */
  | {
      readonly type: "no-quorum";
      readonly needed: number;
      readonly servers: number;
      readonly unavailable: readonly string[];
      readonly neverAnswered: readonly string[];
    }
  /** Enough servers can be used again. */
  | { readonly type: "quorum"; readonly servers: number }
  /** 60 % of the servers report another chain than the head's. If they do so for a minute, the head is given up. */
  | { readonly type: "head-contradicted"; readonly seqno: number; readonly servers: readonly string[] }
  /** There is no head any more: reads fail until the block of a quorum is proved to follow a former head. */
  | { readonly type: "head-given-up"; readonly seqno: number }
  /** There is a head again. `common` is the newest former head in its history, `givenUp` the head that was given up. */
  | { readonly type: "head-recovered"; readonly seqno: number; readonly common: number; readonly givenUp: number }
  /** Trust "signatures": the signatures up to the key block `seqno` are verified, on the way to the first head. */
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
  /** Trust "signatures": the head was verified. `signatures` of blocks were verified since the one before; `blockTime` is in Unix seconds. */
  | {
      readonly type: "verified";
      readonly seqno: number;
      readonly blockTime: number;
      readonly signatures: number;
      readonly isFirst: boolean;
    }
  /** Trust "signatures": validators have signed two chains. Nothing is read as of block `seqno` or a later one. */
  | {
      readonly type: "signed-fork";
      readonly seqno: number;
      readonly blocks: readonly [verified: BlockId, other: BlockId];
      readonly server: string;
    }
  /** Trust "signatures": no newer block can be verified. Repeated once a minute. */
  | { readonly type: "unverified"; readonly reason: string }
  /** Trust "signatures": a server proves a chain that former validators signed beside a verified key block. It is refused; reads go on. */
  | {
      readonly type: "refused-fork";
      readonly seqno: number;
      readonly blocks: readonly [verified: BlockId, other: BlockId];
      readonly server: string;
    }
  /** Trust "signatures": the anchor file cannot be written. The next start verifies from an older block. */
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
  /** A read was answered from memory. */
  | { readonly type: "cached"; readonly function: string }
  /** A read was answered together with an equal one. */
  | { readonly type: "shared"; readonly function: string }
  /** The end of a call of the client, with the number of its queries; `isExhausted` if it needed more than `maxQueries`. */
  | { readonly type: "call"; readonly method: LiteMethod; readonly queries: number; readonly isExhausted: boolean };

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
  | "getBlock";

/** A masterchain block and the servers that report it. */
export interface LiteClaim {
  readonly block: BlockId;
  readonly servers: readonly string[];
}

/** Receives the events of a pool. */
export type OnLiteEvent = (event: LiteEvent) => void;

/** Bytes of a query or an answer that are kept as evidence. */
export const EVIDENCE: number = 16 * 1024;

/** Evidence for the log. */
export function evidence(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, EVIDENCE)).toString("hex");
}
