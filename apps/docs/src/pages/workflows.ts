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

/** Reads all workflows. Checks only the members that the site shows, since the contract's package validates the documents. */
export function readWorkflows(): Workflow[] {
  const files = readdirSync(workflowFolder).filter((name) => name.endsWith(".arazzo.yaml"));
  return files.sort().flatMap((file) => {
    const text = (object: unknown, member: string): string => {
      const value: unknown = Reflect.get(Object(object), member);
      if (typeof value !== "string") throw new Error(`${file}: expected a text ${member}`);
      return value;
    };
    const list = (object: unknown, member: string): unknown[] => {
      const value: unknown = Reflect.get(Object(object), member);
      if (!Array.isArray(value)) throw new Error(`${file}: expected a list ${member}`);
      return value;
    };
    const document = parse(readFileSync(new URL(file, workflowFolder), "utf8"));
    return list(document, "workflows").map((workflow) => ({
      file,
      title: text(document.info, "title"),
      introduction: text(document.info, "description"),
      summary: text(workflow, "summary"),
      description: text(workflow, "description"),
      steps: list(workflow, "steps").map((step) => ({
        operationId: text(step, "operationId"),
        description: text(step, "description"),
      })),
    }));
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
