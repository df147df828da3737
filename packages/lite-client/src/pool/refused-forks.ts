import { type BlockId, isSameBlock } from "@chain-query/format/identifiers";
import type { AcceptedHeads } from "./accepted-heads.ts";
import { withDeadline } from "./deadline.ts";
import type { OnLiteEvent } from "./events.ts";
import type { Server } from "./server.ts";
import type { ProveTip, ReadTip } from "./tip.ts";

/** The part of the client that finds refused forks. */
export interface RefusedForksContext {
  /** The block from which all heads are verified. */
  readonly trusted: BlockId;
  readonly read: ReadTip;
  readonly prove: ProveTip;
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
    const { trusted, prove, onEvent } = this.#context;
    const startedAt = performance.now();
    if (!this.#accepted.last || startedAt < (this.#nextAt.get(server) ?? 0)) return;
    this.#nextAt.set(server, Number.POSITIVE_INFINITY);
    try {
      const ours = await withDeadline(INTERVAL, closing, async (signal) => {
        await prove(server, trusted, block, () => {}, signal);
        return this.#contradicted(server, block, signal);
      });
      if (ours) onEvent({ type: "refused-fork", seqno: block.seqno, blocks: [ours, block], server: server.name });
      this.#nextAt.set(server, startedAt + INTERVAL);
    } catch {
      const now = performance.now();
      this.#nextAt.set(server, now + AFTER_FAILURE * (now - startedAt));
    }
  }

  /** The verified block whose place a server's block has, or that it does not continue; undefined if both are of one chain. */
  async #contradicted(server: Server, block: BlockId, signal: AbortSignal): Promise<BlockId | undefined> {
    const { last } = this.#accepted;
    if (!last) return undefined;
    if (block.seqno <= last.block.seqno) {
      const known = await verifiedBlock(block.seqno, last.block, this.#accepted, this.#context.read, signal);
      return known && isSameBlock(known, block) ? undefined : known;
    }
    const { ancestor } = await this.#context.read(block, last.block.seqno, server, signal);
    return ancestor && isSameBlock(ancestor, last.block) ? undefined : last.block;
  }
}

/** The block of the verified chain with a seqno up to the head's. */
export async function verifiedBlock(
  seqno: number,
  head: BlockId,
  accepted: AcceptedHeads,
  read: ReadTip,
  signal: AbortSignal,
): Promise<BlockId | undefined> {
  return accepted.get(seqno)?.block ?? (await read(head, seqno, undefined, signal)).ancestor;
}
