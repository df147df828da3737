import type { Contract } from "./contract.ts";
import { isNode, nodeOf } from "./contract-node.ts";

/**
 * Says in the name of the key's scheme that the key is optional, where the contract lists no key as the alternative to one. Redoc
 * shows the names of the schemes and not that there is such an alternative.
 */
export function withOptionalKey(contract: Contract): Contract {
  const { security, components } = contract as Contract & { security?: unknown; components?: unknown };
  const alternatives = Array.isArray(security) ? security.filter(isNode) : [];
  if (!alternatives.some((alternative) => Object.keys(alternative).length === 0)) return contract;
  const named = (name: string): string => `${name} (optional)`;
  const renamed = (node: object): object =>
    Object.fromEntries(Object.entries(node).map(([name, value]) => [named(name), value]));
  const { securitySchemes, ...others } = nodeOf(components);
  return {
    ...contract,
    ...{ security: alternatives.map(renamed), components: { ...others, securitySchemes: renamed(nodeOf(securitySchemes)) } },
  };
}
