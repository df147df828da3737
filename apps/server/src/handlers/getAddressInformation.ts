import type { RequestOf, ResultOf } from "@chain-query/types";
import { fullAccountState } from "../convert/account-state.ts";
import { accountIn } from "../convert/address.ts";
import { seqnoIn } from "../convert/integers.ts";
import { Refusal } from "../failure.ts";
import type { Context } from "./context.ts";

/** The state of an account as of the head, or of an earlier masterchain block (D-16). */
export async function getAddressInformation(
  { address, seqno }: RequestOf<"getAddressInformation">,
  { source, blockType }: Context,
): Promise<ResultOf<"getAddressInformation">> {
  const account = accountIn(address, "address");
  const asOf = seqno === undefined ? undefined : seqnoIn(seqno, "seqno");
  const state = await source.account(account, asOf);
  if (state !== undefined) return fullAccountState(blockType, state);
  const { id } = (await source.head()).block;
  throw new Refusal(404, `block was not found: seqno ${seqno} is past the head, ${id.seqno}`);
}
