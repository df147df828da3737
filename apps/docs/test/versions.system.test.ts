import { describe, expect, test } from "vitest";
import { currentVersion } from "../src/kept-versions.ts";
import { sharedSite, withSite } from "./built-site.ts";

const version = await currentVersion();

describe("a site that is published elsewhere", () => {
  test("names that address wherever it names its own", async () => {
    await withSite({ siteUrl: "https://docs.example.org/" }, async (site) => {
      expect(await site.text("guides/testing/index.html")).toContain(
        '<link rel="canonical" href="https://docs.example.org/guides/testing/" />',
      );
      expect(await site.text("404.html")).toContain('<base href="/" />');
      const whole = await Promise.all(site.documents.map(site.text));
      expect(whole.join("")).not.toContain("github.io");
    });
  });
});

describe("a version that is kept", () => {
  test("sends readers and search engines to the latest", async () => {
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

describe("list of versions", () => {
  test("leads to all that are kept, the newest first", async () => {
    await withSite({ versions: [version, "2.10.0-1", "2.10.0", "2.9.1"] }, async (site) => {
      const html = await site.text("versions/index.html");
      expect([...html.matchAll(/href="(\.\.\/v\/[^"]*)"/g)].map(([, to]) => to)).toEqual([
        "../v/2.10.0/",
        "../v/2.10.0-1/",
        "../v/2.9.1/",
        `../v/${version}/`,
      ]);
      expect(html).toContain(`>${version}</a>, which is the latest`);
    });
  });

  test("says that there is one where none is kept yet", async () => {
    const site = await sharedSite();
    expect(await site.text("versions.md")).toContain(`\n- ${version}, which you are reading\n`);
  });
});
