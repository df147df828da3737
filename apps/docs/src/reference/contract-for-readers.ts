/** The copy of the contract that the reference shows, with lists, decisions, code samples and links added to its descriptions. */
import { type Contract, operationsOf, routeOf, withServerDefaults } from "../contract/contract.ts";
import type { Choices } from "../contract/decisions.ts";
import type { DocumentedExample } from "../contract/examples.ts";
import { isNode, nodeOf, resolved, textOf } from "../contract/node.ts";
import type { Workflow } from "../contract/workflows.ts";
import { type Sample, samplesOf } from "../samples/samples.ts";

/** What is added to the contract. */
export interface Additions {
  workflows: readonly Workflow[];
  examples: readonly DocumentedExample[];
  choices: Choices;
}

/** An operation as this module changes it. */
interface OperationObject extends Record<string, unknown> {
  operationId: string;
  description: string;
}

const decisionsPage = "../decisions/";
const playgroundPage = "../playground/";

/** Makes the copy. The files for download stay as the contract's package has them. */
export function contractForReaders(contract: Contract, { workflows, examples, choices }: Additions): Contract {
  const decided = withDecisions(withOptionalKey(withServerDefaults(contract)), choices, decisionsPage);
  const listed = withLists(decided, workflows);
  const baseUrl = listed.servers[0]?.url ?? "";
  return mapOperations(listed, ({ operationId, description, ...operation }) => ({
    operationId,
    ...operation,
    // Redoc does not show the operationId by itself.
    description: `\`${operationId}\` [Try it](${playgroundPage}?operation=${operationId})\n\n${description}`,
    "x-codeSamples": samplesFor(operationId, examples, baseUrl),
  }));
}

/** The samples of the operation's first example: Redoc shows one sample for each language. */
export function samplesFor(operationId: string, examples: readonly DocumentedExample[], baseUrl: string): Sample[] {
  const first = examples.find((example) => example.operationId === operationId);
  if (first === undefined) throw new Error(`${operationId}: expected an example in the contract to make code samples from`);
  return samplesOf({ operationId, ...first.request }, baseUrl, first.response.status >= 300);
}

/**
 * Lists all operations and workflows before the first heading of the contract's description: Redoc renders an operation only when it
 * is opened, so that the first screen would otherwise name none. Throws if a workflow calls an unknown operation.
 */
export function withLists(contract: Contract, workflows: readonly Workflow[]): Contract {
  const operations = operationsOf(contract);
  const routes = new Map(operations.map((operation) => [operation.operationId, routeOf(operation)]));
  const calls = ({ file, steps }: Workflow): string[] =>
    steps.map(({ operationId }) => {
      const route = routes.get(operationId);
      if (route === undefined) throw new Error(`${file} calls ${operationId}, which the contract does not have`);
      return `[${operationId}](${route})`;
    });
  const lists = [
    "Download: [openapi.yaml](../openapi.yaml), [openapi.json](../openapi.json), [decisions](../decisions.md)",
    "## Operations",
    operations.map(({ operationId, summary }) => `- [${operationId}](${routes.get(operationId)}): ${summary}`).join("\n"),
    "## Workflows",
    workflows.map((one) => `- ${one.summary}: ${calls(one).join(", then ")} ([Arazzo](../workflows/${one.file}))`).join("\n"),
  ].join("\n\n");
  const { description } = contract.info;
  const heading = /^## /m.exec(description)?.index ?? description.length;
  const parts = [description.slice(0, heading).trim(), lists, description.slice(heading)];
  return { ...contract, info: { ...contract.info, description: parts.join("\n\n").trim() } };
}

/**
 * Replaces each `x-decision` by words in the description beside it, with a link to the decision. Beside a `$ref` the description of the
 * referenced schema is repeated, because a description next to a reference replaces it.
 */
export function withDecisions(contract: Contract, choices: Choices, page: string): Contract {
  const words = (id: string): string => {
    const choice = choices.get(id);
    if (choice === undefined) throw new Error(`the contract names ${id}, which DECISIONS.md does not have`);
    return `> The document is silent here; we chose: ${choice} [${id}](${page}#${id.toLowerCase()})`;
  };
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (!isNode(value)) return value;
    const { "x-decision": id, ...members } = value;
    const node = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, rewritten(member)]));
    if (typeof id !== "string") return node;
    return { ...node, description: `${textOf(resolved(contract, value)["description"])}\n\n${words(id)}`.trim() };
  };
  // A decision at the root concerns the whole contract, so that it belongs to the introduction.
  const { "x-decision": ofRoot, ...rest } = contract as Contract & { "x-decision"?: string };
  const { info, ...others } = rewritten(rest) as Contract;
  if (ofRoot === undefined) return { info, ...others };
  return { ...others, info: { ...info, description: `${info.description}\n\n${words(ofRoot)}` } };
}

/** Adds "(optional)" to the name of the key's security scheme: Redoc shows the names of schemes, but not that the contract also allows none. */
function withOptionalKey(contract: Contract): Contract {
  const { security, components } = contract as Contract & { security?: unknown; components?: unknown };
  const alternatives = Array.isArray(security) ? security.filter(isNode) : [];
  if (!alternatives.some((alternative) => Object.keys(alternative).length === 0)) return contract;
  const renamed = (node: object): object =>
    Object.fromEntries(Object.entries(node).map(([name, value]) => [`${name} (optional)`, value]));
  const { securitySchemes, ...others } = nodeOf(components);
  return {
    ...contract,
    ...{ security: alternatives.map(renamed), components: { ...others, securitySchemes: renamed(nodeOf(securitySchemes)) } },
  };
}

function mapOperations(contract: Contract, change: (operation: OperationObject) => OperationObject): Contract {
  const isOperation = (value: unknown): value is OperationObject => isNode(value) && "operationId" in value;
  const paths = Object.entries(contract.paths).map(([path, item]) => {
    const changed = Object.entries(item).map(([name, value]) => [name, isOperation(value) ? change(value) : value] as const);
    return [path, Object.fromEntries(changed)] as const;
  });
  return { ...contract, paths: Object.fromEntries(paths) };
}
