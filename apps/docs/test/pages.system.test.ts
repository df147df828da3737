/** The pages besides the reference as a reader uses them. */
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedDocs, serveDocs } from "../src/serve.ts";
import { docsUrl, reading } from "./browsing.ts";
import { readSite } from "./built-site.ts";

const site = await readSite();
const paths = site.documents
  .filter((path) => path !== "404.html")
  .map((path) => path.replace(/index\.html$/, ""))
  .sort();

/** The site below /chain-query/, as on a host of many sites. */
let host: ServedDocs;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "chain-query-host-"));
  await symlink(site.folder, join(home, "chain-query"));
  await writeFile(join(home, "index.html"), "<!doctype html><title>Other sites</title>");
  await copyFile(join(site.folder, "404.html"), join(home, "404.html"));
  host = await serveDocs({ root: home });
});
afterAll(async () => {
  await host?.close();
  await rm(home, { recursive: true });
});

const backgroundOf = (page: Page): Promise<string> => page.evaluate("getComputedStyle(document.body).backgroundColor");
const modeOf = async (page: Page): Promise<string> => ((await backgroundOf(page)) === "rgb(255, 255, 255)" ? "light" : "dark");
const phone = { width: 360 };

describe("pages", () => {
  test("link from the landing page through all guides", async () => {
    await reading(
      async ({ page }) => {
        await page.goto(`${host.url}/chain-query/`);
        await page.getByRole("link", { name: "Start in five minutes" }).click();
        const seen: string[] = [];
        for (;;) {
          await page.getByRole("heading", { level: 1 }).waitFor();
          seen.push(new URL(page.url()).pathname);
          const next = page.locator("a.next");
          if ((await next.count()) === 0) break;
          await next.click();
        }
        const articles = paths.filter((path) => path !== "" && !/^(reference|playground)/.test(path));
        expect(seen.sort()).toEqual(articles.map((path) => `/chain-query/${path}`));
      },
      { inside: host.url },
    );
  });

  test("keep the colour scheme from page to page, in the reference too", async () => {
    await reading(
      async ({ page }) => {
        await page.goto(docsUrl);
        expect(await modeOf(page)).toBe("light");
        await page.getByRole("button", { name: "Switch between light and dark" }).click();
        expect(await modeOf(page)).toBe("dark");
        for (const path of ["guides/testing/", "reference/"]) {
          await page.goto(`${docsUrl}/${path}`);
          expect(await modeOf(page), path).toBe("dark");
        }
      },
      { colorScheme: "light" },
    );
  });

  test("follow the system until the reader chooses", async () => {
    await reading(async ({ page }) => {
      await page.goto(`${docsUrl}/guides/testing/`);
      await page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(() => modeOf(page)).toBe("dark");
      await page.emulateMedia({ colorScheme: "light" });
      await expect.poll(() => modeOf(page)).toBe("light");
    });
  });

  test("copy code", async () => {
    await reading(async ({ page }) => {
      await page.goto(`${docsUrl}/guides/quick-start/`);
      const figure = page.locator("figure.code").first();
      await figure.getByRole("button", { name: "Copy" }).click();
      await figure.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe("npx @chain-query/mock");
      expect(await page.locator("figure.printed button").count()).toBe(0);
    });
  });

  test("copy the whole page as Markdown, and open it in the form that edits it", async () => {
    await reading(async ({ page }) => {
      await page.goto(`${docsUrl}/client/api/address/`);
      await page.getByRole("button", { name: "Copy as Markdown" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await site.text("client/api/address.md"));
      const edit = await page.getByRole("link", { name: "Edit page" }).getAttribute("href");
      expect(edit).toBe("https://github.com/chain-query/chain-query/edit/main/packages/client/src/address.ts");
      await page.getByRole("link", { name: "View as Markdown" }).click();
      await page.waitForURL(`${docsUrl}/client/api/address.md`);
    });
  });

  test("open their Markdown version from a disk, where it cannot be read", async () => {
    const home = pathToFileURL(`${site.folder}/`).href;
    await reading(
      async ({ page, complaints, outside }) => {
        await page.goto(`${home}client/index.html`);
        await page.getByRole("button", { name: "Copy as Markdown" }).click();
        await page.waitForURL(`${home}client.md`);
        for (const seen of [complaints, outside]) seen.length = 0;
      },
      { inside: home },
    );
  });

  test("let the keyboard skip the navigation and reach scrollable elements", async () => {
    await reading(async ({ page }) => {
      await page.goto(`${docsUrl}/guides/errors-and-retries/`);
      await page.keyboard.press("Tab");
      await page.getByRole("link", { name: "Skip to the content" }).waitFor();
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
      const unreachable = await page.evaluate(
        `[...document.querySelectorAll("main *")].filter((e) => e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex < 0).length`,
      );
      expect(unreachable).toBe(0);
    });
  });

  test("mark the current heading", async () => {
    await reading(async ({ page }) => {
      await page.goto(`${docsUrl}/guides/errors-and-retries/#timeouts`);
      const current = page.locator(".outline [aria-current]");
      await expect.poll(() => current.allTextContents()).toEqual(["Timeouts"]);
    });
  });

  test("open the list of pages on a phone", async () => {
    await reading(async ({ page }) => {
      await page.goto(`${docsUrl}/guides/testing/`);
      const entry = page.locator("#pages").getByRole("link", { name: "Testing a deployment" });
      expect(await entry.isVisible()).toBe(false);
      const button = page.getByRole("button", { name: "Guides: all pages" });
      await button.focus();
      await page.keyboard.press("Enter");
      expect(await button.getAttribute("aria-expanded")).toBe("true");
      await entry.click();
      await page.getByRole("heading", { level: 1, name: "Testing a deployment" }).waitFor();
    }, phone);
  });

  test("work without JavaScript on a phone", async () => {
    await reading(
      async ({ page }) => {
        await page.goto(`${docsUrl}/guides/testing/`);
        expect(await page.locator("#pages").getByRole("link", { name: "Quick start" }).isVisible()).toBe(true);
        expect(await page.getByRole("button").count()).toBe(0);
        await page.getByRole("link", { name: "Reference", exact: true }).first().click();
        await page.getByRole("heading", { name: "Operations" }).waitFor();
      },
      { ...phone, javaScriptEnabled: false },
    );
  });

  test("use the colour scheme of the system without JavaScript", async () => {
    await reading(
      async ({ page }) => {
        await page.goto(`${docsUrl}/guides/testing/`);
        expect(await backgroundOf(page)).toBe("rgb(14, 19, 27)");
      },
      { colorScheme: "dark", javaScriptEnabled: false },
    );
  });

  test("work from a disk", async () => {
    const home = pathToFileURL(`${site.folder}/`).href;
    await reading(
      async ({ page }) => {
        await page.goto(`${home}index.html`);
        await page.getByRole("link", { name: "Start in five minutes" }).click();
        await page.getByRole("heading", { level: 1, name: "Quick start" }).waitFor();
        await page.locator("article").getByRole("link", { name: "Keys and limits" }).click();
        await page.getByRole("heading", { level: 1, name: "Keys and limits" }).waitFor();
        expect(page.url()).toBe(`${home}guides/keys-and-limits/index.html`);
      },
      { inside: home },
    );
  });
});

describe("page for unknown addresses", () => {
  const missing = (base: string, path: string, start: string): Promise<void> =>
    reading(
      async ({ page, complaints }) => {
        const answer = await page.goto(base + path);
        expect(answer?.status()).toBe(404);
        await page.getByRole("heading", { name: "There is no such page" }).waitFor();
        expect(await page.evaluate("getComputedStyle(document.querySelector('.number')).textAlign")).toBe("center");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        expect([page.url(), await page.evaluate("document.activeElement.id")]).toEqual([base + path, "main"]);
        await page.getByRole("link", { name: "To the start" }).click();
        await page.getByRole("heading", { level: 1, name: "Read a blockchain node over HTTP" }).waitFor();
        expect(page.url()).toBe(base + start);
        // The address itself, once as a response and once on the console.
        expect(complaints.splice(0, 2).join()).toContain("404");
      },
      { inside: base },
    );

  test("links to the landing page from any depth at the root of a server", () => missing(docsUrl, "/no/such/page", "/"));

  test("links to the landing page from any depth below a path", () =>
    missing(host.url, "/chain-query/no/such/page", "/chain-query/"));
});
