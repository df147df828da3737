/** Makes the pages of the guides. */
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { info } from "@chain-query/openapi/operations";
import type { LinkNames } from "../markdown/links.ts";
import { type MarkdownPage, markdownPage } from "./markdown-page.ts";

const examples = new URL("../../../../examples/", import.meta.url);

/** Paths of the guides, keyed by file name. */
export function guidePaths(folder: URL): Record<string, string> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(files.sort().map((name) => [name, `guides/${name.slice(0, -3)}/`]));
}

/** Renders every guide of the folder. */
export function guidePages(names: LinkNames, folder: URL): MarkdownPage[] {
  return Object.entries(names.guides).map(([name, path]) => {
    const file = `guides/${name}`;
    const source = withoutPreviewNotes(readFileSync(new URL(name, folder), "utf8"), info.version);
    const text = insertExamples(insertContractSections(source, file));
    return markdownPage({ text, file, folder, path }, names);
  });
}

/** Removes the lines between `<!-- preview -->` and `<!-- /preview -->`, unless the version is a prerelease, such as 2.0.0-0. */
export function withoutPreviewNotes(text: string, version: string): string {
  return text.replaceAll(/^<!-- preview -->\n(.*?)^<!-- \/preview -->\n/gms, version.includes("-") ? "$1" : "");
}

/** Replaces `<!-- contract: Heading -->` by that section of the contract's description. */
function insertContractSections(text: string, file: string): string {
  return text.replaceAll(/^<!-- contract: (.+) -->$/gm, (_, heading: string) => {
    const sections = info.description.split(/^## /m);
    const section = sections.find((candidate) => candidate.startsWith(`${heading}\n`));
    if (section === undefined) throw new Error(`${file}: the contract's description has no section ${heading}`);
    return section.slice(heading.length).trim();
  });
}

/** Replaces `<!-- example: explorer/explorer.ts -->` by the code of that file below `examples/`. */
function insertExamples(text: string): string {
  return text.replaceAll(/^<!-- example: (.+) -->$/gm, (_, path: string) => {
    const code = readFileSync(new URL(path, examples), "utf8");
    return `\`\`\`${extname(path).slice(1)}\n${code}\`\`\``;
  });
}
