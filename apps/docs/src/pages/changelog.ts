/** What changed from version to version, as the packages' own changelogs tell it. */
import { existsSync, readFileSync } from "node:fs";
import type { LinkNames } from "../markdown/targets.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

/** A package's changelog, or undefined where it has not had one yet. */
export interface PackageChanges {
  name: string;
  text: string | undefined;
}

const packages = ["openapi", "types", "client", "mock", "conformance"].map((name) => `@chain-query/${name}`);

/** Reads what changesets have written so far. */
export function readChanges(): PackageChanges[] {
  return packages.map((name) => {
    const file = new URL("CHANGELOG.md", import.meta.resolve(`${name}/package.json`));
    return { name, text: existsSync(file) ? readFileSync(file, "utf8") : undefined };
  });
}

/** Makes the page; packages without a change are named, so that their absence is no riddle. */
export function changelogPage(changes: readonly PackageChanges[], version: string, names: LinkNames): MarkdownPage {
  const written = changes.filter(({ text }) => text !== undefined);
  const told = written.map(({ name, text = "" }) => `## ${name}\n\n${below(text)}`);
  const none = `Nothing has changed since version ${version}, with which this record begins.`;
  const unchanged = changes.filter(({ text }) => text === undefined).map(({ name }) => `\`${name}\``);
  const rest = written.length > 0 && unchanged.length > 0 ? `## Without a change so far\n\n${unchanged.join(", ")}` : "";
  const text = `# Changelog

What changed for whoever uses one of the packages, newest first. The contract, its types and the client are released together
under one version; [the compatibility law](compatibility.md) says what a version may change.

${[...(told.length > 0 ? told : [none]), rest].join("\n\n")}
`;
  const slugs = headingIds();
  return markdownPage({ text, file: "src/pages/changelog.ts", path: "changelog/", idOf: slugs }, names);
}

/** The headings of a package's changelog, one level down and without its own title. */
function below(text: string): string {
  return text
    .replace(/^# .*\n+/, "")
    .replaceAll(/^##/gm, "###")
    .trim();
}

/** "2.1.0" below "@chain-query/client" is client-2-1-0, so that a version can be linked to. */
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
