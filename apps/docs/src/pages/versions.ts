/** Makes the page that lists the kept versions of the site. */
import { rcompare } from "semver";
import type { LinkNames } from "../markdown/targets.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

/** Makes the page. `kept` are the versions below v/ of the published site. */
export function versionsPage(version: string, kept: readonly string[], names: LinkNames): MarkdownPage {
  const newestFirst = [...kept].sort(rcompare);
  const items = newestFirst.map((one) => `- [${one}](site:v/${one}/)${one === version ? ", which is the latest" : ""}`);
  const list = items.length > 0 ? items.join("\n") : `- ${version}, which you are reading`;
  const text = `# Versions

These pages are of version ${version} of the contract. The pages of every released version are kept.

${list}

[The changelog](site:changelog/) says what changed between them, and [the compatibility policy](compatibility.md) what may change.
`;
  return markdownPage({ text, file: "src/pages/versions.ts", path: "versions/" }, names);
}
