/** Makes the page with the changelogs of all packages. */
import { existsSync, readFileSync } from "node:fs";
import { info } from "@chain-query/openapi/operations";
import type { LinkNames } from "../markdown/links.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

const packages = ["openapi", "types", "client", "mock", "conformance", "cli"].map((name) => `@chain-query/${name}`);

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
