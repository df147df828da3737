import { type BlockId, isSameShard, MASTERCHAIN } from "@chain-query/format/identifiers";
import type { VerifiedBlockProof } from "../proof/block-links.ts";
import type { Server } from "../servers/server.ts";
import { LiteError } from "../wire/lite-error.ts";
import type { LiteHead } from "./accepted-heads.ts";

/** A block with a proof of its history. */
interface HeadProof {
  readonly head: LiteHead;
  /** The block of the requested seqno in its history. Undefined if none was requested. */
  readonly ancestor: BlockId | undefined;
}

/** The block that was requested with a head. Without it, nothing is known of the chain: that is no other chain. */
export function ancestorOf({ head, ancestor }: HeadProof): BlockId {
  if (!ancestor) throw new LiteError("protocol", `the proof of block ${head.block.seqno} has no block of its history`);
  return ancestor;
}

/**
 * Reads the header of a masterchain block, and proves which block of a lower seqno is in its history.
 *
 * @param server - Asks only this server.
 * @param signal - Ends the read.
 */
export type ReadHead = (
  block: BlockId,
  ancestorSeqno: number | undefined,
  server?: Server,
  signal?: AbortSignal,
) => Promise<HeadProof>;

/**
 * Verifies by signatures that a block descends from a trusted one, with the answers of one server.
 *
 * @param onProgress - Receives what is verified so far after each answer.
 * @param signal - Ends the verification.
 */
export type ProveHead = (
  server: Server,
  trusted: BlockId,
  block: BlockId,
  onProgress: (verified: VerifiedBlockProof) => void,
  signal: AbortSignal,
) => Promise<VerifiedBlockProof>;

/** Whether a server's newest block is one of the masterchain. Otherwise the server goes to quarantine. */
export function isOfMasterchain(server: Server, block: BlockId): boolean {
  if (isSameShard(block, MASTERCHAIN) && block.seqno >= 0) return true;
  const { query, answer } = server.lastExchange;
  const id = `(${block.workchain}, ${BigInt.asUintN(64, block.shard).toString(16)}, ${block.seqno})`;
  server.quarantine(`its newest block must be one of the masterchain, got ${id}`, query, answer);
  return false;
}

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
