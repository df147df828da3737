import type { BlockId } from "@chain-query/format/identifiers";
import type { Server } from "./server.ts";

/** The reports of one server, and the outcome of its last proof. */
export interface Reports {
  /** The newest one last. */
  readonly blocks: BlockId[];
  /** Times of `performance.now()`. */
  changedAt: number;
  retryAt: number;
  /** Milliseconds until the next retry. */
  pause: number;
  /** When its last proof failed or was given up; 0 if that was complete, or before the first. */
  failedAt: number;
  /** On the way to the first head: the pace of its last proof if that was given up, and led somewhere. */
  pace: number | undefined;
  /** When its last proof was complete; 0 before the first. */
  provedAt: number;
  /** The block below the head that was found in its history. */
  compared: BlockId | undefined;
}

/** A verification of a server's block that runs. */
export interface Verification {
  readonly server: Server;
  /** Of `performance.now()`. */
  readonly startedAt: number;
  /** The seqno of the trusted block. */
  readonly from: number;
  /** The seqno up to which links are verified. */
  at: number;
  /** The signatures that were verified for it. */
  signatures: number;
  /** When its last link was verified, or it began; long ago if all are. */
  progressAt: number;
  readonly end: AbortController;
}

/** Blocks a second to which a verification has led so far. */
export function paceOf({ startedAt, from, at }: Verification): number {
  return (1_000 * (at - from)) / Math.max(1, performance.now() - startedAt);
}
