/** Renders figures: highlighted code blocks and inline drawings. */
import { readFileSync } from "node:fs";
import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { escapeHtml, type Html, html, raw } from "../site/html.ts";

const theme = createCssVariablesTheme({ name: "classes", variablePrefix: "--", variableDefaults: {} });
const languages = ["typescript", "tsx", "javascript", "shellscript", "json", "yaml", "http", "html", "python", "go"] as const;
const highlighter = await createHighlighterCore({
  themes: [theme],
  langs: languages.map((language) => import(`shiki/langs/${language}.mjs`)),
  engine: createJavaScriptRegexEngine(),
});
const known = new Set(highlighter.getLoadedLanguages());

/** Highlights code. Unknown languages, such as text, are only escaped. */
export function highlightCode(code: string, language: string): string {
  if (!known.has(language)) return escapeHtml(code);
  const { tokens } = highlighter.codeToTokens(code, {
    lang: language as (typeof languages)[number],
    theme: theme.name ?? "",
    // By default a slow machine stops highlighting a line after 500 ms, so that builds would differ.
    tokenizeTimeLimit: 0,
  });
  return tokens.map((line) => line.map(({ content, color }) => colour(content, color)).join("")).join("\n");
}

/** The theme yields `var(--token-keyword)`; the style sheet has a class for each such token. */
function colour(content: string, color: string | undefined): string {
  const kind = /^var\(--token-([a-z-]+)\)$/.exec(color ?? "")?.[1];
  return kind === undefined || content.trim() === ""
    ? escapeHtml(content)
    : `<span class="c-${kind}">${escapeHtml(content)}</span>`;
}

const titles: Record<string, string> = {
  ts: "TypeScript",
  tsx: "TypeScript",
  js: "JavaScript",
  sh: "Shell",
  console: "Shell",
  json: "JSON",
  yaml: "YAML",
  http: "HTTP",
  python: "Python",
  go: "Go",
  text: "Text",
};

/** A code block with a title, by default the name of its language; `printed` marks the output of the block before. */
export function codeBlock(
  code: string,
  language: string,
  printed = false,
  title: string = printed ? "Output" : (titles[language] ?? language),
): Html {
  return html`<figure class="code${printed && " printed"}${(printed || language === "text") && " wraps"}"><figcaption>${title}</figcaption><pre tabindex="0"><code>${raw(highlightCode(code.replace(/\n$/, ""), language === "console" ? "sh" : language))}</code></pre></figure>`;
}

/** Renders a drawing as HTML. Throws if it has no title and description, which screen readers need. */
export function renderDrawing(file: URL, caption: string): string {
  const svg = readFileSync(file, "utf8").trim();
  const name = /([^/]+)\.svg$/.exec(file.pathname)?.[1] ?? "drawing";
  if (!/<title>[^<]+<\/title>\s*<desc>[^<]+<\/desc>/.test(svg)) throw new Error("expected a drawing with title and desc");
  const labelled = svg
    .replace("<svg ", `<svg role="img" aria-labelledby="${name}-title" aria-describedby="${name}-desc" `)
    .replace("<title>", `<title id="${name}-title">`)
    .replace("<desc>", `<desc id="${name}-desc">`);
  return html`<figure class="drawing" tabindex="0">${raw(labelled)}${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
    .html;
}

/** Describes a drawing by its caption and description. */
export function describeDrawing(file: URL, caption: string): string {
  const svg = readFileSync(file, "utf8");
  const description = /<desc>([^<]*)<\/desc>/.exec(svg)?.[1]?.replaceAll(/\s+/g, " ").trim() ?? "";
  return `> Drawing: ${caption}${/[.!?]$/.test(caption) ? "" : "."} ${description}`;
}
