/** The client of a deployment, and its methods by the names of the contract's operations. */
import { type ChainClient, createClient } from "@chain-query/client";
import { operations } from "@chain-query/openapi/operations";

/** Creates the client of a deployment. The key is read from `CHAIN_API_KEY`, which other users of the machine cannot see. */
export function connect(url: string): ChainClient {
  const apiKey = process.env["CHAIN_API_KEY"];
  return createClient({ baseUrl: url, ...(apiKey && { apiKey }) });
}

/**
 * Calls an operation. The client checks the inputs, which are under its names, such as `createdLt`.
 *
 * @throws RangeError if there is no such operation: the client has other methods.
 */
export async function callOperation(
  chain: ChainClient,
  id: string,
  inputs: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  const operation = operations.find((one) => one.id === id);
  const method: unknown = operation && Reflect.get(chain, operation.id);
  if (operation === undefined || typeof method !== "function") throw new RangeError(`there is no ${JSON.stringify(id)}`);
  const takesNone = operation.inputs.length === 0 && Object.keys(inputs).length === 0;
  return takesNone ? method({ signal }) : method(inputs, { signal });
}
