/** The built site as files. The build itself refuses broken links. */
import { readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as client from "@chain-query/client";
import { decisions, info, operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { createSearch, type SearchEntry } from "../src/client-scripts/search/find.ts";
import { advice } from "../src/pages/errors.ts";
import { readPolicy } from "../src/site/content-policy.ts";
import { defaultSiteUrl as base } from "../src/site/options.ts";
import { readSite } from "./built-site.ts";

const site = await readSite();
const documents = new Map(await Promise.all(site.documents.map(async (path) => [path, await site.text(path)] as const)));
/** All but the page for unknown addresses. */
const pages = [...documents].filter(([path]) => path !== "404.html");
const addressOf = (path: string): string => base + path.replace(/index\.html$/, "");
const attribute = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1] ?? "";
const withoutScripts = (html: string): string => html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
/** Addresses that a page loads by itself. */
const loaded = (html: string): string[] =>
  [...html.matchAll(/<(?!a\b|base\b)[a-z][^>]*?\s(?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);

describe("every page", () => {
  test("has a language, one heading, a unique title, a description and a skip link", () => {
    for (const [path, html] of documents) {
      expect(html, path).toMatch(/^<!doctype html>\s*<html lang="en"/);
      expect(attribute(html, /<meta name="description" content="([^"]*)"/), path).toMatch(/^.{20,}$/);
      expect(withoutScripts(html).match(/<h1[ >]/g), path).toHaveLength(1);
      expect(html, path).toMatch(/<body[^>]*>\s*<a class="skip" href="#main">[\s\S]*<(main|div) id="main" tabindex="-1"/);
    }
    const titles = [...documents.values()].map((html) => attribute(html, /<title>([^<]*)<\/title>/));
    expect(new Set(titles).size).toBe(titles.length);
  });

  test("has a canonical address, a card and a Markdown version", () => {
    for (const [path, html] of pages) {
      expect(attribute(html, /<link rel="canonical" href="([^"]*)"/), path).toBe(addressOf(path));
      expect(attribute(html, /<meta property="og:image" content="([^"]*)"/), path).toBe(`${base}social-card.png`);
      const version = attribute(html, /<link rel="alternate" type="text\/markdown" href="([^"]*)"/);
      expect(site.files, path).toContain(posix.join(posix.dirname(path), version));
    }
  });

  test("loads only files of the site, and has a policy that allows no others", () => {
    for (const [path, html] of documents) {
      const outside = loaded(withoutScripts(html)).filter(
        (address) => /^(https?:)?\/\//.test(address) && !address.startsWith(base),
      );
      expect(outside, path).toEqual([]);
      const policy = readPolicy(html) ?? "";
      expect(policy, path).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(policy, path).not.toMatch(/script-src[^;]*(unsafe-inline|https?:|data:)|unsafe-eval|\*/);
      // Redoc writes style attributes.
      expect(policy.includes("unsafe-inline"), path).toBe(path === "reference/all/index.html");
      // Only the playground may send a key, to the address that the reader enters.
      expect(/connect-src 'self';/.test(policy), path).toBe(path !== "playground/index.html");
      expect(withoutScripts(html), path).not.toMatch(/<[^>]+\son[a-z]+=/i);
    }
  });

  test("has one address of the service in all its samples, also as Markdown, which no script replaces", async () => {
    const entities: Readonly<Record<string, string>> = { "&quot;": '"', "&#34;": '"', "&#x3A;": ":", "&amp;": "&" };
    const textOf = (html: string): string =>
      withoutScripts(html)
        .replaceAll(/<[^>]+>/g, "")
        .replaceAll(/&[#\w]+;/g, (entity) => entities[entity] ?? entity);
    const addressesIn = (text: string): string[] =>
      [
        ...text.matchAll(
          /(https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?)(?=\/api\/v2\/)|baseUrl: "(https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?)"/g,
        ),
      ].map(([, called, configured]) => called ?? configured ?? "");
    // Their readers start services of their own.
    const operators = new Set(["guides/scale-out/index.html", "guides/live-network/index.html"]);
    let samples = 0;
    for (const [path, html] of pages.filter(([each]) => !operators.has(each))) {
      const version = attribute(html, /<link rel="alternate" type="text\/markdown" href="([^"]*)"/);
      const found = [textOf(html), await site.text(posix.join(posix.dirname(path), version))].flatMap(addressesIn);
      samples += found.length;
      expect([...new Set(found)], path).toEqual(found.length > 0 ? ["http://127.0.0.1:4010"] : []);
    }
    expect(samples).toBeGreaterThan(50);
    const scripts = await Promise.all(
      site.files.filter((file) => file.endsWith(".js")).map(async (file) => [file, await site.text(file)]),
    );
    const configured = scripts.filter(([, script]) => script?.includes("service.json")).map(([file]) => file);
    expect(configured).toEqual([expect.stringMatching(/^assets\/playground\./)]);
  });

  test("has no broken links", () => {
    for (const [path, html] of documents) {
      const lost = [...withoutScripts(html).matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].filter(([, address = ""]) => {
        // Redoc prerenders routes as paths; the script of the page rewrites them. The 404 page has a base element.
        if (/^(https?:|\/)/.test(address) || path === "404.html") return false;
        const [file = "", fragment] = address.replace(/\?[^#]*/, "").split("#");
        const joined = posix.join(posix.dirname(path), file);
        const target = file === "" ? path : file.endsWith("/") || joined === "." ? posix.join(joined, "index.html") : joined;
        return !site.files.includes(target) || (!!fragment && !documents.get(target)?.includes(` id="${fragment}"`));
      });
      expect(
        lost.map(([, address]) => address),
        path,
      ).toEqual([]);
    }
  });

  test("names a file of the repository to edit, if it has one", async () => {
    const repository = fileURLToPath(new URL("../../../", import.meta.url));
    const edited = pages.map(([, html]) => attribute(html, /\/chain-query\/edit\/main\/([^"]*)"/)).filter(Boolean);
    expect(edited.length).toBeGreaterThan(pages.length - 4);
    for (const file of edited) expect((await stat(join(repository, file))).isFile(), file).toBe(true);
  });
});

test("each operation has a page, a link on the landing page, and a link first to the whole contract", () => {
  for (const { id } of operations) {
    expect(documents.get("index.html")).toContain(`<a href="reference/${id}/"><code>${id}</code>`);
    expect(documents.get(`reference/${id}/index.html`)).toMatch(
      /<ul class="page-actions"><li><a href="\.\.\/\.\.\/reference\/all\/"/,
    );
  }
});

test("the landing page is at most 100 kB compressed, and the whole contract at most 800 kB, of which 100 kB before the first paint", async () => {
  const sizeOf = async (path: string, all: readonly string[]): Promise<number> => {
    const parts = await Promise.all(all.map((file) => readFile(join(site.folder, posix.dirname(path), file))));
    return [Buffer.from(documents.get(path) ?? ""), ...parts].reduce((sum, part) => sum + gzipSync(part).length, 0);
  };
  const landing = documents.get("index.html") ?? "";
  const files = loaded(landing).filter((address) => /^(assets\/|favicon)/.test(address));
  expect(files.length).toBeGreaterThanOrEqual(3);
  expect(await sizeOf("index.html", files)).toBeLessThan(100_000);
  const whole = "reference/all/index.html";
  const assets = [...new Set(documents.get(whole)?.match(/(?:\.\.\/)+assets\/[\w.-]+\.(?:js|css)/g))];
  expect(assets.some((file) => file.includes("redoc"))).toBe(true);
  expect(
    await sizeOf(
      whole,
      assets.filter((file) => file.endsWith(".css")),
    ),
  ).toBeLessThan(100_000);
  expect(
    await sizeOf(
      whole,
      assets.filter((file) => !/search/.test(file)),
    ),
  ).toBeLessThan(800_000);
});

describe("for programs", () => {
  test("each page has a Markdown version, whose links lead to others", async () => {
    const versions = site.files.filter((file) => file.endsWith(".md"));
    expect(versions).toHaveLength(pages.length);
    for (const version of versions) {
      const text = await site.text(version);
      expect(text, version).toMatch(/^# /);
      expect(text, version).not.toMatch(/\]\((operation|decision|client|site):|\.svg\)/);
      const targets = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/\]\((?!https:|#)([^)#?]+)/g)];
      const lost = targets.filter(([, to = ""]) => {
        const file = posix.join(posix.dirname(version), to);
        return !site.files.includes(file.endsWith("/") ? `${file}index.html` : file);
      });
      expect(
        lost.map(([, to]) => to),
        version,
      ).toEqual([]);
    }
  });

  test("llms.txt and the sitemap list all pages, and llms-full.txt has them", async () => {
    const listed = [...(await site.text("llms.txt")).matchAll(/\]\((\S+?)\)/g)].map(([, address = ""]) => address);
    const versions = site.files.filter((file) => file.endsWith(".md") && file !== "index.md");
    expect(listed.sort()).toEqual([...versions, "openapi.yaml"].map((file) => base + file).sort());
    const whole = await site.text("llms-full.txt");
    for (const version of versions) expect(whole).toContain((await site.text(version)).trim());
    const addresses = [...(await site.text("sitemap.xml")).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
    expect(addresses.sort()).toEqual(pages.map(([path]) => addressOf(path)).sort());
    expect(await site.text("robots.txt")).toContain(`Sitemap: ${base}sitemap.xml`);
  });

  test.each(["openapi.yaml", "openapi.json"])("%s is that of the contract's package", async (name) => {
    expect(await site.text(name)).toBe(
      await readFile(fileURLToPath(import.meta.resolve(`@chain-query/openapi/${name}`)), "utf8"),
    );
  });
});

describe("texts of the contract", () => {
  test("decisions have an id each, and list where the contract names them", () => {
    const html = documents.get("decisions/index.html") ?? "";
    for (const { id } of decisions) expect(html).toContain(`<h2 id="${id.toLowerCase()}">${id} `);
    expect(html).toMatch(/id="d-12">[\s\S]*?Where:<\/strong> <a href="\.\.\/reference\/lookupBlock\/"/);
  });

  test("the compatibility rules are in their guide", async () => {
    const rules = /## Compatibility\n\n([\s\S]*)$/.exec(info.description)?.[1]?.trim() ?? "none";
    expect(await site.text("guides/compatibility.md")).toContain(rules);
  });
});

const errors = await site.text("errors.md");
/** The text of an entry of the catalogue of errors. */
const entry = (heading: string): string => errors.split(/^### /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";
const classes = Object.entries<unknown>({ ...client }).flatMap(([name, value]) =>
  typeof value === "function" && value.prototype instanceof Error ? [{ name, Class: value }] : [],
);

describe("catalogue of errors", () => {
  test.for(classes)("has the place to which a $name links, with advice", ({ name, Class }) => {
    const error: object = Reflect.construct(Class, ["went wrong", { operation: "lookupBlock", attempts: 1 }]);
    const code = String(Reflect.get(error, "code"));
    expect(Reflect.get(error, "docs")).toBe(`${base}errors/#${code}`);
    expect(documents.get("errors/index.html")).toContain(` id="${code}"`);
    expect(entry(code)).toContain(`[\`${name}\`](client/api.md#${name.toLowerCase()})`);
    expect(entry(code)).toContain(advice[code]?.split(/[[`]/)[0]);
  });

  test("has each status of the contract with its texts and the code of the client, and advice for no other code", () => {
    for (const { status, description, examples } of operations.flatMap(({ responses }) => responses)) {
      if (!(Number(status) >= 400)) continue;
      expect(entry(status)).toContain(description);
      for (const { value } of Object.values(examples ?? {}))
        expect(entry(status)).toContain(Reflect.get(Object(value), "error"));
    }
    expect(entry("429")).toMatch(/\[`RATE_LIMIT`\]\(errors.md#RATE_LIMIT\), after retries/);
    expect(entry("404")).toMatch(/\[`NOT_FOUND`\]\(errors.md#NOT_FOUND\), without a retry/);
    expect(Object.keys(advice).filter((code) => entry(code) === "")).toEqual([]);
  });
});

describe("the client", () => {
  const { exports } = JSON.parse(site.packageJson("@chain-query/client"));
  test.for(Object.keys(exports).filter((path) => path !== "./package.json"))(
    "%s has each export on a page, with a sentence",
    async (path) => {
      const name = path.slice(2);
      const page = await site.text(`client/api${name && `/${name}`}.md`);
      const names = Object.keys(await import(`@chain-query/client${name && `/${name}`}`));
      expect(names.length).toBeGreaterThan(0);
      for (const each of names) expect(page).toMatch(new RegExp(`^## ${each}\n\n[A-Z\`\\d].{10,}`, "m"));
    },
  );

  test("has a page for each section of its README", () => {
    for (const section of ["options", "errors", "histories"]) expect(site.files).toContain(`client/${section}/index.html`);
  });
});

const index: SearchEntry[] = JSON.parse(
  await site.text(site.files.find((file) => /^assets\/search\.\w+\.json$/.test(file)) ?? ""),
);
const search = createSearch(index);
const found = (words: string, limit: number): string[] => search(words, limit).map(({ entry: { path } }) => path);

describe("search", () => {
  test.for([
    ["pagination", /history/],
    ["quota", /keys-and-limits/],
    ["nanoton", /glossary\/#nano/],
    ["boc", /glossary\/#bag-of-cells-boc/],
    ["polling", /#send-fewer-requests|#read-the-head|head/],
    ["opentelemetry", /^client\/(?!api)/],
    ["tanstack", /^client\/.*tanstack/],
    ["golang", /reference\//],
    ["swagger", /openapi\.yaml/],
    ["token", /reference\/#what-you-cannot-do/],
    ["bearer", /keys-and-limits/],
    ["cancel", /abort|timeouts/],
    ["retires", /retr/],
    ["send transaction", /reference\/#what-you-cannot-do/],
    ["jetton", /#what-you-cannot-do/],
    ["how do I paginate", /history/],
    ["compatability", /guides\/compatibility/],
  ] as const)("finds the pages for %s", ([words, wanted]) => {
    expect(found(words, 3).join(" ")).toMatch(wanted);
  });

  test.for([
    ["lookupBlock", "reference/lookupBlock/"],
    ["D-07", "decisions/#d-07"],
    ["404", "errors/#404"],
    ["createclient", "client/api/#createclient"],
    ["parseAddress", "client/api/address/#parseaddress"],
  ] as const)("has %s first, whose name it is", ([words, path]) => {
    expect(found(words, 1)).toEqual([path]);
  });

  test.for(operations.map(({ id, summary }) => [summary, id] as const))("finds an operation for: %s", ([summary, id]) => {
    expect(found(summary, 5)).toContain(`reference/${id}/`);
  });
});
