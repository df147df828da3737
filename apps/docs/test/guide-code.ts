/** The code blocks of the guides. */
import { readdirSync, readFileSync } from "node:fs";
import { defaultOptions } from "../src/site/options.ts";

export interface GuideCode {
  /** "quick-start.md:12", the line of its first line. */
  place: string;
  language: "ts" | "sh";
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

function fencesOf(name: string, markdown: string): { place: string; language: string; text: string; end: number }[] {
  return [...markdown.matchAll(/^```(\S*)\n(.*?)^```$/gms)].map((found) => ({
    place: `${name}:${markdown.slice(0, found.index).split("\n").length + 1}`,
    language: found[1] ?? "",
    text: found[2] ?? "",
    end: found.index + found[0].length,
  }));
}

/** The blocks of one text. */
export function codeOf(name: string, markdown: string): GuideCode[] {
  const fences = fencesOf(name, markdown);
  return fences.flatMap(({ place, language, text, end }, index) => {
    if (language !== "ts" && language !== "sh") return [];
    const next = fences[index + 1];
    const directly = next && markdown.slice(end).startsWith(`\n\n\`\`\`${next.language}\n${next.text}`);
    const printed = directly && /^(text|json)$/.test(next.language) ? next : undefined;
    const needsClient = language === "ts" && /\bchain[.,)]/.test(text) && !/\bchain = /.test(text);
    return {
      place,
      language,
      code: text,
      program: needsClient ? `${start}\n${text}` : text,
      file: /^\/\/ (\S+\.m?ts)\n/.exec(text)?.[1],
      printed,
    };
  });
}

/** Whether an output matches the expected one, in which … matches any text. */
export function printsAs(shown: string, output: string): boolean {
  const parts = shown.trim().split("…");
  let rest = output.trim();
  if (!rest.startsWith(parts[0] ?? "") || !rest.endsWith(parts.at(-1) ?? "")) return false;
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at === -1) return false;
    rest = rest.slice(at + part.length);
  }
  return parts.length > 1 || rest === "";
}
