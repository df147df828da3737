import type { BlockId } from "@chain-query/format/identifiers";
import type { LiteError } from "@chain-query/lite-protocol/error";
import type { LiteFault } from "./fault.ts";

/**
 * What happens in the pool of a lite client. `server` is the name of a server, see `LiteServerStatus`. All but "answer", "cached" and
 * "shared" are worth a log line.
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
  | { readonly type: "server-down"; readonly server: string; readonly reason: string; readonly retryInMs: number }
  /** A server gave an answer whose proof does not hold, or named another block than the others. It is not asked for 10 minutes. */
  | {
      readonly type: "quarantine";
      readonly server: string;
      readonly reason: string;
      readonly untilMs: number;
      /** The evidence in hexadecimal digits, the first 16 kB: what was sent, and what came back. */
      readonly query: string;
      readonly answer: string;
    }
  /**
   * Servers name different masterchain blocks with one number, and there is no majority: none of them is asked. Or the majority names
   * another block than one that was the head: answers as of it were wrong.
   */
  | { readonly type: "fork"; readonly seqno: number; readonly claims: readonly LiteClaim[] }
  /** The fork is settled. */
  | { readonly type: "fork-settled"; readonly seqno: number }
  /** Servers are away for two minutes or in quarantine, so fewer have to name the head. `servers` is the number of those that count. */
  | { readonly type: "fewer-servers"; readonly seqno: number; readonly servers: number }
  /** The end of a query to one server. */
  | {
      readonly type: "answer";
      readonly server: string;
      /** The function, `liteServer.` left out. */
      readonly function: string;
      readonly ms: number;
      /** "cancelled": another server was faster, or the caller gave up. */
      readonly outcome: "ok" | "cancelled" | LiteFault;
      readonly error: LiteError | undefined;
      /** Whether it was the second server, asked because the first one took long. */
      readonly isHedge: boolean;
      readonly isRetry: boolean;
      readonly bytesSent: number;
      readonly bytesReceived: number;
    }
  /** A read was answered from memory. */
  | { readonly type: "cached"; readonly function: string }
  /** A read was answered together with an equal one. */
  | { readonly type: "shared"; readonly function: string };

/** A masterchain block and the servers that name it. */
export interface LiteClaim {
  readonly block: BlockId;
  readonly servers: readonly string[];
}

/** Receives the events of a pool. */
export type OnLiteEvent = (event: LiteEvent) => void;

/** Bytes of a query or an answer that are kept as evidence. */
const EVIDENCE = 16 * 1024;

/** Evidence for the log. */
export function evidence(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, EVIDENCE)).toString("hex");
}
