/** The examples of the contract, and the routes of its operations in the reference. */
import { type DocumentedExample, type Operation, operations } from "@chain-query/openapi/operations";

/** Every documented pair of request and response, in the order of the contract. */
export const documentedExamples: readonly DocumentedExample[] = operations.flatMap(({ examples }) => examples);

/**
 * The fragment under which Redoc shows an operation.
 *
 * @example
 * routeOf({ tag: "Blocks", id: "lookupBlock" }); // "#/blocks/lookupblock"
 */
export function routeOf({ tag, id }: Pick<Operation, "tag"> & { readonly id: string }): string {
  return `#/${tag}/${id}`.toLowerCase();
}
