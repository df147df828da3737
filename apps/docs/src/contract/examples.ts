/** The contract's examples: documented pairs of request and answer. */
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import type { SampleRequest } from "../samples/request.ts";

/** One request that the contract documents, and the answer that it leads to. */
export interface DocumentedExample {
  operationId: string;
  /** What makes this case special, such as `uninitialized`. */
  condition: string;
  /** What the case is, in a few words. */
  summary: string;
  request: Omit<SampleRequest, "operationId">;
  response: { status: number; body: object };
}

/** Every documented pair, in the order of the contract. */
export const documentedExamples: readonly DocumentedExample[] = examples.map(({ request, ...example }) => ({
  ...example,
  request: { ...request, query: present(request.query), headers: present(request.headers) },
}));

/** Of a list of objects, TypeScript believes that each has the members of all, some undefined. */
function present<T>(values: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined));
}
