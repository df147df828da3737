/** A request as samples are made from it. */
export interface SampleRequest {
  operationId: string;
  method: string;
  path: string;
  query: Readonly<Record<string, string | number | boolean>>;
  headers: Readonly<Record<string, string>>;
  body?: object;
}

/** The header that carries a key, in lower case. */
export const keyHeader = "x-api-key";

/** Where a sample reads the key from. */
export const keyVariable = "CHAIN_API_KEY";

/** The key that a request carries, where it carries one. */
export function keyIn({ headers }: Pick<SampleRequest, "headers">): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === keyHeader)?.[1];
}
