/** The pages besides the reference as a reader uses them. */
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedDocs, serveDocs } from "../src/serve.ts";
import { docsUrl, onePage, reading } from "./browsing.ts";
import { readSite } from "./built-site.ts";

const site = await readSite();
const fileBase = pathToFileURL(`${site.folder}/`).href;
const shown = onePage({ inside: [docsUrl, fileBase] });

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

const titles = (page: Page): Promise<string[]> => page.locator("dialog.search li strong").allTextContents();
async function find(page: Page, words: string): Promise<string[]> {
  const input = page.getByRole("searchbox", { name: "Words to search for" });
  await input.waitFor();
  await input.fill(words);
  return titles(page);
}

describe("pages", () => {
  test("follow the system until the reader chooses a colour scheme, and keep it from page to page", async () => {
    const page = shown();
    await page.goto(docsUrl);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => modeOf(page)).toBe(colorScheme);
    }
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    expect(await modeOf(page)).toBe("dark");
    for (const path of ["reference/", "guides/quick-start/"]) {
      await page.goto(`${docsUrl}/${path}`);
      expect(await modeOf(page), path).toBe("dark");
    }
  });

  test("copy the whole page as Markdown, and open it in the form that edits it", async () => {
    const page = shown();
    await page.goto(`${docsUrl}/client/api/address/`);
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await site.text("client/api/address.md"));
    const edit = await page.getByRole("link", { name: "Edit page" }).getAttribute("href");
    expect(edit).toBe("https://github.com/chain-query/chain-query/edit/main/packages/client/src/address.ts");
    await page.getByRole("link", { name: "View as Markdown" }).click();
    await page.waitForURL(`${docsUrl}/client/api/address.md`);
  });

  test("let the keyboard skip the navigation and reach scrollable elements, and mark the current heading", async () => {
    const page = shown();
    await page.goto(`${docsUrl}/guides/errors-and-retries/`);
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to the content" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    const unreachable = await page.evaluate(
      `[...document.querySelectorAll("main *")].filter((e) => e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex < 0).length`,
    );
    expect(unreachable).toBe(0);
    await page.goto(`${docsUrl}/guides/errors-and-retries/#timeouts`);
    await expect.poll(() => page.locator(".outline [aria-current]").allTextContents()).toEqual(["Timeouts"]);
  });

  test("do not load the search before it is opened", async () => {
    const page = shown();
    const asked: string[] = [];
    const listener = (request: Request): number => asked.push(request.url());
    page.on("request", listener);
    await page.goto(`${docsUrl}/guides/testing/`, { waitUntil: "networkidle" });
    page.off("request", listener);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((url) => url.includes("search"))).toEqual([]);
  });

  test("search by keyboard", async () => {
    const page = shown();
    await page.goto(docsUrl);
    await page.keyboard.press("Control+k");
    await find(page, "logical time");
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog.search").isVisible()).toBe(false);
    await page.keyboard.press("/");
    await find(page, "D-42");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${docsUrl}/decisions/#d-42`);
    await page.keyboard.press("/");
    await find(page, "D-43");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${docsUrl}/decisions/#d-43`);
    expect(await page.locator("dialog.search").isVisible()).toBe(false);
  });

  test("open the list of pages on a phone", async () => {
    const page = shown();
    await page.setViewportSize({ width: 360, height: 1000 });
    await page.goto(`${docsUrl}/guides/testing/`);
    const entry = page.locator("#pages").getByRole("link", { name: "Testing a deployment" });
    expect(await entry.isVisible()).toBe(false);
    const button = page.getByRole("button", { name: "Guides: all pages" });
    await button.focus();
    await page.keyboard.press("Enter");
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await entry.click();
    await page.getByRole("heading", { level: 1, name: "Testing a deployment" }).waitFor();
    await page.setViewportSize({ width: 1440, height: 1000 });
  });

  test("show the first options of the client on the first screen of a phone, below an opaque header", async () => {
    const page = shown();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${docsUrl}/client/options/`);
    const option = await page.getByRole("cell", { name: "baseUrl" }).first().boundingBox();
    expect((option?.y ?? Number.NaN) + (option?.height ?? 0)).toBeLessThan(500);
    const header = "getComputedStyle(document.querySelector('.site-header')).backgroundColor";
    expect(await page.evaluate(header)).toBe(await backgroundOf(page));
    await page.setViewportSize({ width: 1440, height: 1000 });
  });
});

describe("pages on a disk", () => {
  test("link to each other", async () => {
    const page = shown();
    await page.goto(`${fileBase}index.html`);
    await page.getByRole("link", { name: "Start in five minutes" }).click();
    await page.getByRole("heading", { level: 1, name: "Quick start" }).waitFor();
    await page.locator("article").getByRole("link", { name: "Keys and limits" }).click();
    await page.getByRole("heading", { level: 1, name: "Keys and limits" }).waitFor();
    expect(page.url()).toBe(`${fileBase}guides/keys-and-limits/index.html`);
  });

  test("are found from the reference", async () => {
    const page = shown();
    await page.goto(`${fileBase}reference/index.html`);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await find(page, "share limiter");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${fileBase}guides/keys-and-limits/index.html#share-a-limit-between-clients`);
  });

  test("open their Markdown version, where it cannot be read", async () => {
    await reading(
      async ({ page, complaints, outside }) => {
        await page.goto(`${fileBase}client/index.html`);
        await page.getByRole("button", { name: "Copy as Markdown" }).click();
        await page.waitForURL(`${fileBase}client.md`);
        for (const seen of [complaints, outside]) seen.length = 0;
      },
      { inside: fileBase },
    );
  });
});

describe("page for unknown addresses", () => {
  const missing = (base: string, path: string, start: string): Promise<void> =>
    reading(
      async ({ page, complaints }) => {
        const response = await page.goto(base + path);
        expect(response?.status()).toBe(404);
        await page.getByRole("heading", { name: "There is no such page" }).waitFor();
        expect(await page.evaluate("getComputedStyle(document.querySelector('.number')).textAlign")).toBe("center");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        expect([page.url(), await page.evaluate("document.activeElement.id")]).toEqual([base + path, "main"]);
        await page.getByRole("button", { name: "Search guides, client and operations" }).click();
        expect((await find(page, "lookupBlock"))[0]).toBe("lookupBlock");
        await page.keyboard.press("Escape");
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
