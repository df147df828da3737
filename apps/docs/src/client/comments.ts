/** Reads comments of declarations. */
import { readFileSync } from "node:fs";
import ts from "typescript-api";

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
