/** Changes to each operation of the copy of the contract that readers see. */
import { type Contract, operationsOf } from "./contract.ts";

/** An operation of the document: its members, and the three that every one of ours has. */
export interface OperationObject extends Record<string, unknown> {
  operationId: string;
  description: string;
}

/**
 * Changes every operation, and nothing else.
 *
 * @example
 * mapOperations(contract, (operation) => ({ ...operation, description: `${operation.operationId}: ${operation.description}` }));
 */
export function mapOperations(contract: Contract, change: (operation: OperationObject) => OperationObject): Contract {
  const ids = new Set(operationsOf(contract).map(({ operationId }) => operationId));
  const isOperation = (value: unknown): value is OperationObject =>
    typeof value === "object" && value !== null && "operationId" in value && ids.has(String(value.operationId));
  const paths = Object.entries(contract.paths).map(([path, item]) => {
    const changed = Object.entries(item).map(([name, value]) => [name, isOperation(value) ? change(value) : value] as const);
    return [path, Object.fromEntries(changed)] as const;
  });
  return { ...contract, paths: Object.fromEntries(paths) };
}
