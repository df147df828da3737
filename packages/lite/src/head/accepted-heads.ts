import type { BlockId } from "@chain-query/format/identifiers";

/** A masterchain block that the client trusts. */
export interface LiteHead {
  readonly block: BlockId;
  /** Unix seconds. */
  readonly time: number;
  readonly endLt: bigint;
  readonly stateRootHash: Uint8Array;
}

/** Heads that are kept at most, and newest ones that are kept without gaps. */
const [MOST, NEWEST] = [2_048, 512];
/** Of the older heads, one is kept for each 16th of their distance to the newest one, or less. */
const SHARE = 16;

/** The heads so far, of one chain: the newest ones, and some of each older period. */
export class AcceptedHeads {
  #heads: LiteHead[] = [];
  #bySeqno = new Map<number, LiteHead>();

  get last(): LiteHead | undefined {
    return this.#heads.at(-1);
  }

  get(seqno: number): LiteHead | undefined {
    return this.#bySeqno.get(seqno);
  }

  add(head: LiteHead): void {
    this.#heads.push(head);
    this.#bySeqno.set(head.block.seqno, head);
    if (this.#heads.length > MOST) this.#thinOut(head.block.seqno);
  }

  #thinOut(last: number): void {
    const kept = new Set<string>();
    this.#heads = this.#heads.filter(({ block: { seqno } }) => {
      const distance = last - seqno;
      if (distance < NEWEST) return true;
      // A power of two, so that the ranges of greater distances consist of those of smaller ones.
      const range = 2 ** Math.floor(Math.log2(distance / SHARE));
      const key = `${range}:${Math.floor(seqno / range)}`;
      if (kept.has(key)) return false;
      kept.add(key);
      return true;
    });
    this.#bySeqno = new Map(this.#heads.map((head) => [head.block.seqno, head]));
  }
}
