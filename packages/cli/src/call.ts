/** The client of a deployment, and its methods by the names of the contract's operations. */
import { type ChainClient, createClient } from "@chain-query/client";

/** Creates the client of a deployment. The key is read from `CHAIN_API_KEY`, which other users of the machine cannot see. */
export function connect(url: string): ChainClient {
  const apiKey = process.env["CHAIN_API_KEY"];
  return createClient({ baseUrl: url, ...(apiKey && { apiKey }) });
}

/** Calls an operation. The client checks the inputs, which are under its names, such as `createdLt`. */
export async function callOperation(
  chain: ChainClient,
  id: string,
  inputs: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  const method: unknown = Reflect.get(chain, id);
  if (typeof method !== "function") throw new TypeError(`the client has no method ${id}`);
  return Object.keys(inputs).length === 0 ? method({ signal }) : method(inputs, { signal });
}
