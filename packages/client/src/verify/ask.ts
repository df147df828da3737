import type { OperationId, ResultOf, Schemas } from "@chain-query/types";
import type { WithResponse } from "../calls/query-promise.ts";
import type { ChainClient } from "../client.ts";
import type { CallError } from "../errors.ts";
import type { CallOptions } from "../options.ts";
import { requireLength } from "./bounded-fetch.ts";
import { ProofError } from "./proof-error.ts";

/** A response that may have a proof. Nothing of it is checked. */
export interface Answer<Id extends OperationId> extends WithResponse<ResultOf<Id>> {
  readonly envelope: WithResponse<ResultOf<Id>>["envelope"] & { readonly proof?: Schemas["Proof"] };
}

/** A class of errors would weigh more in this entry. */
const callErrors = new WeakSet<object>();

/** Whether a client rejected with it. */
export function isCallError(error: unknown): error is CallError {
  return callErrors.has(Object(error));
}

type Call<Id extends OperationId> = (...args: readonly unknown[]) => { withResponse(): Promise<WithResponse<ResultOf<Id>>> };

/**
 * Calls an operation of a client, which fails as it always does.
 *
 * @param input - Undefined for an operation without one.
 */
export async function ask<Id extends OperationId>(
  client: ChainClient,
  operation: Id,
  input: object | undefined,
  headers: Readonly<Record<string, string>>,
  options?: CallOptions,
): Promise<Answer<Id>> {
  const call = client[operation] as unknown as Call<Id>;
  const all = new Headers(options?.headers);
  for (const [name, value] of Object.entries(headers)) all.append(name, value);
  const asked = { ...options, headers: Object.fromEntries(all) };
  const answer = await (input ? call(input, asked) : call(asked)).withResponse().catch((error: Error) => {
    if (error.cause instanceof ProofError) throw error.cause;
    if ("code" in error) callErrors.add(error);
    throw error;
  });
  requireLength((await answer.response.text()).length);
  return answer;
}
