/** Makes the page of the playground. */
import { sampleLabels } from "../samples/samples.ts";
import { type Html, html, raw } from "../site/html.ts";
import { type Page, relativeLink } from "../site/page.ts";
import { operationsId, type PlaygroundOperation } from "./page-data.ts";

/** Content of the page. */
interface PlaygroundContent {
  operations: readonly PlaygroundOperation[];
  /** Base URL in code samples until the reader enters one. */
  baseUrl: string;
  /** Paths of the loaded files, from the root of the site. */
  paths: { script: string; mock: string; style: string };
}

const path = "playground/";
const link = (to: string): string => relativeLink(path, to);

/** Makes the page. */
export function playgroundPage({ operations, baseUrl, paths }: PlaygroundContent): Page {
  return {
    path,
    title: "Playground",
    description: "Send requests to the mock in this page, to one on your machine or to any deployment.",
    layout: "reference",
    headings: [],
    markdown: playgroundMarkdown(operations),
    head: html`<link rel="stylesheet" href="${link(paths.style)}" />
    <script defer src="${link(paths.script)}"></script>`,
    // The reader enters the address of the service.
    needs: { connect: ["http:", "https:"], worker: ["'self'"] },
    main: html`<main class="playground">
  <h1>Playground</h1>
  <p class="lead">Send a request to any of the eight operations. You need no installation: the mock in this page responds with the examples of the contract.</p>
  <noscript><p>The playground needs JavaScript. The <a href="${link("reference.md")}">reference as Markdown</a> does not.</p></noscript>
  <form data-part="form" data-mock-script="${link(paths.mock)}" autocomplete="off" novalidate hidden>
    <div class="choices">
      <div class="field"><label for="operation">Operation</label><select id="operation" data-part="operation"></select></div>
      <div class="field"><label for="example">Example</label><select id="example" data-part="example"></select></div>
    </div>
    <div class="actions"><button type="submit" class="primary" data-part="send">Send</button><button type="button" data-part="cancel" hidden>Cancel</button></div>
    <p class="about"><a data-part="reference" href="${link("reference/")}">In the reference</a></p>
    <fieldset><legend>Input</legend><div data-part="fields"></div></fieldset>
    ${serviceChoice(baseUrl)}
  </form>
  <div class="exchange">
    <section aria-labelledby="response-title">
      <h2 id="response-title">Response</h2>
      <p class="outcome" role="status" data-part="outcome">No request sent yet.</p>
      <figure class="code" data-part="response" hidden><pre tabindex="0" aria-label="Body of the response"><code data-part="response-code"></code></pre></figure>
      <details data-part="headers" hidden><summary>Headers</summary><dl data-part="header-list"></dl></details>
    </section>
    <section aria-labelledby="request-title">
      <h2 id="request-title">Request</h2>
      ${languageChoice()}
      <figure class="code"><pre tabindex="0" aria-label="The request as code"><code data-part="sample-code"></code></pre></figure>
    </section>
  </div>
</main>
<script type="application/json" id="${operationsId}">${raw(JSON.stringify(operations).replaceAll("<", "\\u003c"))}</script>`,
  };
}

function serviceChoice(baseUrl: string): Html {
  return html`<fieldset>
      <legend>Service</legend>
      <label class="radio"><input type="radio" name="service" value="mock" data-part="mock" checked /> The mock in this page</label>
      <div class="address"><label class="radio"><input type="radio" name="service" value="service" data-part="service" /> The service at</label>
      <input type="url" inputmode="url" data-part="base-url" aria-label="Base URL of the service" value="${baseUrl}" placeholder="${baseUrl}" spellcheck="false" /></div>
      <div class="field"><div><label for="key"><code>X-API-Key</code></label><span class="need">optional</span></div>
      <input id="key" type="text" class="secret" data-part="key" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="about-key" />
      <small id="about-key">Sent only to the service above. The page does not store it.</small></div>
      <div class="field" data-part="prefer-row" hidden><div><label for="prefer"><code>Prefer</code></label><span class="need">for mocks</span></div>
      <input id="prefer" type="text" data-part="prefer" autocomplete="off" spellcheck="false" aria-describedby="about-prefer" />
      <small id="about-prefer">Several responses to this request are documented. This header selects the one that a mock sends.</small></div>
    </fieldset>`;
}

function languageChoice(): Html {
  const languages = sampleLabels.map(
    (language, index) =>
      html`<label><input type="radio" name="language" value="${language}"${index === 0 && raw(" checked")} /><span>${language}</span></label>`,
  );
  return html`<fieldset class="segments" data-part="languages"><legend class="unseen">Language</legend>${languages}</fieldset>`;
}

/** The Markdown version: links to each operation. */
function playgroundMarkdown(operations: readonly PlaygroundOperation[]): string {
  const links = operations.map(
    ({ operationId, summary }) => `- [${operationId}](playground/?operation=${operationId}): ${summary}`,
  );
  return ["# Playground", "", "A page that sends requests. Links to its operations:", "", ...links, ""].join("\n");
}
