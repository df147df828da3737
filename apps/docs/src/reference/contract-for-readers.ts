/** The copy of the contract that the reference shows, with lists, decisions, code samples and links added to its descriptions. */
import { operations } from "@chain-query/openapi/operations";
import { type Contract, documentedExamples, routeOf, serverUrl } from "../contract/contract.ts";
import type { Choices } from "../contract/decisions.ts";
import type { Workflow } from "../contract/workflows.ts";
import { type Sample, samplesOf } from "../samples/samples.ts";

const decisionsPage = "../decisions/";
const playgroundPage = "../playground/";

/** Makes the copy. The files for download stay as the contract's package has them. */
export function contractForReaders(contract: Contract, workflows: readonly Workflow[], choices: Choices): Contract {
  // Redoc takes a URL that begins with a variable for a relative one.
  const baseUrl = serverUrl(contract);
  const served = { ...contract, servers: contract.servers.map((server) => ({ ...server, url: baseUrl, variables: {} })) };
  const { paths, ...rest } = withLists(withDecisions(withOptionalKey(served), choices, decisionsPage), workflows);
  const described = Object.entries(paths).map(([path, item]) => {
    const methods = Object.entries(item).map(
      ([method, operation]) => [method, forReaders(Object(operation), baseUrl)] as const,
    );
    return [path, Object.fromEntries(methods)] as const;
  });
  return { ...rest, paths: Object.fromEntries(described) };
}

/** Adds the id, which Redoc does not show by itself, a link to the playground, and code samples. */
function forReaders(operation: { operationId: string; description: string }, baseUrl: string): object {
  const { operationId, description } = operation;
  return {
    ...operation,
    description: `\`${operationId}\` [Try it](${playgroundPage}?operation=${operationId})\n\n${description}`,
    "x-codeSamples": samplesFor(operationId, baseUrl),
  };
}

/** The samples of the operation's first example: Redoc shows one sample for each language. */
function samplesFor(operationId: string, baseUrl: string): Sample[] {
  const first = documentedExamples.find((example) => example.operationId === operationId);
  if (first === undefined) throw new Error(`${operationId}: expected an example in the contract to make code samples from`);
  return samplesOf({ operationId, ...first.request }, baseUrl, first.response.status >= 300);
}

/**
 * Lists all operations and workflows before the first heading of the contract's description: Redoc renders an operation only when it
 * is opened, so that the first screen would otherwise name none. Throws if a workflow calls an unknown operation.
 */
export function withLists(contract: Contract, workflows: readonly Workflow[]): Contract {
  const routes = new Map(operations.map((operation) => [String(operation.id), routeOf(operation)]));
  const calls = ({ file, steps }: Workflow): string[] =>
    steps.map(({ operationId }) => {
      const route = routes.get(operationId);
      if (route === undefined) throw new Error(`${file} calls ${operationId}, which the contract does not have`);
      return `[${operationId}](${route})`;
    });
  const lists = [
    "Download: [openapi.yaml](../openapi.yaml), [openapi.json](../openapi.json), [decisions](../decisions.md)",
    "## Operations",
    operations.map(({ id, summary }) => `- [${id}](${routes.get(id)}): ${summary}`).join("\n"),
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
  const { "x-decision": ofRoot, ...rest } = contract;
  const text = JSON.stringify(rest, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("x-decision" in value)) return value;
    const { "x-decision": id, ...node } = value;
    const { description, $ref } = node as { description?: string; $ref?: string };
    const referenced = contract.components.schemas[$ref?.split("/").at(-1) ?? ""];
    return { ...node, description: `${description ?? referenced?.description ?? ""}\n\n${words(String(id))}`.trim() };
  });
  const { info, ...others }: Contract = JSON.parse(text);
  // A decision at the root concerns the whole contract, so that it belongs to the introduction.
  const introduction = ofRoot === undefined ? info.description : `${info.description}\n\n${words(ofRoot)}`;
  return { ...others, info: { ...info, description: introduction } };
}

/** Adds "(optional)" to the name of the key's security scheme: Redoc shows the names of schemes, but not that the contract also allows none. */
function withOptionalKey(contract: Contract): Contract {
  const { security, components } = contract;
  if (!security.some((alternative) => Object.keys(alternative).length === 0)) return contract;
  const renamed = <T>(node: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(node).map(([name, value]) => [`${name} (optional)`, value]));
  return {
    ...contract,
    security: security.map(renamed),
    components: { ...components, securitySchemes: renamed(components.securitySchemes) },
  };
}
