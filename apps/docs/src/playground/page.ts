/** Makes the playground: its page, whose forms come from the contract, its scripts, and the mock in the page. */
import { fileURLToPath } from "node:url";
import { type DocumentedExample, type Input, info, type Operation, operations } from "@chain-query/openapi/operations";
import { splitSentence } from "../reference/operation-text.ts";
import { apiKeyOf } from "../samples/request.ts";
import { sampleLabels } from "../samples/samples.ts";
import { bundled, hashedAsset, styleTargets } from "../site/assets.ts";
import { html, raw } from "../site/html.ts";
import { servicePath } from "../site/options.ts";
import { relativeLink, type SitePart } from "../site/page.ts";
import type { PlaygroundExample, PlaygroundField, PlaygroundOperation } from "./request.ts";

const path = "playground/";
const link = (to: string): string => relativeLink(path, to);
const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Makes the page and its files. */
export async function buildPlayground(): Promise<SitePart> {
  const [script, mock, style] = await Promise.all([
    bundled({ entryPoints: [fileOf("../client-scripts/playground.ts")] }).then((text) => hashedAsset("playground", "js", text)),
    bundled({ entryPoints: [fileOf("../client-scripts/mock.ts")], format: "esm" }).then((text) =>
      hashedAsset("mock", "js", text),
    ),
    bundled({ entryPoints: [fileOf("playground.css")], target: styleTargets }).then((text) =>
      hashedAsset("playground", "css", text),
    ),
  ]);
  const forms = operations.map(formOf);
  const languages = sampleLabels.map(
    (language, index) =>
      html`<label><input type="radio" name="language" value="${language}"${index === 0 && raw(" checked")} /><span>${language}</span></label>`,
  );
  const tags = [...new Set(operations.map(({ tag }) => tag))].map(
    (tag) =>
      html`<optgroup label="${tag}">${operations.filter((one) => one.tag === tag).map(({ id }) => html`<option>${id}</option>`)}</optgroup>`,
  );
  const main = html`<main class="playground">
  <h1>Playground</h1>
  <p class="lead">Send a request to any operation. You need no installation: the mock in this page responds with the examples of the contract. You can send it to a service instead.</p>
  <noscript><p>The playground needs JavaScript. The <a href="${link("reference/")}">pages of the operations</a> do not.</p></noscript>
  <form data-part="form" data-mock="${link(mock.path)}" autocomplete="off" novalidate hidden>
    <div class="field"><label for="operation">Operation</label><select id="operation" data-part="operation">${tags}</select></div>
    <div class="field"><label for="example">Example</label><select id="example" data-part="example"></select></div>
    <p data-part="target">To the mock in this page</p>
    <div class="actions"><button type="submit" class="primary" data-part="send">Send</button><button type="button" data-part="cancel" hidden>Cancel</button></div>
    <p><a data-part="reference" href="${link("reference/")}">In the reference</a></p>
    <fieldset><legend>Input</legend><div data-part="fields"></div></fieldset>
    <fieldset><legend>Service</legend>
      <label class="radio"><input type="radio" name="service" data-part="mock" checked /> The mock in this page</label>
      <label class="radio"><input type="radio" name="service" data-part="service" /> The service at</label>
      <div class="field"><input type="url" inputmode="url" data-part="base-url" aria-label="Base URL of the service" value="${info.baseUrl}" placeholder="${info.baseUrl}" spellcheck="false" /></div>
      <div class="field"><div><label for="key"><code>X-API-Key</code></label><span>optional</span></div>
      <input id="key" type="text" class="secret" data-part="key" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="about-key" />
      <small id="about-key">Sent only to the service above. The page does not store it.</small></div>
      <div class="field" data-part="prefer-row" hidden><div><label for="prefer"><code>Prefer</code></label><span>for mocks</span></div>
      <input id="prefer" type="text" data-part="prefer" autocomplete="off" spellcheck="false" aria-describedby="about-prefer" />
      <small id="about-prefer">Several responses to this request are documented. This header selects the one that a mock sends.</small></div>
    </fieldset>
  </form>
  <div class="results">
    <h2>Response</h2>
    <p class="outcome" role="status" data-part="outcome">No request sent yet.</p>
    <figure class="code" data-part="response" hidden><pre tabindex="0" aria-label="Body of the response"><code data-part="body"></code></pre></figure>
    <details data-part="headers" hidden><summary>Headers</summary><pre tabindex="0" aria-label="Headers of the response" data-part="header-list"></pre></details>
    <h2>Request</h2>
    <fieldset class="segments" data-part="languages"><legend class="unseen">Language</legend>${languages}</fieldset>
    <figure class="code"><pre tabindex="0" aria-label="The request as code"><code data-part="sample"></code></pre></figure>
  </div>
</main>
<script type="application/json" id="operations">${raw(JSON.stringify(forms).replaceAll("<", "\\u003c"))}</script>`;
  const links = operations.map(({ id, summary }) => `- [${id}](playground/?operation=${id}): ${summary}`);
  return {
    pages: [
      {
        path,
        title: "Playground",
        description: "Send requests to the mock in this page, to one on your machine or to any deployment.",
        layout: "reference",
        headings: [],
        markdown: `# Playground\n\nA page that sends requests. Links to its operations:\n\n${links.join("\n")}\n`,
        head: html`<link rel="stylesheet" href="${link(style.path)}" />\n<script defer src="${link(script.path)}"></script>`,
        // The reader enters the address of the service.
        needs: { connect: ["http:", "https:"] },
        main,
      },
    ],
    // Empty in the build: no service is selected. `serveDocs` serves its own file at this path.
    files: [script, mock, style, { path: servicePath, content: "{}\n" }],
  };
}

/** An operation as a form. */
export function formOf(operation: Operation): PlaygroundOperation {
  const { id, summary, tag, method, path: at, inputs, together, examples } = operation;
  const fields = inputs.map((input) => fieldOf(input, operation));
  return {
    ...{ operationId: id, summary, tag, method, path: at, fields, together: [...together] },
    examples: [...examples, ...otherExamples(operation)].map((example) => exampleOf(example, examples)),
  };
}

/** The responses that may follow any request, after the typical one. */
function otherExamples({ examples, responses }: Operation): DocumentedExample[] {
  const [typical] = examples;
  const all = responses.flatMap((response) => Object.entries(response.examples));
  const others = all.filter(([name]) => examples.every(({ condition }) => condition !== name));
  return others.flatMap(([condition, { summary, status }]) =>
    typical === undefined ? [] : [{ ...typical, condition, summary, response: { status, body: {} } }],
  );
}

function fieldOf({ name, in: place, description, required }: Input, { examples, oneOf }: Operation): PlaygroundField {
  // The contract often allows two types; the form sends the type of the examples.
  const values = examples.map(({ request }) => (place === "query" ? request.query : request.body)?.[name]);
  const type = typeof values.find((value) => value !== undefined);
  const others = oneOf.includes(name) ? oneOf.filter((other) => other !== name) : [];
  return {
    ...{ name, place, required, about: splitSentence(description)[0] },
    need: required ? "required" : others.length > 0 ? `or ${others.join(" or ")}` : "optional",
    type: type === "number" || type === "boolean" ? type : "string",
  };
}

function exampleOf(
  { condition, summary, request, response }: DocumentedExample,
  all: readonly DocumentedExample[],
): PlaygroundExample {
  const first = all.find((other) => JSON.stringify(other.request) === JSON.stringify(request));
  const values = Object.entries({ ...request.query, ...request.body }).map(([name, value]) => [name, String(value)]);
  return {
    ...{ condition, summary, status: response.status, values: Object.fromEntries(values), key: apiKeyOf(request) },
    // If several responses to one request are documented, a mock gives the first, unless the header selects another.
    ...(first?.condition === condition ? {} : { prefer: `code=${response.status}, example=${condition}` }),
  };
}
