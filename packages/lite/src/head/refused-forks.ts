import { type BlockId, isSameBlock } from "@chain-query/format/identifiers";
import { withDeadline } from "../servers/deadline.ts";
import type { OnLiteEvent } from "../servers/events.ts";
import type { Server } from "../servers/server.ts";
import { type AcceptedHeads, ancestorOf, type ProveHead, type ReadHead } from "./heads.ts";

export interface RefusedForksContext {
  /** The block from which all heads are verified. */
  readonly trusted: BlockId;
  readonly read: ReadHead;
  readonly prove: ProveHead;
  readonly onEvent: OnLiteEvent;
}

/**
 * Milliseconds between two proofs of a server's refused chain, and for one at most; after a failed one, a multiple of its time. They begin
 * at the first trusted block, so they may take long.
 */
const [INTERVAL, AFTER_FAILURE] = [3_600_000, 20];

/** Reports the chains that former validators signed beside a verified key block, and that are refused. */
export class RefusedForks {
  readonly #context: RefusedForksContext;
  readonly #accepted: AcceptedHeads;
  /** When the chain of a server is proved again, at the earliest. */
  readonly #nextAt = new Map<Server, number>();

  constructor(context: RefusedForksContext, accepted: AcceptedHeads) {
    this.#context = context;
    this.#accepted = accepted;
  }

  /** Proves a server's refused block from the first trusted block, until the signal aborts. */
  async review(server: Server, block: BlockId, closing: AbortSignal): Promise<void> {
    const { onEvent } = this.#context;
    const startedAt = performance.now();
    const { last } = this.#accepted;
    if (!last || startedAt < (this.#nextAt.get(server) ?? 0)) return;
    this.#nextAt.set(server, Number.POSITIVE_INFINITY);
    try {
      const ours = await withDeadline(INTERVAL, closing, (signal) => this.prove(server, block, last.block, signal));
      if (ours) onEvent({ type: "refused-fork", seqno: block.seqno, blocks: [ours, block], server: server.name });
      this.#nextAt.set(server, startedAt + INTERVAL);
    } catch {
      const now = performance.now();
      this.#nextAt.set(server, now + AFTER_FAILURE * (now - startedAt));
    }
  }

  /**
   * Proves a server's block from the first trusted block, if it does not belong to the chain of a verified one. Returns the verified block
   * that it contradicts; undefined if both are of one chain.
   *
   * @param onProgress - Called after each answer.
   * @param prover - The server that has the verified block; default: any.
   */
  async prove(
    server: Server,
    block: BlockId,
    verified: BlockId,
    signal: AbortSignal,
    onProgress: () => void = () => {},
    prover?: Server,
  ): Promise<BlockId | undefined> {
    const { trusted, prove, read } = this.#context;
    if (block.seqno < trusted.seqno) return undefined;
    const isBelow = block.seqno <= verified.seqno;
    const known = isBelow ? await verifiedBlock(block.seqno, verified, this.#accepted, read, signal, prover) : verified;
    const other = isBelow ? block : ancestorOf(await read(block, verified.seqno, server, signal));
    if (isSameBlock(known, other)) return undefined;
    await prove(server, trusted, block, onProgress, signal);
    return known;
  }
}

/** The block of the verified chain with a seqno up to the head's. */
export async function verifiedBlock(
  seqno: number,
  head: BlockId,
  accepted: AcceptedHeads,
  read: ReadHead,
  signal: AbortSignal,
  server?: Server,
): Promise<BlockId> {
  if (seqno === head.seqno) return head;
  return accepted.get(seqno)?.block ?? ancestorOf(await read(head, seqno, server, signal));
}
