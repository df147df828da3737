/** Makes the landing page, as HTML and as Markdown, and the page for unknown addresses. */
import { readFileSync } from "node:fs";
import { operations } from "@chain-query/openapi/operations";
import { codeBlock, renderDrawing } from "../markdown/figures.ts";
import { markdownLink } from "../markdown/links.ts";
import { authentication, introduction } from "../reference/overview.ts";
import { type Html, html, raw } from "../site/html.ts";
import { operationPath, type Page } from "../site/page.ts";

/** The code on the page, which the tests run. */
const landingCode = {
  commands: "npx @chain-query/mock\nnpm install @chain-query/client\n",
  program: readFileSync(new URL("../assets/first-program.ts.txt", import.meta.url), "utf8"),
  printed: "840 active\n1555000001 40863\n1199000001 3821312\n",
};

const title = "Read a blockchain node over HTTP";
const reads = introduction.replaceAll("`", "");
const lead = `${reads} A typed client, a mock, a playground and a conformance test, all generated from one OpenAPI file.`;

/** Entry points by kind of reader. */
const readers = [
  {
    who: "You write an app",
    what: "A client for browsers, Node.js, Deno, Bun and workers: typed, with retries, paging and a rate limit already on.",
    links: [
      ["guides/quick-start/", "Quick start"],
      ["client/", "The client"],
    ],
  },
  {
    who: "You write tests",
    what: "A mock with documented responses, errors and delays on demand, and fakes for your test runner.",
    links: [
      ["guides/testing/", "Testing your app"],
      ["playground/", "Playground"],
    ],
  },
  {
    who: "You run a deployment",
    what: "A server to host, and a check for any deployment: each failure comes with a curl command.",
    links: [
      ["guides/live-network/", "On a live network"],
      ["guides/conformance/", "Testing a deployment"],
    ],
  },
  {
    who: "You want the details",
    what: "Every input, response and error with examples, and design notes.",
    links: [
      ["reference/", "Reference"],
      ["decisions/", "Decisions"],
    ],
  },
] as const;

/** Makes the page. */
export function landingPage(): Page {
  const flow = raw(renderDrawing(new URL("../assets/flow.svg", import.meta.url), ""));
  return {
    path: "",
    title,
    description: `${reads} ${authentication}`,
    layout: "landing",
    source: "apps/docs/src/pages/landing.ts",
    headings: [],
    markdown: landingMarkdown(),
    main: html`<section class="hero"><div class="pitch">
<h1>${title}</h1>
<p class="lead">${lead}</p>
<p class="terms">${authentication}</p>
<p class="actions"><a class="button primary" href="guides/quick-start/">Start in five minutes</a><a class="button" href="reference/">Open the reference</a></p>
${codeBlock(landingCode.commands, "sh")}
</div><div class="program">${codeBlock(landingCode.program, "ts")}${codeBlock(landingCode.printed, "text", true)}</div></section>
<section class="readers"><h2>Where to start</h2><ul>${readers.map(
      ({ who, what, links }) =>
        html`<li><h3>${who}</h3><p class="what">${what}</p><p class="links">${links.map(([to, name]) => html`<a href="${to}">${name}</a>`)}</p></li>`,
    )}</ul></section>
<section><h2>Eight operations</h2><div class="operations">${[...new Set(operations.map(({ tag }) => tag))].sort().map(operationGroup)}</div></section>
<section class="flow"><h2>One source for everything</h2>
<p class="section-lead">The contract is written by hand. Types, client, mock and these pages are generated from it.</p>${flow}</section>`,
  };
}

function operationGroup(tag: string): Html {
  const entries = operations
    .filter((operation) => operation.tag === tag)
    .map(({ id, summary }) => html`<li><a href="${operationPath(id)}"><code>${id}</code></a><span>${summary}</span></li>`);
  return html`<div><h3>${tag}</h3><ul>${entries}</ul></div>`;
}

function landingMarkdown(): string {
  const link = (to: string): string => markdownLink("", to);
  const code = (language: string, text: string): string => `\`\`\`${language}\n${text}\`\`\``;
  return [
    `# Chain Query: ${title.toLowerCase().replace("http", "HTTP")}`,
    lead,
    authentication,
    code("sh", landingCode.commands),
    code("ts", landingCode.program),
    code("text", landingCode.printed),
    ...readers.map(
      ({ who, what, links }) => `## ${who}\n\n${what}\n\n${links.map(([to, name]) => `- [${name}](${link(to)})`).join("\n")}`,
    ),
    "## Eight operations",
    operations
      .map((operation) => `- [\`${operation.id}\`](${link(operationPath(operation.id))}): ${operation.summary}`)
      .join("\n"),
    "",
  ].join("\n\n");
}

/**
 * Makes the page for unknown addresses. Servers send it for addresses of any depth, so it needs a base element with the path of the published site. If the
 * site is served at another path, a script sets it to the folder docs/ in the address (a service serves the site there), or to the root of
 * the server.
 */
export function notFoundPage(siteUrl: string): Page {
  const base = new URL(siteUrl).pathname;
  return {
    path: "404.html",
    title: "There is no such page",
    description: "There is no page at this address. It links to the guides and the reference.",
    layout: "landing",
    headings: [],
    markdown: undefined,
    base: raw(`<base href="${base}" /><script>
{const b=document.querySelector("base");if(!location.pathname.startsWith(b.getAttribute("href")))b.href=/^.*?\\/docs\\//.exec(location.pathname)?.[0]??"/"}
</script>`),
    main: html`<section class="not-found prose">
<p class="number" aria-hidden="true">404</p>
<h1>There is no such page</h1>
<p class="lead">The page may have moved, or the address has a typing error.</p>
<p class="scripted"><button type="button" class="search-field" data-open-search>Search guides, client and operations</button></p>
<p class="actions"><a class="button primary" href="./">To the start</a> <a class="button" href="reference/">To the reference</a></p>
</section>`,
  };
}
