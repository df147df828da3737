/** The search over the real pages. */
import { describe, expect, test } from "vitest";
import { readWorkflows } from "../src/contract/workflows.ts";
import { createSearch } from "../src/in-page/search/find.ts";
import { defaultOptions } from "../src/site/options.ts";
import { searchEntries } from "../src/site/search.ts";
import { articlePages } from "../src/site.ts";

const entries = searchEntries(await articlePages(readWorkflows(), defaultOptions));
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
    ["tracing", /^client\/.*(trac|otel)/],
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
    ["lookupBlock", "reference/#/blocks/lookupblock"],
    ["D-07", "decisions/#d-07"],
    ["404", "errors/#404"],
    ["createclient", "client/api/#createclient"],
    ["NotFoundError", "client/api/#notfounderror"],
    ["FakeFetch", "client/api/testing/#fakefetch"],
    ["parseAddress", "client/api/address/#parseaddress"],
  ] as const)("has %s first, whose name it is", ([words, path]) => {
    expect(paths(words)[0]).toBe(path);
  });

  test("shows the text around the matched words, or around their synonyms", () => {
    expect(search("throttle", 1)[0]?.excerpt).toMatch(/429|limit/i);
  });

  test("has an entry for each section of each page of the client", () => {
    const titles = new Set(entries.filter(({ path }) => path.startsWith("client/")).map(({ title }) => title));
    expect(titles.size).toBeGreaterThan(60);
    for (const title of ["createClient", "ClientOptions", "otelHooks", "toRawAddress", "handlers"])
      expect(titles).toContain(title);
  });
});
