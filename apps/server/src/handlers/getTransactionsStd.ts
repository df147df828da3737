import type { RequestInputs } from "@chain-query/openapi/requests";
import type { ResultOf } from "@chain-query/types";
import type { Encoded } from "../answers/encoded.ts";
import type { Context } from "./context.ts";

/** One page of an account's transactions, newest first (D-13, D-14, D-15, D-26). */
export async function getTransactionsStd(
  { address, limit, lt, hash, to_lt, archival }: RequestInputs["getTransactionsStd"],
  { pages }: Context,
  signal: AbortSignal,
): Promise<Encoded<ResultOf<"getTransactionsStd">>> {
  const start = lt === undefined || hash === undefined ? {} : { start: { lt, hash } };
  return pages.page(address, { limit, aboveLt: to_lt, archival, ...start }, signal);
}
