import type { RequestInputs } from "@chain-query/openapi/requests";
import type { ResultOf } from "@chain-query/types";
import type { Encoded } from "../answers/encoded.ts";
import { HttpError } from "../failure.ts";
import type { Context } from "./context.ts";

/** The transaction that sent a message (D-19). A message from outside has no such transaction (D-18). */
export async function tryLocateSourceTx(
  { source, destination, created_lt }: RequestInputs["tryLocateSourceTx"],
  { located }: Context,
  signal: AbortSignal,
): Promise<Encoded<ResultOf<"tryLocateSourceTx">>> {
  if (source === "") {
    const reason = 'a message from outside the chain (source "") has no source transaction';
    throw new HttpError(404, `transaction was not found: ${reason}`);
  }
  return located.find({ source, destination, createdLt: created_lt }, "sender", signal);
}
