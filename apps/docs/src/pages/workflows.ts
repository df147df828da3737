/** Reads the workflows of the contract, which are Arazzo documents, and makes their page. */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import type { LinkNames } from "../markdown/links.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

/** A workflow and the operations that it calls, in order. */
export interface Workflow {
  /** File name. */
  file: string;
  /** Title of the document. */
  title: string;
  /** Description of the document. */
  introduction: string;
  summary: string;
  description: string;
  steps: { operationId: string; description: string }[];
}

export const workflowFolder: URL = new URL("workflows/", import.meta.resolve("@chain-query/openapi/package.json"));

/** The members of an Arazzo document that the site shows; the contract's package validates the documents. */
interface Arazzo {
  info: { title: string; description: string };
  workflows: { summary: string; description: string; steps: { operationId: string; description: string }[] }[];
}

/** Reads all workflows. */
export function readWorkflows(): Workflow[] {
  const files = readdirSync(workflowFolder).filter((name) => name.endsWith(".arazzo.yaml"));
  return files.sort().flatMap((file) => {
    const { info, workflows }: Arazzo = parse(readFileSync(new URL(file, workflowFolder), "utf8"));
    return workflows.map((one) => ({ ...one, file, title: info.title, introduction: info.description }));
  });
}

const intro = `# Workflows

Tasks that take more than one call, step by step. Each workflow is an [Arazzo](https://spec.openapis.org/arazzo/) document of the
contract, which you can run against any deployment. Our tests run them against the mock.
`;

/** Makes the page. */
export function workflowsPage(workflows: readonly Workflow[], names: LinkNames): MarkdownPage {
  const sections = workflows.map(({ file, title, introduction, description, steps }) => {
    const calls = steps.map((step) => `1. [\`${step.operationId}\`](operation:${step.operationId}): ${step.description}`);
    return `## ${title}\n\n${introduction.trim()} ${description.trim()}\n\n${calls.join("\n")}\n\n[${file}](site:workflows/${file})\n`;
  });
  return markdownPage({ text: [intro, ...sections].join("\n"), file: "src/pages/workflows.ts", path: "workflows/" }, names);
}
