import { describe, expect, test } from "vitest";
import { currentVersion } from "../src/kept-versions.ts";
import { withSite } from "./built-site.ts";

const version = await currentVersion();

describe("a site with another address", () => {
  test("contains that address everywhere", async () => {
    await withSite({ siteUrl: "https://docs.example.org/" }, async (site) => {
      expect(await site.text("guides/testing/index.html")).toContain(
        '<link rel="canonical" href="https://docs.example.org/guides/testing/" />',
      );
      expect(await site.text("404.html")).toContain('<base href="/" />');
      const whole = await Promise.all(site.documents.map(site.text));
      // Texts of the client name the address that it has built in.
      expect(whole.join("")).not.toMatch(/(href|src|content)="[^"]*github\.io/);
    });
  });
});

describe("an archived version", () => {
  test("points readers and search engines to the latest", async () => {
    await withSite({ archive: true }, async (site) => {
      for (const path of site.documents.filter((document) => document !== "404.html")) {
        const html = await site.text(path);
        const latest = `https://chain-query.github.io/chain-query/${path.replace(/index\.html$/, "")}`;
        expect(html, path).toContain('<meta name="robots" content="noindex" />');
        expect(html, path).toContain(`<link rel="canonical" href="${latest}" />`);
        expect(html, path).toContain(
          `<p class="old">These are the pages of version ${version}. <a class="to-latest" href="${latest}">`,
        );
      }
      expect(site.files).not.toContain("sitemap.xml");
      expect(site.files).not.toContain("robots.txt");
    });
  });
});
