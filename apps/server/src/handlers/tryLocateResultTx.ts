import type { RequestInputs } from "@chain-query/openapi/requests";
import type { ResultOf } from "@chain-query/types";
import type { Encoded } from "../answers/encoded.ts";
import type { Context } from "./context.ts";

/** The transaction that consumed a message (D-19). */
export async function tryLocateResultTx(
  { source, destination, created_lt }: RequestInputs["tryLocateResultTx"],
  { located }: Context,
  signal: AbortSignal,
): Promise<Encoded<ResultOf<"tryLocateResultTx">>> {
  return located.find({ source, destination, createdLt: created_lt }, "receiver", signal);
}
