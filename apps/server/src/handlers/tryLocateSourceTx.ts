import type { RequestOf, ResultOf } from "@chain-query/types";
import { accountIn } from "../convert/address.ts";
import { logicalTimeIn } from "../convert/integers.ts";
import { Refusal } from "../failure.ts";
import { absence } from "./absence.ts";
import type { Context } from "./context.ts";

/** The transaction that sent a message (D-19). A message from outside has none (D-18). */
export async function tryLocateSourceTx(
  { source, destination, created_lt }: RequestOf<"tryLocateSourceTx">,
  { messages, source: chain }: Context,
): Promise<ResultOf<"tryLocateSourceTx">> {
  const to = accountIn(destination, "destination");
  const createdLt = logicalTimeIn(created_lt, "created_lt");
  if (source === "") {
    const why = 'a message from outside the chain (source "") has no source transaction';
    throw new Refusal(404, `transaction was not found: ${why}`);
  }
  const { transaction } = await messages.producer({ source: accountIn(source, "source"), destination: to, createdLt });
  if (transaction !== undefined) return transaction;
  throw new Refusal(404, `transaction was not found: ${await absence(createdLt, chain)}`);
}
