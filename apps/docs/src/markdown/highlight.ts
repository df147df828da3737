/** Code in colours, made when the site is built: classes and no style attributes, so that no policy has to be loosened. */
import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { escaped } from "../site/html.ts";

const theme = createCssVariablesTheme({ name: "classes", variablePrefix: "--", variableDefaults: {} });
const languages = ["typescript", "javascript", "shellscript", "json", "yaml", "http", "html"] as const;
const highlighter = await createHighlighterCore({
  themes: [theme],
  langs: languages.map((language) => import(`shiki/langs/${language}.mjs`)),
  engine: createJavaScriptRegexEngine(),
});
const known = new Set(highlighter.getLoadedLanguages());

/**
 * Highlights code; a language that is not known, such as text, is only escaped.
 *
 * @example
 * highlighted("const a = 1;", "ts"); // '<span class="c-keyword">const</span> …'
 */
export function highlighted(code: string, language: string): string {
  if (!known.has(language)) return escaped(code);
  const { tokens } = highlighter.codeToTokens(code, { lang: language as (typeof languages)[number], theme: theme.name ?? "" });
  return tokens.map((line) => line.map(({ content, color }) => colored(content, color)).join("")).join("\n");
}

/** The theme names variables such as `var(--token-keyword)`; the site's style sheet has a class for each. */
function colored(content: string, color: string | undefined): string {
  const kind = /^var\(--token-([a-z-]+)\)$/.exec(color ?? "")?.[1];
  return kind === undefined || content.trim() === "" ? escaped(content) : `<span class="c-${kind}">${escaped(content)}</span>`;
}
