/** The operations as Prism reads them from the contract. The build runs this once and puts the result into the bundle. */
import { fileURLToPath } from "node:url";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";

type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

const contract = fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json"));

/** Keyed by operationId. */
export const prismOperations: Readonly<Record<string, PrismOperation>> = Object.fromEntries(
  (await getHttpOperationsFromSpec(contract)).map((operation) => [operation.iid, operation]),
);
