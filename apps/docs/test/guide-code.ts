/** The code blocks of the guides. */
import { readdirSync, readFileSync } from "node:fs";
import { codeBlocks } from "@chain-query/testing/markdown";
import { defaultOptions } from "../src/site/options.ts";

export interface GuideCode {
  /** "quick-start.md:12", the line of its first line. */
  place: string;
  /** ts or sh. */
  language: string;
  /** The block. */
  code: string;
  /** The block as a program: with the statements that create the client, if it needs them. */
  program: string;
  /** Path of the file, if its first line names one. */
  file: string | undefined;
  /** The expected output, if a block with it follows. */
  printed: { language: string; text: string } | undefined;
}

const start = `import { createClient } from "@chain-query/client";

const chain = createClient({ baseUrl: "http://127.0.0.1:4010" });
`;

/** All blocks that a reader can run. */
export function guideCode(folder: URL = defaultOptions.guides): GuideCode[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .flatMap((name) => codeOf(name, readFileSync(new URL(name, folder), "utf8")));
}

/** The blocks of one text. */
export function codeOf(name: string, markdown: string): GuideCode[] {
  return codeBlocks(markdown, "ts", "sh").map(({ language, text, line, printed }) => {
    const needsClient = language === "ts" && /\bchain[.,)]/.test(text) && !/\bchain = /.test(text);
    return {
      place: `${name}:${line}`,
      language,
      code: text,
      program: needsClient ? `${start}\n${text}` : text,
      file: /^\/\/ (\S+\.m?ts)\n/.exec(text)?.[1],
      printed: printed?.isDirect ? printed : undefined,
    };
  });
}
