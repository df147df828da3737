/** How a block of code looks. */
import { type Html, html, raw } from "../site/html.ts";
import { highlighted } from "./highlight.ts";

const titles: Record<string, string> = {
  ts: "TypeScript",
  js: "JavaScript",
  sh: "Shell",
  console: "Shell",
  json: "JSON",
  yaml: "YAML",
  http: "HTTP",
  text: "Text",
};

/** Draws code under the name of its language; what a program prints stands under it as its output. */
export function codeBlock(code: string, language: string, printed = false): Html {
  const title = printed ? "Output" : (titles[language] ?? language);
  return html`<figure class="code${printed && " printed"}"><figcaption>${title}</figcaption><pre tabindex="0"><code>${raw(highlighted(code.replace(/\n$/, ""), language === "console" ? "sh" : language))}</code></pre></figure>`;
}
