/** Pages of transactions, and how their transactions are named. */
import type { Context } from "../check.ts";
import { found, type TransactionId } from "./typed-requests.ts";

/** The page that begins with a transaction. */
export function pageFrom(
  context: Context,
  address: string,
  { lt, hash }: TransactionId,
  limit: number | undefined,
): ReturnType<typeof found<"getTransactionsStd">> {
  return found(context, "getTransactionsStd", { address, lt, hash, ...(limit === undefined ? {} : { limit }) });
}

export function isSame(a: TransactionId, b: TransactionId): boolean {
  return a.lt === b.lt && a.hash === b.hash;
}

export function nameOf({ lt, hash }: TransactionId): string {
  return `lt ${lt} (${hash.slice(0, 6)}…)`;
}
