/** Builds the playground: its page, its scripts, the service worker of its mock, and its forms, which come from the contract. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type DocumentedExample, type Input, info, type Operation, operations } from "@chain-query/openapi/operations";
import { operationPath } from "../reference/routes.ts";
import { apiKeyOf } from "../samples/request.ts";
import { bundled, hashedAsset, styleTargets } from "../site/assets.ts";
import { servicePath } from "../site/options.ts";
import type { SiteFile, SitePart } from "../site/page.ts";
import { playgroundPage } from "./page.ts";
import type { PlaygroundExample, PlaygroundField, PlaygroundOperation } from "./page-data.ts";

const scriptsFolder = fileURLToPath(new URL("../client-scripts/", import.meta.url));

/** Returns the page of the playground and its files. */
export async function buildPlayground(): Promise<SitePart> {
  const { script, mock, style } = await playgroundAssets();
  const page = playgroundPage({
    operations: playgroundOperations(),
    baseUrl: info.baseUrl,
    paths: { script: script.path, mock: mock.path, style: style.path },
  });
  const files = [
    script,
    mock,
    style,
    // The scope of a service worker is its folder, so that this one serves only the playground.
    {
      path: "playground/mockServiceWorker.js",
      content: await readFile(new URL(import.meta.resolve("msw/mockServiceWorker.js"))),
    },
    // Empty in the build: no service is selected. `serveDocs` serves its own file at this path.
    { path: servicePath, content: "{}\n" },
  ];
  return { pages: [page], files };
}

async function playgroundAssets(): Promise<{ script: SiteFile; mock: SiteFile; style: SiteFile }> {
  const [script, mock, style] = await Promise.all([
    bundled({ entryPoints: [`${scriptsFolder}playground/main.ts`] }),
    bundled({
      // A classic script exports nothing, so this entry sets a global.
      stdin: {
        resolveDir: scriptsFolder,
        contents: `import { startInBrowserMock } from "./mock.ts"; globalThis.startInBrowserMock = startInBrowserMock;`,
      },
    }),
    bundled({
      entryPoints: [fileURLToPath(new URL("playground.css", import.meta.url))],
      target: styleTargets,
    }),
  ]);
  return {
    script: hashedAsset("playground", "js", script),
    mock: hashedAsset("in-browser-mock", "js", mock),
    style: hashedAsset("playground", "css", style),
  };
}

/** The form of every operation. */
export function playgroundOperations(): PlaygroundOperation[] {
  return operations.map((operation) => {
    const { id, summary, tag, method, path, inputs, oneOf, together, examples } = operation;
    return {
      operationId: id,
      summary,
      tag,
      method,
      path,
      reference: operationPath(id),
      fields: inputs.map((input) => fieldOf(input, operation)),
      oneOf: [...oneOf],
      together: [...together],
      examples: [
        ...examples.map((example) => exampleOf(example, examples)),
        ...otherExamples(operation).map((example) => exampleOf(example, examples)),
      ],
    };
  });
}

function fieldOf({ name, in: place, description, required }: Input, { examples }: Operation): PlaygroundField {
  // The contract often allows two types; the form sends the type of the examples.
  const values = examples.map(({ request }) => (place === "query" ? request.query : request.body)?.[name]);
  const type = typeof values.find((value) => value !== undefined);
  const about = /^.*?[.](?=\s|$)/s.exec(description)?.[0] ?? description;
  return { name, place, about, required, type: type === "number" || type === "boolean" ? type : "string" };
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

function exampleOf(
  { condition, summary, request, response }: DocumentedExample,
  all: readonly DocumentedExample[],
): PlaygroundExample {
  const key = apiKeyOf(request);
  const first = all.find((other) => JSON.stringify(other.request) === JSON.stringify(request));
  const values = Object.entries({ ...request.query, ...request.body }).map(([name, value]) => [name, String(value)]);
  return {
    condition,
    summary,
    status: response.status,
    values: Object.fromEntries(values),
    ...(key === undefined ? {} : { key }),
    // If several responses to one request are documented, a mock gives the first, unless the header selects another.
    ...(first?.condition === condition ? {} : { prefer: `code=${response.status}, example=${condition}` }),
  };
}
