/** The copy of the contract that the reference shows; the files for download stay as the contract's package has them. */
import { type Contract, withOperationList, withServerDefaults } from "./contract.ts";
import { type Choices, withDecisions } from "./contract-decisions.ts";
import type { DocumentedExample } from "./contract-examples.ts";
import { mapOperations } from "./contract-operations.ts";
import { withSamples } from "./contract-samples.ts";
import { withOptionalKey } from "./contract-security.ts";
import { type Workflow, withWorkflows } from "./workflows.ts";

/** What goes into the copy besides the contract. */
export interface Additions {
  workflows: readonly Workflow[];
  examples: readonly DocumentedExample[];
  choices: Choices;
}

/** Paths of the pages that the reference links to, from where it lies itself. */
const pages = { decisions: "../decisions/", playground: "../playground/" };

/** Adds lists, decisions, code samples and links to the playground. */
export function contractForReaders(contract: Contract, { workflows, examples, choices }: Additions): Contract {
  const listed = withOptionalKey(withServerDefaults(withWorkflows(withOperationList(contract), workflows)));
  const decided = withDecisions(listed, choices, pages.decisions);
  const sampled = withSamples(decided, examples, decided.servers[0]?.url ?? "");
  return withNames(sampled);
}

/** Says each operation's name, which Redoc keeps to itself, and where to try it. */
function withNames(contract: Contract): Contract {
  return mapOperations(contract, ({ operationId, description, ...operation }) => ({
    operationId,
    ...operation,
    description: `\`${operationId}\` [Try it](${pages.playground}?operation=${operationId})\n\n${description}`,
  }));
}
