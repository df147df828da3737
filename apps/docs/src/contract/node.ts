/** Parts of the contract as they come out of JSON: looked at member by member, with references followed. */

/** Some object of the contract. */
export interface ContractNode {
  [member: string]: unknown;
}

/** Whether a value is an object of the contract. */
export function isNode(value: unknown): value is ContractNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or none where there is something else. */
export function nodeOf(value: unknown): ContractNode {
  return isNode(value) ? value : {};
}

/** The objects of a list. */
export function nodesOf(value: unknown): ContractNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The text, or none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The last word of a reference, which names what it leads to; undefined where the node is none. */
export function referenceName(node: ContractNode): string | undefined {
  return textOf(node["$ref"]).split("/").at(-1) || undefined;
}

/** What a node stands for: itself, or with its own members over those of what it refers to. */
export function resolved(root: unknown, node: ContractNode): ContractNode {
  const { $ref: reference, ...own } = node;
  if (typeof reference !== "string") return node;
  const target = reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((at, key) => nodeOf(at)[key.replaceAll("~1", "/").replaceAll("~0", "~")], root);
  return { ...resolved(root, nodeOf(target)), ...own };
}
