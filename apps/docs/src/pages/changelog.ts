/** Makes the pages with the changelogs of all packages, and with the kept versions of the site. */
import { existsSync, readFileSync } from "node:fs";
import { rcompare } from "semver";
import type { LinkNames } from "../markdown/links.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

/** A package and its changelog, which is undefined before the first entry. */
interface PackageChanges {
  name: string;
  text: string | undefined;
}

const packages = ["openapi", "types", "client", "mock", "conformance"].map((name) => `@chain-query/${name}`);

/** Reads the changelogs that changesets writes. */
export function readChanges(): PackageChanges[] {
  return packages.map((name) => {
    const file = new URL("CHANGELOG.md", import.meta.resolve(`${name}/package.json`));
    return { name, text: existsSync(file) ? readFileSync(file, "utf8") : undefined };
  });
}

/** Makes the page. It also lists packages without changes. */
export function changelogPage(changes: readonly PackageChanges[], version: string, names: LinkNames): MarkdownPage {
  const changed = changes.filter(({ text }) => text !== undefined);
  const sections = changed.map(({ name, text = "" }) => `## ${name}\n\n${changelogBody(text)}`);
  const noChanges = `Nothing has changed since version ${version}, the first one in this changelog.`;
  const unchanged = changes.filter(({ text }) => text === undefined).map(({ name }) => `\`${name}\``);
  const rest = changed.length > 0 && unchanged.length > 0 ? `## Without changes\n\n${unchanged.join(", ")}` : "";
  const text = `# Changelog

Changes for users of the packages, newest first. The contract, its types and the client are released together
under one version; [the compatibility policy](compatibility.md) lists the allowed changes.

${[...(sections.length > 0 ? sections : [noChanges]), rest].join("\n\n")}
`;
  return markdownPage({ text, file: "src/pages/changelog.ts", path: "changelog/", idOf: headingIds() }, names);
}

/** The changelog without its title, headings one level down. */
function changelogBody(text: string): string {
  return text
    .replace(/^# .*\n+/, "")
    .replaceAll(/^##/gm, "###")
    .trim();
}

/** "2.1.0" below "@chain-query/client" gets the id client-2-1-0. */
function headingIds(): (heading: string) => string | undefined {
  let name = "";
  return (heading) => {
    const [, short] = /^@chain-query\/(.+)$/.exec(heading) ?? [];
    if (short !== undefined) {
      name = short;
      return short;
    }
    return /^\d+\.\d+\.\d+/.test(heading) ? `${name}-${heading.replaceAll(".", "-")}` : undefined;
  };
}

/** Makes the page. `kept` are the versions below v/ of the published site. */
export function versionsPage(version: string, kept: readonly string[], names: LinkNames): MarkdownPage {
  const newestFirst = [...kept].sort(rcompare);
  const items = newestFirst.map((one) => `- [${one}](site:v/${one}/)${one === version ? ", which is the latest" : ""}`);
  const list = items.length > 0 ? items.join("\n") : `- ${version}, which you are reading`;
  const text = `# Versions

These pages are of version ${version} of the contract. The pages of every released version are kept.

${list}

[The changelog](site:changelog/) lists the changes between them, and [the compatibility policy](compatibility.md) the allowed changes.
`;
  return markdownPage({ text, file: "src/pages/changelog.ts", path: "versions/" }, names);
}
