import { readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { info, operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { readPolicy } from "../src/site/content-policy.ts";
import { fetched, leavesSite, linked, readSite } from "./built-site.ts";

const site = await readSite();
const documents = new Map(await Promise.all(site.documents.map(async (path) => [path, await site.text(path)] as const)));
/** All but the page for unknown addresses. */
const pages = (): [string, string][] => [...documents].filter(([path]) => path !== "404.html");

const source = (name: string): Promise<string> =>
  readFile(fileURLToPath(import.meta.resolve(`@chain-query/openapi/${name}`)), "utf8");
const base = "https://chain-query.github.io/chain-query/";
const addressOf = (path: string): string => base + path.replace(/index\.html$/, "");
/** The file of an address; that of a folder is its index page. */
const fileAt = (path: string): string => posix.normalize(path.endsWith("/") || path === "." ? `${path}/index.html` : path);
const attribute = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1] ?? "";

describe("every page", () => {
  test("is in this list", () => {
    const guides = ["account-history", "blocks-and-shards", "compatibility", "conformance", "errors-and-retries"];
    const more = ["following-a-message", "glossary", "keys-and-limits", "live-network", "local-lite-server", "migrating"];
    const last = ["quick-start", "recipes", "runbook", "scale-out", "service-reference", "testing"];
    const others = ["changelog", "decisions", "errors", "playground", "reference", "versions", "workflows"];
    const paths = [...documents.keys()];
    // The headings of its README and its entry points decide about the pages of the client.
    expect(paths.filter((path) => path.startsWith("client/")).length).toBeGreaterThan(10);
    expect(paths.filter((path) => !path.startsWith("client/")).sort()).toEqual(
      ["404.html", "index.html", ...[...guides, ...more, ...last].map((name) => `guides/${name}/index.html`)]
        .concat(operations.map(({ id }) => `reference/${id}/index.html`))
        .concat(others.map((name) => `${name}/index.html`))
        .sort(),
    );
  });

  test("has a language, a unique title and a description", () => {
    for (const [path, html] of documents) {
      expect(html, path).toMatch(/^<!doctype html>\s*<html lang="en"/);
      expect(attribute(html, /<meta name="description" content="([^"]*)"/), path).toMatch(/^.{20,}$/);
      expect(html.match(/<h1[ >]/g), path).toHaveLength(1);
    }
    const titles = [...documents.values()].map((html) => attribute(html, /<title>([^<]*)<\/title>/));
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.every((title) => title.includes("Chain Query"))).toBe(true);
  });

  test("has a canonical address, a Markdown version and a card", async () => {
    for (const [path, html] of pages()) {
      expect(attribute(html, /<link rel="canonical" href="([^"]*)"/), path).toBe(addressOf(path));
      const version = attribute(html, /<link rel="alternate" type="text\/markdown" href="([^"]*)"/);
      expect(site.files, path).toContain(posix.join(posix.dirname(path), version));
      expect(attribute(html, /<meta property="og:image" content="([^"]*)"/), path).toBe(`${base}social-card.png`);
      expect(attribute(html, /<meta property="og:url" content="([^"]*)"/), path).toBe(addressOf(path));
    }
  });

  test("loads only files of the site, by relative addresses", () => {
    for (const [path, html] of documents) {
      const addresses = fetched(html).filter((address) => !/^(data:|#)/.test(address) && address !== "/chain-query/");
      expect(
        addresses.filter((address) => leavesSite(address) && !address.startsWith(base)),
        path,
      ).toEqual([]);
      const files = addresses
        .filter((address) => !leavesSite(address))
        .map((address) => fileAt(posix.join(posix.dirname(path), address)));
      expect(
        files.filter((file) => !site.files.includes(file)),
        path,
      ).toEqual([]);
    }
  });

  test("has no broken links", () => {
    for (const [path, html] of documents) {
      const lost = linked(html).filter((address) => {
        if (leavesSite(address)) return false;
        // Redoc prerenders routes as paths; the script of the reference rewrites them.
        if (path === "reference/index.html" && address.startsWith("/")) return false;
        const [file = "", fragment] = address.split(/[?#]/);
        const target = file === "" ? path : fileAt(posix.join(posix.dirname(path), file));
        if (!site.files.includes(target)) return true;
        const ids = documents.get(target) ?? "";
        return address.includes("#") && fragment !== "" && !ids.includes(`id="${fragment}"`);
      });
      expect(lost, path).toEqual([]);
    }
  });

  test("follows from the landing page, if it is an article", () => {
    const neighbour = (path: string, pattern: RegExp): string | undefined => {
      const address = pattern.exec(documents.get(path) ?? "")?.[1];
      return address === undefined ? undefined : fileAt(posix.join(posix.dirname(path), address));
    };
    const seen: string[] = [];
    let path = neighbour("index.html", /<a\b[^>]*\shref="([^"]*)"[^>]*>Start in five minutes</);
    while (path !== undefined && !seen.includes(path)) {
      seen.push(path);
      path = neighbour(path, /<a class="next"[^>]*\shref="([^"]*)"/);
    }
    const articles = pages().flatMap(([each]) => (/^(index\.html|reference\/index|playground)/.test(each) ? [] : [each]));
    expect(seen.sort()).toEqual(articles.sort());
  });

  test("has a navigation of five entries, without the decisions", () => {
    for (const [path, html] of documents) {
      const entries = [...(/<nav aria-label="Site">([\s\S]*?)<\/nav>/.exec(html)?.[1]?.matchAll(/<a [^>]*>([^<]*)/g) ?? [])];
      expect(
        entries.map(([, title]) => title),
        path,
      ).toEqual(["Guides", "Client", "Reference", "Playground", "Changelog"]);
    }
  });

  test("links to other sites by https", () => {
    const outside = [...documents.values()].flatMap(linked).filter(leavesSite);
    expect(outside.filter((address) => !address.startsWith("https://"))).toEqual([]);
    expect(outside).toContain("https://redocly.com/redoc/");
  });

  test("has a policy that allows only scripts of the site and, except for the reference, only its own styles", () => {
    for (const [path, html] of documents) {
      const policy = readPolicy(html) ?? "";
      expect(policy, path).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(policy, path).not.toMatch(/script-src[^;]*(unsafe-inline|https?:|data:)|unsafe-eval|\*/);
      // Redoc writes style attributes.
      expect(policy.includes("unsafe-inline"), path).toBe(path === "reference/index.html");
      expect(html.replaceAll(/<script[\s\S]*?<\/script>/g, ""), path).not.toMatch(/<[^>]+\son[a-z]+=/i);
    }
    const asking = pages().filter(([, html]) => !/connect-src 'self';/.test(readPolicy(html) ?? ""));
    expect(asking.map(([path]) => path)).toEqual(["playground/index.html"]);
  });

  test("begins with a skip link", () => {
    for (const [path, html] of documents) {
      expect(html, path).toMatch(/<body[^>]*>\s*<a class="skip" href="#main">/);
      expect(html, path).toMatch(/<(main|div) id="main" tabindex="-1"/);
      expect(html.replaceAll(/<script[\s\S]*?<\/script>/g, "").match(/<main\b/g), path).toHaveLength(1);
    }
  });
});

describe("pages of the client", () => {
  test("have nouns of at most four words in the sidebar", () => {
    const sidebar = /<nav id="pages"[\s\S]*?<\/nav>/.exec(documents.get("client/index.html") ?? "")?.[0] ?? "";
    const titles = [...sidebar.matchAll(/<a [^>]*>([^<]*)/g)].map(([, title = ""]) => title);
    expect(titles).toEqual(expect.arrayContaining(["Errors", "Options", "Logs and hooks"]));
    expect(titles.filter((title) => title.split(" ").length > 4)).toEqual([]);
  });
});

describe("files of the site", () => {
  test("are there compressed too, if they are text of 1 kB or more", async () => {
    for (const file of site.files.filter(
      (name) => /\.(html|md|svg|txt|js|css|json|yaml|xml)$/.test(name) && !/redoc-classic/.test(name),
    )) {
      const { size } = await stat(join(site.folder, file));
      for (const end of [".br", ".gz"]) expect(site.files.includes(file + end), file + end).toBe(size >= 1_000);
    }
  });
});

describe("landing page", () => {
  test("names every operation", () => {
    for (const { id } of operations) expect(documents.get("index.html")).toContain(`>${id}</code>`);
  });

  test("is at most 100 kB compressed", async () => {
    const html = documents.get("index.html") ?? "";
    const files = fetched(html).filter((address) => /^(assets\/|favicon)/.test(address));
    expect(files.length).toBeGreaterThanOrEqual(3);
    const parts = await Promise.all(files.map((file) => readFile(join(site.folder, file))));
    const bytes = [Buffer.from(html), ...parts].reduce((sum, part) => sum + gzipSync(part).length, 0);
    expect(bytes).toBeLessThanOrEqual(100_000);
  });
});

describe("decisions", () => {
  test("have an id each, and list where the contract names them", async () => {
    const html = documents.get("decisions/index.html") ?? "";
    const numbers = [...(await source("DECISIONS.md")).matchAll(/^## (D-\d+)/gm)].map(([, number = ""]) => number);
    expect(numbers.length).toBeGreaterThanOrEqual(46);
    for (const number of numbers) expect(html).toContain(`<h2 id="${number.toLowerCase()}">${number} `);
    expect(html).toMatch(/id="d-12">[\s\S]*?Where:<\/strong> <a href="\.\.\/reference\/lookupBlock\/"/);
    expect(html).toMatch(/id="d-15">[\s\S]*?Where:<\/strong> <a href="\.\.\/reference\/getTransactionsStd\/"/);
  });
});

describe("compatibility rules", () => {
  test("is the contract's own text", async () => {
    const rules = /## Compatibility\n\n([\s\S]*)$/.exec(info.description)?.[1]?.trim() ?? "";
    expect(rules.length).toBeGreaterThan(100);
    expect(await site.text("guides/compatibility.md")).toContain(rules);
  });
});

describe("for programs", () => {
  test("has a Markdown version of each page, which links to others", async () => {
    const versions = site.files.filter((file) => file.endsWith(".md"));
    expect(versions).toHaveLength(pages().length);
    for (const version of versions) {
      const text = await site.text(version);
      expect(text, version).toMatch(/^# /);
      expect(text, version).not.toMatch(/\]\((operation|decision|client|site):|\.svg\)/);
      const targets = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/\]\((?!https:|#)([^)#]+)/g)].map(
        ([, to = ""]) => to,
      );
      const lost = targets.filter(
        (to) => !site.files.includes(fileAt(posix.join(posix.dirname(version), to.replace(/\?.*/, "")))),
      );
      expect(lost, version).toEqual([]);
    }
  });

  test("has every operation and schema in the Markdown version of the reference", async () => {
    const text = await site.text("reference.md");
    for (const { id } of operations) expect(text).toContain(`\n## ${id}\n`);
    expect(text).toContain("\n## chain.blockIdExt\n");
    expect(text).toContain("[D-12](decisions.md#d-12)");
    const anchors = new Set([...text.matchAll(/^## (.+)$/gm)].map(([, name = ""]) => name.toLowerCase().replaceAll(".", "")));
    for (const [, anchor = ""] of text.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
  });

  test("lists all pages in llms.txt and has them in one file", async () => {
    const list = await site.text("llms.txt");
    expect(list).toMatch(/^# Chain Query\n\n> /);
    const listed = [...list.matchAll(/\]\((\S+?)\)/g)].map(([, address = ""]) => address);
    const versions = site.files.filter((file) => file.endsWith(".md") && file !== "index.md");
    expect(listed.sort()).toEqual([...versions, "openapi.yaml"].map((file) => base + file).sort());
    const whole = await site.text("llms-full.txt");
    for (const version of versions) expect(whole).toContain((await site.text(version)).trim());
  });

  test("lists all pages in its sitemap, which robots.txt names", async () => {
    const sitemap = await site.text("sitemap.xml");
    const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
    expect(listed.sort()).toEqual(
      pages()
        .map(([path]) => addressOf(path))
        .sort(),
    );
    expect(await site.text("robots.txt")).toContain(`Sitemap: ${base}sitemap.xml`);
  });

  test("has a social card of 1200 by 630 pixels", async () => {
    const image = await readFile(join(site.folder, "social-card.png"));
    expect(image.subarray(1, 4).toString()).toBe("PNG");
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([1200, 630]);
  });
});

describe("downloads", () => {
  test.each(["openapi.yaml", "openapi.json"])("have %s as the contract's package has it", async (name) => {
    expect(await site.text(name)).toBe(await source(name));
  });

  test("have the workflows", () => {
    expect(site.files).toContain("workflows/head-to-block.arazzo.yaml");
  });
});

describe("links to edit pages", () => {
  test("name files of the repository", async () => {
    const repository = fileURLToPath(new URL("../../../", import.meta.url));
    const edited = [...documents].flatMap(([path, html]) => {
      const file = /href="https:\/\/github\.com\/chain-query\/chain-query\/edit\/main\/([^"]*)"/.exec(html)?.[1];
      return file === undefined ? [] : [[path, file] as const];
    });
    const without = pages().filter(([path]) => !edited.some(([other]) => other === path));
    expect(without.map(([path]) => path).sort()).toEqual(["playground/index.html", "reference/index.html"]);
    for (const [path, file] of edited) expect((await stat(join(repository, file))).isFile(), path).toBe(true);
  });
});
