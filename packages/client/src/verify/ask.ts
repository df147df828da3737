import type { OperationId, ResultOf } from "@chain-query/types";
import type { WithResponse } from "../calls/query-promise.ts";
import type { ChainClient } from "../client.ts";
import type { InputOf } from "../operations/input.ts";
import type { CallOptions } from "../options.ts";
import { objectOf, requireLength, type Untrusted } from "./untrusted.ts";

/** A response with the proof that the service added; nothing of it is checked. */
export interface Answer<Id extends OperationId> extends WithResponse<ResultOf<Id>> {
  readonly proof: Untrusted | undefined;
}

interface Preference {
  readonly prefer?: string;
  /** The head that the answer must have reached. */
  readonly least?: number;
}

type Call<Id extends OperationId> = (...args: readonly unknown[]) => { withResponse(): Promise<WithResponse<ResultOf<Id>>> };

/** Calls an operation with `Prefer: proof`. Fails as the client's own method does. */
export async function ask<Id extends OperationId>(
  client: ChainClient,
  operation: Id,
  input: InputOf<Id> | undefined,
  { prefer, least = 0 }: Preference,
  { headers = {}, ...options }: CallOptions = {},
): Promise<Answer<Id>> {
  const own = new Headers(headers);
  if (prefer) own.append("prefer", prefer);
  if (least > 0) own.set("chain-min-head", `${least}`);
  const call = client[operation] as unknown as Call<Id>;
  const asked = { ...options, headers: Object.fromEntries(own) };
  const answer = await (input === undefined ? call(asked) : call(input, asked)).withResponse();
  requireLength(await answer.response.text());
  const { proof } = answer.envelope as unknown as Untrusted;
  return { ...answer, proof: proof === undefined ? undefined : objectOf(proof, "proof") };
}
