import { type BlockId, isSameShard, MASTERCHAIN } from "@chain-query/format/identifiers";
import type { VerifiedBlockProof } from "../proof/block-links.ts";
import type { LiteHead } from "./accepted-heads.ts";
import type { Server } from "./server.ts";

/** Decides which masterchain block is the head. */
export interface Tip {
  /** Undefined before the first, and while nothing can be read. */
  readonly head: LiteHead | undefined;
  /** The number of times that the head was given up for a block of another chain. */
  readonly resets: number;
  /** Why no newer block becomes the head, in one line; undefined if nothing is wrong. */
  readonly problem: string | undefined;
  /** Nothing may be read as of this masterchain block and later ones. */
  readonly forkedAt: number | undefined;
  /** Whether a server has reported the head. */
  isReportedBy(server: Server): boolean;
  /** Calls `onHead` with each new head, until the returned function is called. */
  watch(onHead: (head: LiteHead) => void): () => void;
  /** Records the newest block of a server. */
  note(server: Server, block: BlockId): void;
  close(): void;
}

/** A block with a proof of its history. */
interface TipProof {
  readonly head: LiteHead;
  /** The block of the requested seqno in its history. Undefined if none was requested. */
  readonly ancestor: BlockId | undefined;
}

/**
 * Reads the header of a masterchain block, and proves which block of a lower seqno is in its history.
 *
 * @param server - Asks only this server.
 * @param signal - Ends the read.
 */
export type ReadTip = (
  block: BlockId,
  ancestorSeqno: number | undefined,
  server?: Server,
  signal?: AbortSignal,
) => Promise<TipProof>;

/**
 * Verifies by signatures that a block descends from a trusted one, with the answers of one server.
 *
 * @param onProgress - Receives what is verified so far after each answer.
 * @param signal - Ends the verification.
 */
export type ProveTip = (
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
