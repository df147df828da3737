/** Makes the page with the workflows of the contract. */

import type { Workflow } from "../contract/workflows.ts";
import type { LinkNames } from "../markdown/targets.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

const intro = `# Workflows

Tasks that take more than one call, step by step. Each workflow is an [Arazzo](https://spec.openapis.org/arazzo/) document of the
contract, which you can run against any deployment. Our tests run them against the mock.
`;

/** Makes the page. */
export function workflowsPage(workflows: readonly Workflow[], names: LinkNames): MarkdownPage {
  const sections = workflows.map(({ file, title, story, description, steps }) => {
    const calls = steps.map((step) => `1. [\`${step.operationId}\`](operation:${step.operationId}): ${step.description}`);
    return `## ${title}\n\n${story.trim()} ${description.trim()}\n\n${calls.join("\n")}\n\n[${file}](site:workflows/${file})\n`;
  });
  return markdownPage({ text: [intro, ...sections].join("\n"), file: "src/pages/workflows.ts", path: "workflows/" }, names);
}
