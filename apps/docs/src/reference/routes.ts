/** The examples of the contract, and the pages of its operations. */
import { type DocumentedExample, operations } from "@chain-query/openapi/operations";

/** Every documented pair of request and response, in the order of the contract. */
export const documentedExamples: readonly DocumentedExample[] = operations.flatMap(({ examples }) => examples);

/**
 * Path of the page of an operation.
 *
 * @example
 * operationPath("lookupBlock"); // "reference/lookupBlock/"
 */
export function operationPath(id: string): string {
  return `reference/${id}/`;
}
