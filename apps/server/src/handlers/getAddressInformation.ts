import type { RequestInputs } from "@chain-query/openapi/requests";
import type { ResultOf } from "@chain-query/types";
import { fullAccountState } from "../convert/account.ts";
import { HttpError } from "../failure.ts";
import type { Context } from "./context.ts";

/** The state of an account as of the head, or of an earlier masterchain block (D-16). */
export async function getAddressInformation(
  { address, seqno }: RequestInputs["getAddressInformation"],
  { source, blockType }: Context,
  signal: AbortSignal,
): Promise<ResultOf<"getAddressInformation">> {
  const state = await source.account(address, seqno, signal);
  if (state !== undefined) return fullAccountState(blockType, state);
  const { id } = (await source.head(signal)).block;
  throw new HttpError(404, `block was not found: seqno ${seqno} is past the head, ${id.seqno}`);
}
