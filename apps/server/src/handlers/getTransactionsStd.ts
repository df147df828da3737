import type { RequestOf, ResultOf } from "@chain-query/types";
import type { Encoded } from "../answers/encoded.ts";
import { accountIn } from "../convert/address.ts";
import { hashIn } from "../convert/bytes.ts";
import { logicalTimeIn } from "../convert/integers.ts";
import { Refusal } from "../failure.ts";
import type { Context } from "./context.ts";

const defaultLimit = 10;

/** One page of an account's transactions, newest first (D-13, D-14, D-15, D-26). */
export async function getTransactionsStd(
  { address, limit = defaultLimit, lt, hash, to_lt = "0", archival = false }: RequestOf<"getTransactionsStd">,
  { pages }: Context,
): Promise<Encoded<ResultOf<"getTransactionsStd">>> {
  const account = accountIn(address, "address");
  if ((lt === undefined) !== (hash === undefined)) {
    throw new Refusal(422, `${lt === undefined ? "lt" : "hash"}: missing; lt and hash should be used together`);
  }
  return pages.page(account, {
    limit,
    aboveLt: logicalTimeIn(to_lt, "to_lt"),
    archival,
    ...(lt === undefined || hash === undefined ? {} : { start: { lt: logicalTimeIn(lt, "lt"), hash: hashIn(hash) } }),
  });
}
