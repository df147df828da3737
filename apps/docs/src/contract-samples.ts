import type { Contract } from "./contract.ts";
import type { DocumentedExample } from "./contract-examples.ts";
import { mapOperations } from "./contract-operations.ts";
import { samplesOf } from "./samples.ts";

/**
 * Gives each operation its code samples, made from the first of its examples, and as `sources` those of each example by its name.
 * Fails where an operation has no example, because it would then be the only one that shows no code.
 */
export function withSamples(contract: Contract, examples: readonly DocumentedExample[], baseUrl: string): Contract {
  return mapOperations(contract, (operation) => {
    const { operationId } = operation;
    const named = examples
      .filter((example) => example.operationId === operationId)
      .map(({ condition, request, response }) => {
        const samples = samplesOf({ operationId, ...request }, baseUrl, response.status >= 300);
        return { condition, samples };
      });
    const [first] = named;
    if (first === undefined) throw new Error(`${operationId} has no example to make code samples from`);
    const sourcesOf = (index: number): Record<string, string> =>
      Object.fromEntries(named.map(({ condition, samples }) => [condition, samples[index]?.source ?? ""]));
    return {
      ...operation,
      "x-codeSamples": first.samples.map((sample, index) => ({ ...sample, sources: sourcesOf(index) })),
    };
  });
}
