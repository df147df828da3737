/** Contents of the built site: the search, the catalogue of errors, the exports of the client, and the files of the reference. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import * as client from "@chain-query/client";
import { operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { createSearch, type SearchEntry } from "../src/client-scripts/search/find.ts";
import { advice } from "../src/pages/errors.ts";
import { defaultSiteUrl } from "../src/site/options.ts";
import { fetched, readSite } from "./built-site.ts";

const site = await readSite();
/** The ids of the headings of a page. */
const headingsOf = async (path: string): Promise<string[]> =>
  [...(await site.text(path)).matchAll(/<h[1-6] id="([^"]*)"/g)].map(([, id = ""]) => id);

const script = await site.text(site.files.find((file) => /^assets\/search\.[0-9a-f]{16}\.js$/.test(file)) ?? "");
// The script ends with the call that gets the entries.
const entries: SearchEntry[] = runInNewContext(script.slice(script.indexOf('[{path:"guides/'), script.lastIndexOf("]") + 1));
const search = createSearch(entries);
/** Paths of the results, the best first. */
const paths = (words: string, limit = 12): string[] => search(words, limit).map(({ entry }) => entry.path);

describe("search", () => {
  test.for([
    ["pagination", /history/],
    ["cursor", /history|#cursor/],
    ["quota", /keys-and-limits/],
    ["throttle", /keys-and-limits/],
    ["rate limit", /keys-and-limits/],
    ["nano", /glossary\/#nano/],
    ["nanoton", /glossary\/#nano/],
    ["lt", /#logical-time/],
    ["boc", /glossary\/#bag-of-cells-boc/],
    ["CORS", /errors\/#CONNECTION|cors/],
    ["polling", /#send-fewer-requests|#read-the-head|head/],
    ["websocket", /watch|#d-31/],
    ["opentelemetry", /^client\/(?!api)/],
    ["tracing", /^client\/.*hooks/],
    ["tanstack", /^client\/.*tanstack/],
    ["react", /#page-in-react/],
    ["python", /reference\//],
    ["golang", /reference\//],
    ["swagger", /openapi\.yaml/],
    ["api key", /keys-and-limits/],
    ["token", /keys-and-limits/],
    ["backoff", /retries/],
    ["cancel", /abort|timeouts/],
    ["jest", /test/],
    ["bundle size", /^client\/.*size/],
    ["how do I paginate", /history/],
  ] as const)("finds the pages for %s", ([words, wanted]) => {
    expect(paths(words, 3).join(" ")).toMatch(wanted);
  });

  test.for(["react", "react query"])("does not take %s for a typing error of another word", (words) => {
    const first = search(words, 1)[0]?.entry;
    expect(`${first?.title} ${first?.text}`).toMatch(/\breact\b/i);
    expect(first?.text).not.toMatch(/\breach/i);
    expect(paths(words)[0]).toMatch(/^client\/|#page-in-react/);
  });

  test("allows typing errors where nothing else is found", () => {
    expect(paths("compatability")[0]).toBe("guides/compatibility/");
    expect(paths("xyzzy")).toEqual([]);
  });

  test.for([
    ["lookupBlock", "reference/lookupBlock/"],
    ["D-07", "decisions/#d-07"],
    ["404", "errors/#404"],
    ["createclient", "client/api/#createclient"],
    ["NotFoundError", "client/api/#notfounderror"],
    ["FakeFetch", "client/api/testing/#fakefetch"],
    ["parseAddress", "client/api/address/#parseaddress"],
  ] as const)("has %s first, whose name it is", ([words, path]) => {
    expect(paths(words)[0]).toBe(path);
  });

  test.for(operations.map(({ id, summary }) => [summary, id] as const))("finds an operation for: %s", ([summary, id]) => {
    expect(paths(summary, 5)).toContain(`reference/${id}/`);
  });

  test("shows the text around the matched words, or around their synonyms", () => {
    expect(search("throttle", 1)[0]?.excerpt).toMatch(/429|limit/i);
  });

  test("has an entry for each section of each page of the client", () => {
    const titles = new Set(entries.filter(({ path }) => path.startsWith("client/")).map(({ title }) => title));
    expect(titles.size).toBeGreaterThan(60);
    for (const title of ["createClient", "ClientOptions", "createQueries", "toRawAddress", "handlers"])
      expect(titles).toContain(title);
  });
});

const text = await site.text("errors.md");
const ids = await headingsOf("errors/index.html");
/** The text of an entry. */
const entry = (heading: string): string => text.split(/^### /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";

const classes = Object.entries<unknown>({ ...client }).flatMap(([name, value]) =>
  typeof value === "function" && value.prototype instanceof Error ? [{ name, Class: value }] : [],
);

describe("error catalogue", () => {
  test("begins with codes that errors have, and ends its codes with that of the base class", () => {
    const codes = ids.slice(ids.indexOf("codes-of-the-client") + 1, ids.indexOf("statuses-of-the-api"));
    expect(codes).toHaveLength(classes.length);
    expect([codes.indexOf("NOT_FOUND") < codes.indexOf("API"), codes.at(-1)]).toEqual([true, "CHAIN_QUERY"]);
  });

  test.for(classes)("has the place to which a $name links, with advice", ({ name, Class }) => {
    const error: unknown = Reflect.construct(Class, ["went wrong", { operation: "lookupBlock", attempts: 1 }]);
    const code = String(Reflect.get(Object(error), "code"));
    expect(Reflect.get(Object(error), "docs")).toBe(`${defaultSiteUrl}errors/#${code}`);
    expect(ids).toContain(code);
    expect(entry(code)).toContain(`[\`${name}\`](client/api.md#${name.toLowerCase()})`);
    expect(advice[code]).toMatch(/\.$/);
  });

  test("has no advice for codes that do not exist", () => {
    expect(classes.length).toBeGreaterThan(10);
    expect(Object.keys(advice).filter((code) => !ids.includes(code))).toEqual([]);
  });

  test("has each status of the contract with its texts, and the code that it has in the client", () => {
    const responses = operations.flatMap((operation) => operation.responses).filter(({ status }) => Number(status) >= 400);
    expect(responses.length).toBeGreaterThan(0);
    for (const { status, description, examples } of responses) {
      expect(ids).toContain(status);
      expect(entry(status)).toContain(description);
      for (const { value } of Object.values(examples ?? {}))
        expect(entry(status)).toContain(Reflect.get(Object(value), "error"));
    }
    const codes = ["401", "403", "404", "422", "429", "500", "504"].map((status) => /\[`([A-Z_]+)`\]/.exec(entry(status))?.[1]);
    const expected = ["AUTHENTICATION", "AUTHENTICATION", "NOT_FOUND", "BAD_REQUEST", "RATE_LIMIT", "SERVER", "SERVER"];
    expect(codes).toEqual(expected);
    const retried = ["401", "404", "422", "429", "500", "504"].map((status) => entry(status).includes("after retries"));
    expect(retried).toEqual([false, false, false, true, false, true]);
  });
});

describe("the client", () => {
  const { exports } = JSON.parse(readFileSync(new URL(import.meta.resolve("@chain-query/client/package.json")), "utf8"));
  const names = Object.keys(exports).flatMap((path) => (path === "./package.json" ? [] : [path.slice(2)]));

  test.for(names)("has each export of /%s on a page", async (name) => {
    const path = `client/api/${name === "" ? "" : `${name}/`}`;
    const ids = await headingsOf(`${path}index.html`);
    const page = await site.text(`${path}index.html`);
    const specifier = name === "" ? "@chain-query/client" : `@chain-query/client/${name}`;
    const module: object = await import(specifier);
    expect(Object.keys(module).length).toBeGreaterThan(0);
    // Exports that another entry point has too are only named.
    const lost = Object.keys(module).filter(
      (each) => !ids.includes(each.toLowerCase()) && !page.includes(`<code>${each}</code>`),
    );
    expect(lost).toEqual([]);
  });

  test("has its types on a page", async () => {
    expect(await headingsOf("client/api/index.html")).toContain("clientoptions");
    expect(await headingsOf("client/api/testing/index.html")).toContain("fakefetch");
  });
});

describe("files of the reference", () => {
  test("have Redoc's script as its package has it, except for the address of its logo on another host", async () => {
    const [script = ""] = /assets\/redoc\.[0-9a-f]{16}\.js/.exec(await site.text("reference/index.html")) ?? [];
    const redocly = createRequire(import.meta.url).resolve("@redocly/cli/package.json");
    const original = readFileSync(join(redocly, "../lib/chunks/redoc.standalone.js"), "utf8");
    const logos = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;
    expect(original.match(logos)).toHaveLength(2);
    expect(await site.text(script)).toBe(original.replaceAll(logos, "data:,"));
  });

  const gzipped = (content: string): number => gzipSync(content, { level: 9 }).length;

  test("are at most 100 kB before the first paint and 800 kB in all", async () => {
    const page = await site.text("reference/index.html");
    const assets = [...new Set(page.match(/assets\/(site|reference|redoc)\.[0-9a-f]{16}\.(js|css)/g))];
    const sizes = await Promise.all(assets.map(async (file) => ({ file, size: gzipped(await site.text(file)) })));
    const sum = (some: typeof sizes): number => some.reduce((total, { size }) => total + size, gzipped(page));
    expect(assets).toHaveLength(4);
    expect(sum(sizes.filter(({ file }) => file.endsWith(".css")))).toBeLessThan(100_000);
    expect(sum(sizes)).toBeLessThan(800_000);
    // Redoc's script is loaded by the page's own, and nothing blocks the first paint but the style sheet.
    expect(fetched(page).filter((address) => address.includes("assets/redoc"))).toEqual([]);
    expect(page.match(/<script(?![^>]*\b(?:defer|type)\b)[^>]*\bsrc=/g)).toBeNull();
  });
});
