import type { BlockId } from "@chain-query/format/identifiers";
import type { Pool, PoolRead } from "../servers/pool.ts";
import type { LiteBudget } from "../servers/query-budget.ts";

/** One call of the client: the masterchain block as of which it reads, and the pool with the options of the call. */
export interface ReadContext {
  readonly at: BlockId;
  /** The same call as of another block. */
  asOf(at: BlockId): ReadContext;
  ask<Answer, Result>(read: PoolRead<Answer, Result>): Promise<Result>;
}

export function readContext(
  pool: Pool,
  at: BlockId,
  archival: boolean,
  signal: AbortSignal,
  budget?: LiteBudget,
  yields = false,
): ReadContext {
  return {
    at,
    asOf: (other) => readContext(pool, other, archival, signal, budget, yields),
    ask: (read) =>
      pool.ask({ ...read, need: { seqno: at.seqno, archival, ...read.need }, yields, ...(budget && { budget }) }, signal),
  };
}
