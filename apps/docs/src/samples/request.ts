/** The request of a code sample. */

/** A request without its base URL. */
export interface SampleRequest {
  operationId: string;
  method: string;
  path: string;
  query: Readonly<Record<string, string | number | boolean>>;
  headers: Readonly<Record<string, string>>;
  body?: object;
  /** Inputs that a valid request has together or not at all. */
  together?: readonly string[];
}

/** The header with the API key, in lower case. */
export const keyHeader = "x-api-key";

/** The environment variable from which samples read the API key. */
export const keyVariable = "CHAIN_API_KEY";

/** The API key of a request, if it has one. */
export function apiKeyOf({ headers }: Pick<SampleRequest, "headers">): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === keyHeader)?.[1];
}
