import type { BlockId } from "@chain-query/format/identifiers";
import type { Pool, PoolRead } from "../servers/pool.ts";
import type { LiteBudget } from "../servers/query-budget.ts";

/** The context of one call of the client: the masterchain block as of which it reads, the pool and the options. */
export class ReadContext {
  readonly at: BlockId;
  readonly #pool: Pool;
  readonly #archival: boolean;
  readonly #signal: AbortSignal;
  readonly #budget: LiteBudget | undefined;
  readonly #yields: boolean;

  constructor(pool: Pool, at: BlockId, archival: boolean, signal: AbortSignal, budget?: LiteBudget, yields = false) {
    this.#pool = pool;
    this.at = at;
    this.#archival = archival;
    this.#signal = signal;
    this.#budget = budget;
    this.#yields = yields;
  }

  /** The same call as of another block. */
  asOf(at: BlockId): ReadContext {
    return new ReadContext(this.#pool, at, this.#archival, this.#signal, this.#budget, this.#yields);
  }

  ask<Answer, Result>(read: PoolRead<Answer, Result>): Promise<Result> {
    const need = { seqno: this.at.seqno, archival: this.#archival, ...read.need };
    return this.#pool.ask({ ...read, need, yields: this.#yields, ...(this.#budget && { budget: this.#budget }) }, this.#signal);
  }
}
