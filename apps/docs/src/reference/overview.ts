/** Makes the overview of the reference: base URL, key, limits, envelope, errors, and the pages of the operations. */
import { readFileSync } from "node:fs";
import { info, operations } from "@chain-query/openapi/operations";
import type { LinkNames } from "../markdown/links.ts";
import { type MarkdownPage, markdownPage } from "../pages/markdown-page.ts";
import { html, raw } from "../site/html.ts";
import { referencePath, wholeContractPath } from "../site/page.ts";

/** The members of the OpenAPI document that the pages use or change. */
export interface Contract {
  servers: readonly object[];
  paths: Record<string, Record<string, object>>;
  components: { securitySchemes: Record<string, { name: string; description: string }> };
}

/** Parses the document of the contract's package, without the enum that repeats a const: Redoc would show the value twice. */
export function readContract(): Contract {
  const text = readFileSync(new URL(import.meta.resolve("@chain-query/openapi/openapi.json")), "utf8");
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === "object" && value !== null && "const" in value ? { ...value, enum: undefined } : value,
  );
}

/** What the API reads, and what it cannot do. */
export const introduction: string = (info.description.split(/^## /m)[0] ?? "").trim().replaceAll("\n", " ");

/** The key and the limit, in one line of text. */
export const authentication: string = (() => {
  const [scheme] = Object.values(readContract().components.securitySchemes);
  return `Authentication: none, or a key in the header ${scheme?.name}. One request per second without a key.`;
})();

/**
 * Leads from an address that operations had in Redoc at this path, such as `#/blocks/lookupblock`, `#operation/lookupBlock` or
 * `#lookupBlock`, to the page of the operation, and from Redoc's other routes to Redoc.
 */
const deepLinkScript = `{const ids=${JSON.stringify(operations.map(({ id }) => id))},
go=()=>{const at=location.hash.toLowerCase().split(/[#/]/),id=ids.find(one=>at.includes(one.toLowerCase()));
if(id)location.replace(id+"/");else if(location.hash.startsWith("#/"))location.replace("all/"+location.hash)};
go();addEventListener("hashchange",go)}`;

/** Makes the page from the contract. */
export function overviewPage(names: LinkNames): MarkdownPage {
  const [, envelope = ""] = /^## Envelope\n([\s\S]*?)^## /m.exec(info.description) ?? [];
  const responses = new Map(operations.flatMap((one) => one.responses.map((each) => [each.status, each] as const)));
  const limit = responses.get("429");
  const limiting = Object.entries(limit?.headers ?? {}).filter(([name]) => /^(Retry-After|RateLimit)/.test(name));
  const headers = limiting.map(([name, { description }]) => `- \`${name}\`: ${description}`);
  const statuses = [...responses.keys()].filter((status) => Number(status) >= 400).sort();
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort();
  const listOf = (tag: string) =>
    operations.filter((one) => one.tag === tag).map(({ id, summary }) => `- [\`${id}\`](operation:${id}): ${summary}`);
  const text = [
    "# API reference",
    introduction,
    `[The whole contract on one page](site:${wholeContractPath}), as [openapi.yaml](site:openapi.yaml) and as [openapi.json](site:openapi.json).`,
    `${authentication} See [Keys and limits](keys-and-limits.md).`,
    "## Base URL",
    `The samples use the mock on your machine; replace its address by that of a deployment. Paths begin with \`/api/v2\`.\n\n\`\`\`text\n${info.baseUrl}\n\`\`\``,
    "## What you cannot do: send transactions, run get methods, list tokens",
    "The API only reads: it takes no signed messages or transfers, runs no get methods, and knows no tokens, such as jettons and NFTs. Use a gateway or a lite client of your network for these.",
    "## Limits",
    `${limit?.description} The status is [429](site:errors/#429), with these headers:\n\n${headers.join("\n")}`,
    "## Envelope",
    envelope.trim(),
    "## Errors",
    `A failure has one of the statuses ${statuses.map((status) => `[${status}](site:errors/#${status})`).join(", ")}, or [another](site:errors/#other-statuses). [The error catalogue](site:errors/) has the reasons and advice.`,
    "## Operations",
    ...tags.flatMap((tag) => [`### ${tag}`, listOf(tag).join("\n")]),
    "What the source document leaves open is decided in the [decisions](site:decisions/). Tasks of more than one call are [workflows](site:workflows/).\n",
  ].join("\n\n");
  const source = "openapi/openapi.yaml";
  const made = markdownPage({ text, file: "src/reference/overview.ts", source, path: referencePath }, names);
  const head = html`<script>${raw(deepLinkScript)}</script>`;
  const description = `${info.summary}: base URL, key, limits, envelope, errors and every operation.`;
  return { ...made, page: { ...made.page, description, head, area: "Reference", section: "Reference" } };
}
