/** Writes the API reference of an entry point of the client as Markdown. */
import type { EntryPoint, Exported, Member } from "./declarations.ts";

const groups: readonly { title: string; kind: Exported["kind"] }[] = [
  { title: "Functions", kind: "function" },
  { title: "Classes", kind: "class" },
  { title: "Constants", kind: "constant" },
  { title: "Types", kind: "type" },
];

/** Title of the page of an entry point, such as "API: client/address". */
function apiTitle({ specifier }: EntryPoint): string {
  return `API: ${specifier.replace(/^@[^/]+\//, "")}`;
}

/** Writes the page. `names` are the exports that links can have as targets. */
export function apiMarkdown(entry: EntryPoint, names: ReadonlySet<string>): string {
  const { specifier, exportedBy } = entry;
  const summary =
    exportedBy === undefined
      ? `Everything that \`${specifier}\` exports.`
      : `Exports of \`${exportedBy}\` that come from \`${specifier}\`.`;
  const exported = groups.flatMap(({ title, kind }) => {
    const members = entry.exports.filter((each) => each.kind === kind);
    return members.length === 0 ? [] : [`## ${title}`, ...members.map((each) => exportText(each, names))];
  });
  const repeated = entry.repeated.map((name) => nameLink(name, names)).join(", ");
  return [
    `# ${apiTitle(entry)}`,
    `${summary} ${entry.about}`,
    ...entry.examples,
    ...exported,
    ...(repeated === "" ? [] : ["## Also exported", `It also exports ${repeated}.`]),
    "",
  ].join("\n\n");
}

function exportText({ name, declaration, about, examples, members }: Exported, names: ReadonlySet<string>): string {
  const used = [...new Set(declaration.match(/[A-Za-z_]\w*/g))].filter((word) => word !== name && names.has(word));
  return [
    `### ${name}`,
    ...(about === "" ? [] : [withLinks(about, names)]),
    fence(declaration),
    ...(members.length === 0 ? [] : [members.map((member) => memberText(member, names)).join("\n")]),
    ...(used.length === 0 ? [] : [`See also ${used.map((word) => nameLink(word, names)).join(", ")}.`]),
    ...examples.map((example) => `Example:\n\n${withLinks(example, names)}`),
  ].join("\n\n");
}

function memberText({ name, about, examples }: Member, names: ReadonlySet<string>): string {
  const code = examples.filter((example) => example.includes("```"));
  const values = examples.filter((example) => !example.includes("```")).map((value) => ` Example: \`${value}\`.`);
  const text = [`\`${name}\`: ${withLinks(about.replaceAll(/\n+/g, " "), names)}${values.join("")}`, ...code].join("\n\n");
  return `- ${text.replaceAll("\n", "\n  ").replaceAll(/^ +$/gm, "")}`;
}

function fence(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

function nameLink(name: string, names: ReadonlySet<string>): string {
  return names.has(name) ? `[\`${name}\`](client:${name})` : `\`${name}\``;
}

/** Replaces `{@link name}` by a link. */
function withLinks(text: string, names: ReadonlySet<string>): string {
  return text.replaceAll(/\{@link (\S+?)(?:[ |]+([^}]*))?\}/g, (_, name: string) => nameLink(name, names));
}
