/** Makes the pages with the changelogs of all packages, and with the released versions of the site. */
import { existsSync, readFileSync } from "node:fs";
import { info } from "@chain-query/openapi/operations";
import type { LinkNames } from "../markdown/links.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

const packages = ["openapi", "types", "client", "mock", "conformance"].map((name) => `@chain-query/${name}`);

/** Makes the page from the changelogs that changesets writes. It also lists packages without changes. */
export function changelogPage(names: LinkNames): MarkdownPage {
  const changes = packages.map((name) => {
    const file = new URL("CHANGELOG.md", import.meta.resolve(`${name}/package.json`));
    return {
      name,
      text: existsSync(file)
        ? readFileSync(file, "utf8")
            .replace(/^# .*\n+/, "")
            .replaceAll(/^##/gm, "###")
        : "",
    };
  });
  const sections = changes.map(
    ({ name, text }) => `## ${name}\n\n${text.trim() || `No changes since version ${info.version}.`}`,
  );
  const text = `# Changelog

Changes for users of the packages, newest first. The contract, its types and the client are released together
under one version; [the compatibility policy](compatibility.md) lists the allowed changes.

${sections.join("\n\n")}
`;
  return markdownPage({ text, file: "src/pages/changelog.ts", path: "changelog/" }, names);
}

/** Makes the page. Each version is deployed from its tag, below v/ of the published site. */
export function versionsPage(versions: readonly string[], siteUrl: string, names: LinkNames): MarkdownPage {
  const items = versions.map((version) => `- [${version}](${siteUrl}v/${version}/)`).join("\n");
  const text = `# Versions

These pages are of version ${info.version} of the contract. The pages of every released version are kept.

${items || `- ${info.version}, which you are reading`}

[The changelog](site:changelog/) lists the changes between them, and [the compatibility policy](compatibility.md) the allowed changes.
`;
  return markdownPage({ text, file: "src/pages/changelog.ts", path: "versions/" }, names);
}
