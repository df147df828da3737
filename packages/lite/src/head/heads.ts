import type { BlockId } from "@chain-query/format/identifiers";
import type { VerifiedBlockProof } from "../proof/block-links.ts";
import type { Server } from "../servers/server.ts";
import { LiteError } from "../wire/lite-error.ts";

/** A masterchain block that the client trusts. */
export interface LiteHead {
  readonly block: BlockId;
  /** Unix seconds. */
  readonly time: number;
  readonly endLt: bigint;
  readonly stateRootHash: Uint8Array;
}

/** Heads that are kept; older ones are in the history of the newest. */
const MOST = 2_048;

export class AcceptedHeads {
  last: LiteHead | undefined;
  readonly #bySeqno = new Map<number, LiteHead>();

  get(seqno: number): LiteHead | undefined {
    return this.#bySeqno.get(seqno);
  }

  add(head: LiteHead): void {
    this.last = head;
    this.#bySeqno.set(head.block.seqno, head);
    for (const oldest of this.#bySeqno.keys()) if (this.#bySeqno.size > MOST) this.#bySeqno.delete(oldest);
  }
}

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
