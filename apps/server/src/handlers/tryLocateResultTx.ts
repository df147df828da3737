import type { RequestOf, ResultOf } from "@chain-query/types";
import type { Encoded } from "../answers/encoded.ts";
import { accountIn } from "../convert/address.ts";
import { logicalTimeIn } from "../convert/integers.ts";
import type { Context } from "./context.ts";

/** The transaction that consumed a message (D-19). */
export async function tryLocateResultTx(
  { source, destination, created_lt }: RequestOf<"tryLocateResultTx">,
  { located }: Context,
): Promise<Encoded<ResultOf<"tryLocateResultTx">>> {
  const message = {
    source: accountIn(source, "source"),
    destination: accountIn(destination, "destination"),
    createdLt: logicalTimeIn(created_lt, "created_lt"),
  };
  return located.find(message, "consumer");
}
