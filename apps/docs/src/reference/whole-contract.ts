/** Makes the page with the whole contract in Redoc: the page that `redocly build-docs` prerenders, below the header of the site. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { info, operations } from "@chain-query/openapi/operations";
import { parse as parseYaml } from "yaml";
import { samplesOf } from "../samples/samples.ts";
import { bundled, hashedAsset } from "../site/assets.ts";
import { html, raw } from "../site/html.ts";
import { type Page, wholeContractPath as path, referencePath, relativeLink, type SitePart } from "../site/page.ts";
import { exampleText } from "./operation-text.ts";
import { type Contract, readContract } from "./overview.ts";

const packageFolder = pathToFileURL(createRequire(import.meta.url).resolve("@redocly/cli/package.json"));
const redocScript = new URL("lib/chunks/redoc.standalone.js", packageFolder);
const configuration = fileURLToPath(new URL("redocly.yaml", import.meta.url));

/** Makes the page and its files. Its Markdown version has the pages of the operations, and all their examples. */
export async function wholeContract(pages: readonly Page[]): Promise<SitePart> {
  const definition = withSamples(readContract());
  const entry = fileURLToPath(new URL("../client-scripts/reference.ts", import.meta.url));
  const [{ styles, element }, script, options] = await Promise.all([
    rendered(definition),
    bundled({ entryPoints: [entry] }).then((text) => hashedAsset("reference", "js", text)),
    readFile(configuration, "utf8").then((text) => parseYaml(text).openapi),
  ]);
  // An empty address for a logo on Redoc's host: the policy would refuse it with an error on the console, and Redoc has no option.
  const logo = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[\w-]*\.svg/g;
  const redoc = hashedAsset("redoc", "js", (await readFile(redocScript, "utf8")).replaceAll(logo, "data:,"));
  const texts = pages.map(({ title, markdown = "" }) => {
    const [, ...others] = operations.find(({ id }) => id === title)?.examples ?? [];
    return [markdown.trim().replaceAll(/^#/gm, "##"), ...others.map(exampleText)].join("\n\n");
  });
  const page: Page = {
    path,
    title: "The whole contract",
    description: `${info.summary}: the whole contract on one page.`,
    layout: "reference",
    area: "Reference",
    section: "Reference",
    headings: [],
    markdown: [`# The whole contract\n\n${info.summary}. Version ${info.version}.`, ...texts, ""].join("\n\n"),
    head: html`${raw(styles)}\n<script defer src="${relativeLink(path, script.path)}"></script>`,
    // Redoc writes style attributes at run time and has an inline icon font.
    needs: { inlineStyles: true, font: ["data:"] },
    main: html`<noscript><p class="no-script">This page needs JavaScript. <a href="../">Each operation has a page</a> that does not, and the contract is here <a href="../all.md">as Markdown</a>.</p></noscript>
${raw(element)}
<script type="application/json" id="reference-data" data-redoc="${relativeLink(path, redoc.path)}" data-pages="${[referencePath, ...pages.map((one) => one.path)].map((to) => relativeLink(path, to)).join(" ")}">${raw(
      JSON.stringify({ definition, options }).replaceAll("<", "\\u003c"),
    )}</script>`,
  };
  return { pages: [page], files: [redoc, script] };
}

/** The contract with the samples of each operation's first example. */
function withSamples(contract: Contract): object {
  // Redoc takes a URL that begins with a variable for a relative one.
  contract.servers = [{ url: info.baseUrl }];
  for (const { id, method, path: at, examples } of operations) {
    const [first] = examples;
    if (first === undefined) throw new Error(`${id}: expected an example in the contract`);
    const samples = samplesOf({ operationId: id, ...first.request }, info.baseUrl, first.response.status >= 300);
    const name = method.toLowerCase();
    contract.paths[at] = { [name]: { ...contract.paths[at]?.[name], "x-codeSamples": samples } };
  }
  return contract;
}

/** The style elements and the element `#redoc` of the rendered page. It has only the introduction and the menu. */
async function rendered(contract: object): Promise<{ styles: string; element: string }> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-docs-"));
  try {
    const output = join(folder, "index.html");
    await writeFile(join(folder, "openapi.json"), JSON.stringify(contract));
    const command = fileURLToPath(new URL("bin/cli.js", packageFolder));
    const args = [command, "build-docs", "openapi.json", `--output=${output}`, `--config=${configuration}`];
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    const page = await readFile(output, "utf8");
    const [element] = /<div id="redoc">[\s\S]*?<\/div>(?=\s*<script type="module")/.exec(page) ?? [];
    if (element === undefined) throw new Error("redocly build-docs wrote a page without an element #redoc");
    return { styles: page.match(/<style data-styled[\s\S]*?<\/style>/g)?.join("\n") ?? "", element };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
