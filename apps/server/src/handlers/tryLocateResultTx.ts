import type { RequestOf, ResultOf } from "@chain-query/types";
import { accountIn } from "../convert/address.ts";
import { logicalTimeIn } from "../convert/integers.ts";
import { Refusal } from "../failure.ts";
import { absence } from "./absence.ts";
import type { Context } from "./context.ts";

/** The transaction that consumed a message; without one, whether the message exists (D-19). */
export async function tryLocateResultTx(
  { source, destination, created_lt }: RequestOf<"tryLocateResultTx">,
  { messages, source: chain }: Context,
): Promise<ResultOf<"tryLocateResultTx">> {
  const createdLt = logicalTimeIn(created_lt, "created_lt");
  const { transaction, isSent } = await messages.consumer({
    source: accountIn(source, "source"),
    destination: accountIn(destination, "destination"),
    createdLt,
  });
  if (transaction !== undefined) return transaction;
  const why = isSent ? "the message is known and still waits in a queue, try again later" : await absence(createdLt, chain);
  throw new Refusal(404, `transaction was not found: ${why}`);
}
