/** Texts of declarations: their comments as Markdown, and their TypeScript, which fits the column of the page. */
import { readFileSync } from "node:fs";
import ts from "typescript-api";

/** In characters. */
const longestLine = 76;
/** In lines. Longer declarations, such as that of the whole contract, are left to editors. */
export const longestDeclaration = 60;

const printer = ts.createPrinter({ removeComments: true });

/** The declaration without comments, without `export declare`, and without members that have no name or are internal. */
export function declarationText(node: ts.Node): string {
  const file = node.getSourceFile();
  const isShown = (member: ts.ClassElement): boolean =>
    !(member.name && ts.isComputedPropertyName(member.name)) && !isInternal(documentation(member));
  const shown = ts.isClassDeclaration(node)
    ? ts.factory.updateClassDeclaration(
        node,
        node.modifiers,
        node.name,
        node.typeParameters,
        node.heritageClauses,
        node.members.filter(isShown),
      )
    : node;
  const text = print(shown, file).replace(/^export (declare )?/, "");
  const lines = text.split("\n");
  if (lines.length > longestDeclaration) return `${lines[0]}\n  // ${lines.length - 2} lines\n${lines.at(-1)}`;
  return lines.some((line) => line.length > longestLine) ? wrapped(node, text) : text;
}

function print(node: ts.Node, file: ts.SourceFile): string {
  return printer
    .printNode(ts.EmitHint.Unspecified, node, file)
    .replaceAll(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

/** A line for each parameter of a function, each alternative of a union and each branch of a condition. */
function wrapped(node: ts.Node, text: string): string {
  const texts = (parts: readonly ts.Node[]): string[] => parts.map((part) => print(part, node.getSourceFile()));
  const replace = (part: string, lines: string): string => text.replace(part, () => lines);
  if (ts.isFunctionDeclaration(node)) {
    const parameters = texts(node.parameters);
    return replace(`(${parameters.join(", ")})`, `(\n${parameters.map((each) => `  ${each},\n`).join("")})`);
  }
  if (!ts.isTypeAliasDeclaration(node)) return text;
  const { type } = node;
  if (ts.isUnionTypeNode(type)) {
    const alternatives = texts(type.types);
    return replace(` ${alternatives.join(" | ")};`, `${alternatives.map((each) => `\n  | ${each}`).join("")};`);
  }
  if (!ts.isConditionalTypeNode(type)) return text;
  const [yes, no] = texts([type.trueType, type.falseType]);
  return replace(` ? ${yes} : ${no};`, `\n  ? ${yes}\n  : ${no};`);
}

/** The text and the examples of a comment, as Markdown. */
export interface Documentation {
  about: string;
  examples: string[];
}

/** The comment before a declaration. */
export function documentation(node: ts.Node): Documentation {
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  return parseComment(comment?.getText() ?? "");
}

/** The comment with the tag `@module`, which the compiler may leave out of the declarations. */
export function moduleDocumentation(source: URL): Documentation {
  const comments = readFileSync(source, "utf8").match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  return parseComment(comments.find((comment) => /^ \* @module/m.test(comment)) ?? "");
}

/** Whether a member is documented as no part of the API. */
export function isInternal({ about }: Documentation): boolean {
  return about.startsWith("Internal");
}

/** Parses a comment. Unlike the compiler's parser, it takes no `@` in the code of an example for a tag. */
function parseComment(comment: string): Documentation {
  const lines = comment
    .replaceAll(/^\/\*\*|\*\/$/g, "")
    .replaceAll(/^[ \t]*\* ?/gm, "")
    .split("\n");
  const parts = [{ tag: "", lines: [] as string[] }];
  let inCode = false;
  for (const line of lines) {
    if (line.startsWith("```")) inCode = !inCode;
    const [tag, name = ""] = (!inCode && /^@(\w+) ?/.exec(line)) || [];
    if (tag === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ tag: name, lines: [line.slice(tag.length)] });
  }
  const texts = (wanted: string): string[] =>
    parts.filter(({ tag }) => tag === wanted).map((part) => part.lines.join("\n").trim());
  return { about: texts("").join(), examples: texts("example") };
}
