import type { BlockId } from "@chain-query/format/identifiers";
import type { Pool, PoolRead } from "../pool/pool.ts";

/**
 * What is checked of the servers' answers.
 *
 * - `proofs`: everything, against the root hash of a masterchain block that most servers name.
 * - `none`: accounts, shards and transactions as with `proofs`, since their answers have the proofs anyway. Which block a look-up finds,
 *   and the sizes of queues, are a server's word. Takes fewer queries.
 */
export type LiteTrust = "none" | "proofs";

/** One call of a method of the client: the masterchain block as of which it reads, and how it asks. */
export class Reading {
  readonly at: BlockId;
  readonly trust: LiteTrust;
  readonly #pool: Pool;
  readonly #archival: boolean;
  readonly #signal: AbortSignal;

  constructor(pool: Pool, trust: LiteTrust, at: BlockId, archival: boolean, signal: AbortSignal) {
    this.#pool = pool;
    this.trust = trust;
    this.at = at;
    this.#archival = archival;
    this.#signal = signal;
  }

  /** The same call as of another block. */
  asOf(at: BlockId): Reading {
    return new Reading(this.#pool, this.trust, at, this.#archival, this.#signal);
  }

  ask<Answer, Result>(read: PoolRead<Answer, Result>): Promise<Result> {
    const need = { seqno: this.at.seqno, archival: this.#archival, ...read.need };
    return this.#pool.ask({ ...read, need }, this.#signal);
  }
}
