/** The multi-call stories of the contract as a page. */

import type { Workflow } from "../contract/workflows.ts";
import type { LinkNames } from "../markdown/targets.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

const intro = `# Workflows

What takes more than one call, step by step. Each story is kept with the contract as an [Arazzo](https://spec.openapis.org/arazzo/)
document, which a runner can play against any deployment, and which is played against the mock whenever the contract changes.
`;

/** Tells each story. */
export function workflowsPage(workflows: readonly Workflow[], names: LinkNames): MarkdownPage {
  const stories = workflows.map(({ file, title, story, description, steps }) => {
    const calls = steps.map((step) => `1. [\`${step.operationId}\`](operation:${step.operationId}): ${step.description}`);
    return `## ${title}\n\n${story.trim()} ${description.trim()}\n\n${calls.join("\n")}\n\n[${file}](site:workflows/${file})\n`;
  });
  return markdownPage({ text: [intro, ...stories].join("\n"), file: "src/pages/workflows.ts", path: "workflows/" }, names);
}
