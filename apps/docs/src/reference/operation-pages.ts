/** Makes a page for each operation, which needs no script. */
import { info, type Operation, operations } from "@chain-query/openapi/operations";
import { codeBlock } from "../markdown/figures.ts";
import type { LinkNames } from "../markdown/links.ts";
import { type MarkdownPage, markdownPage } from "../pages/markdown-page.ts";
import { samplesOf } from "../samples/samples.ts";
import { type Html, html, raw } from "../site/html.ts";
import { operationPath, relativeLink } from "../site/page.ts";
import { exampleText, exchangeMark, type OperationSources, operationPageText, playgroundPath } from "./operation-text.ts";
import { authentication } from "./overview.ts";

/** Makes the pages, by tag as the sidebar has them. */
export function operationPages(sources: OperationSources, names: LinkNames): MarkdownPage[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort();
  return tags.flatMap((tag) =>
    operations.filter((operation) => operation.tag === tag).map((operation) => operationPage(operation, sources, names)),
  );
}

function operationPage(operation: Operation, sources: OperationSources, names: LinkNames): MarkdownPage {
  const { id, tag, summary, examples } = operation;
  const file = `openapi/paths/${id}.yaml`;
  const text = operationPageText(operation, sources);
  const made = markdownPage({ text, file, source: file, path: operationPath(id) }, names);
  const [first] = examples;
  if (first === undefined) throw new Error(`${id}: expected an example in the contract`);
  const main = raw(made.page.main.html.replace(`<p>${exchangeMark}</p>`, () => exchangeOf(operation).html));
  const markdown = made.page.markdown?.replace(exchangeMark, () => `${authentication}\n\n${exampleText(first)}`);
  // The search finds the page by its summary too, which the page leaves out.
  const sections = made.rendered.sections.map((section, index) =>
    index === 0 ? { ...section, text: `${summary}. ${tag}.${section.text}` } : section,
  );
  return {
    ...made,
    rendered: { ...made.rendered, sections },
    page: { ...made.page, area: "Reference", section: tag, main, markdown, headings: [] },
  };
}

/** The first example: its request in each language, and its response beside that. */
function exchangeOf({ id, method, path, examples: [first] }: Operation): Html {
  if (first === undefined) return html``;
  const { request, response, condition } = first;
  const samples = samplesOf({ operationId: id, ...request }, info.baseUrl, response.status >= 300);
  const choices = samples.map(
    ({ label }, index) =>
      html`<input type="radio" name="language of ${id}" id="language-${index}"${index === 0 && raw(" checked")} /><label for="language-${index}">${label}</label>`,
  );
  const blocks = samples.map(({ lang, label, source }) => codeBlock(source, lang.toLowerCase(), false, label));
  return html`<p class="endpoint"><code>${method} ${path}</code> <a class="button" href="${relativeLink(operationPath(id), playgroundPath(id, condition))}">Try it</a></p>
<p class="terms">${authentication}</p>
<div class="exchange">
<div class="samples" role="group" aria-label="Request">${choices}${blocks}</div>
<div class="response">${codeBlock(JSON.stringify(response.body, null, 2), "json", false, `Response ${response.status}`)}</div>
</div>`;
}
