/** The copy of the contract that the reference shows, with lists, decisions, code samples and links added to its descriptions. */
import { readFileSync } from "node:fs";
import { decisions, info, type Operation, type OperationId, operations, operationsById } from "@chain-query/openapi/operations";
import type { Workflow } from "../pages/workflows.ts";
import { type Sample, samplesOf } from "../samples/samples.ts";
import { operationPath } from "./routes.ts";

const decisionsPage = "../decisions/";
const playgroundPage = "../playground/";

/** The members of the OpenAPI document that the copy changes. */
export interface Contract {
  info: { description: string };
  "x-decision"?: string;
  servers: readonly object[];
  security: readonly Readonly<Record<string, unknown>>[];
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  components: { securitySchemes: Readonly<Record<string, unknown>> };
  externalDocs?: unknown;
}

/** Parses the document of the contract's package, without the enum that repeats a const: Redoc would show the value twice. */
export function readContract(): Contract {
  const text = readFileSync(new URL(import.meta.resolve("@chain-query/openapi/openapi.json")), "utf8");
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === "object" && value !== null && "const" in value ? { ...value, enum: undefined } : value,
  );
}

/** Makes the copy. The files for download stay as the contract's package has them. */
export function contractForReaders(contract: Contract, workflows: readonly Workflow[]): Contract {
  // Redoc takes a URL that begins with a variable for a relative one.
  const servers = contract.servers.map((server) => ({ ...server, url: info.baseUrl, variables: {} }));
  const copy = withLists(withDecisions(withOptionalKey({ ...contract, servers })), workflows);
  const paths = operations.map((operation) => [operation.path, forReaders(operation, copy)] as const);
  // The reference is a part of the site to which the contract links.
  return { ...copy, paths: Object.fromEntries(paths), externalDocs: undefined };
}

/** Adds the id, which Redoc does not show by itself, links to its page and to the playground, and code samples. */
function forReaders({ id, method, path }: Operation, { paths }: Contract): Contract["paths"][string] {
  const operation = { description: "", ...paths[path]?.[method.toLowerCase()] };
  const description = `[\`${id}\`](../${operationPath(id)}) [Try it](${playgroundPage}?operation=${id})\n\n${operation.description}`;
  return { [method.toLowerCase()]: { ...operation, description, "x-codeSamples": samplesFor(id) } };
}

/** The samples of the operation's first example: Redoc shows one sample for each language. */
function samplesFor(operationId: OperationId): Sample[] {
  const [first] = operationsById[operationId].examples;
  if (first === undefined) throw new Error(`${operationId}: expected an example in the contract to make code samples from`);
  return samplesOf({ operationId, ...first.request }, info.baseUrl, first.response.status >= 300);
}

/**
 * Lists all operations and workflows before the first heading of the contract's description: Redoc renders an operation only when it
 * is opened, so that the first screen would otherwise name no operation. Throws if a workflow calls an unknown operation.
 */
export function withLists(contract: Contract, workflows: readonly Workflow[]): Contract {
  const known = new Set<string>(operations.map(({ id }) => id));
  const link = (id: string): string => `[${id}](../${operationPath(id)})`;
  const calls = ({ file, steps }: Workflow): string[] =>
    steps.map(({ operationId }) => {
      if (!known.has(operationId)) throw new Error(`${file} calls ${operationId}, which the contract does not have`);
      return link(operationId);
    });
  const lists = [
    "Download: [openapi.yaml](../openapi.yaml), [openapi.json](../openapi.json), [decisions](../decisions.md)",
    "## Operations",
    operations.map(({ id, summary }) => `- ${link(id)}: ${summary}`).join("\n"),
    "## Workflows",
    workflows.map((one) => `- ${one.summary}: ${calls(one).join(", then ")} ([Arazzo](../workflows/${one.file}))`).join("\n"),
  ].join("\n\n");
  const { description } = contract.info;
  const heading = /^## /m.exec(description)?.index ?? description.length;
  const parts = [description.slice(0, heading).trim(), lists, description.slice(heading)];
  return { ...contract, info: { ...contract.info, description: parts.join("\n\n").trim() } };
}

/** Replaces each `x-decision` by words in the description beside it, with a link to the decision. */
export function withDecisions(contract: Contract): Contract {
  const words = (id: string): string => {
    const decision = decisions.find((one) => one.id === id);
    if (decision === undefined) throw new Error(`the contract names ${id}, which DECISIONS.md does not have`);
    return `> The source document leaves this open; we chose: ${decision.chosen} [${id}](${decisionsPage}#${id.toLowerCase()})`;
  };
  const { "x-decision": ofRoot, ...rest } = contract;
  const text = JSON.stringify(rest, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("x-decision" in value)) return value;
    const { "x-decision": id, ...node } = value;
    const { description = "" } = node as { description?: string };
    return { ...node, description: `${description}\n\n${words(String(id))}`.trim() };
  });
  const copy: Contract = JSON.parse(text);
  if (ofRoot === undefined) return copy;
  // A decision at the root concerns the whole contract, so that it belongs to the introduction.
  return { ...copy, info: { ...copy.info, description: `${copy.info.description}\n\n${words(ofRoot)}` } };
}

/** Adds "(optional)" to the name of the key's security scheme: Redoc shows the names of schemes, but not that the contract also allows requests without a key. */
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
