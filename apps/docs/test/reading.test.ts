/** The site as a reader meets it: in a real browser that can reach nothing but the site. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser, quietFlags } from "../src/browser.ts";
import { operationsOf, readContract, routeOf } from "../src/contract.ts";
import { type ServedDocs, serveDocs } from "../src/serve.ts";
import { builtSite } from "./built-site.ts";

const contract = await readFile(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")), "utf8");
const operations = operationsOf(readContract(contract));

let site: Awaited<ReturnType<typeof builtSite>>;
let docs: ServedDocs;
let browser: Browser;
beforeAll(async () => {
  const executablePath = await findBrowser();
  site = await builtSite();
  docs = await serveDocs({ root: site.folder });
  // No name resolves, so that even what the browser asks for on its own account goes nowhere.
  browser = await chromium.launch({
    executablePath,
    args: [...quietFlags, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await docs?.close();
  await site?.dispose();
});

interface Reading {
  page: Page;
  /** Requests that left the site; each was refused. */
  outside: string[];
  /** What the page complained of: errors and warnings on the console, exceptions, files that failed to load. */
  complaints: string[];
}

/** Opens a page whose every request is checked, reads in it, and expects that it neither left the site nor complained. */
async function reading(
  base: string,
  read: (reading: Reading) => Promise<void>,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
  try {
    const page = await context.newPage();
    const seen: Reading = { page, outside: [], complaints: [] };
    const inside = (url: string): boolean => url.startsWith(base) || /^(data|blob):/.test(url);
    context.on("request", (request) => {
      if (!inside(request.url())) seen.outside.push(request.url());
    });
    context.on("requestfailed", (request) => {
      // What the browser itself gives up, as the icon of a page that it leaves, did not fail.
      const reason = request.failure()?.errorText ?? "";
      if (reason !== "net::ERR_ABORTED") seen.complaints.push(`${request.url()} failed: ${reason}`);
    });
    context.on("response", (response) => {
      if (response.status() >= 400) seen.complaints.push(`${response.url()} answered ${response.status()}`);
    });
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
    });
    context.on("weberror", (error) => seen.complaints.push(String(error.error())));
    await context.route("**", (route) => (inside(route.request().url()) ? route.continue() : route.abort()));
    await read(seen);
    expect(seen.outside).toEqual([]);
    expect(seen.complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

/** Opens the search; the box answers only once the script has taken the page over. */
async function search(page: Page, words: string): Promise<void> {
  const dialog = page.getByTestId("search-dialog");
  await expect
    .poll(
      async () => {
        await page.keyboard.press("Control+k");
        return dialog.isVisible();
      },
      { timeout: 30_000, interval: 200 },
    )
    .toBe(true);
  await page.keyboard.type(words);
}

describe("site", { timeout: 120_000 }, () => {
  test("leads from the first screen to every operation", async () => {
    await reading(docs.url, async ({ page }) => {
      for (const { tag, operationId, summary } of operations) {
        await page.goto(docs.url);
        await page.getByRole("link", { name: operationId, exact: true }).first().click();
        await page.getByRole("heading", { name: summary }).waitFor();
        expect(new URL(page.url()).hash).toBe(routeOf({ tag, operationId }));
        await page.getByText(`/api/v2/${operationId}`).first().waitFor();
      }
    });
  });

  test("shows every operation under its own address, with its decisions", async () => {
    await reading(docs.url, async ({ page }) => {
      await page.goto(`${docs.url}/${routeOf({ tag: "Blocks", operationId: "lookupBlock" })}`);
      await page.getByRole("heading", { name: "Look up a block" }).waitFor();
      await page.getByText("D-12").first().waitFor();
    });
  });

  test("offers to copy a page, and not to send it to anybody", async () => {
    await reading(docs.url, async ({ page }) => {
      await page.goto(docs.url);
      const actions = page.getByTestId("page-actions").first().getByRole("button");
      await actions.first().waitFor();
      expect(await actions.allTextContents()).toEqual(["Copy"]);
    });
  });

  test("reports to nobody, however long it is read", async () => {
    await reading(docs.url, async ({ page }) => {
      await page.clock.install();
      await page.goto(docs.url);
      await search(page, "block");
      for (let minute = 0; minute < 3; minute++) await page.clock.runFor(60_000);
      await page.goto(`${docs.url}/favicon.svg`);
    });
  });

  test("finds an operation by a word", async () => {
    await reading(docs.url, async ({ page }) => {
      await page.goto(docs.url);
      await search(page, "outbound");
      await page.getByTestId("search-dialog").getByText("/api/v2/getOutMsgQueueSize").first().waitFor();
    });
  });

  test("opens a group of its menu", async () => {
    await reading(docs.url, async ({ page }) => {
      await page.goto(docs.url);
      await page.getByTestId("menu-item-label").filter({ hasText: "Messages" }).click();
      await page.getByTestId("menu-item-label").filter({ hasText: "Locate the transaction that produced a message" }).waitFor();
    });
  });

  test("fits a phone, where the menu opens on demand", async () => {
    await reading(
      docs.url,
      async ({ page }) => {
        await page.goto(`${docs.url}/${routeOf({ tag: "Transactions", operationId: "getTransactionsStd" })}`);
        await page.getByRole("heading", { name: "List the transactions of an account" }).waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
        await page.getByRole("button", { name: "Open navigation menu" }).click();
        await page.getByTestId("menu-item-label").filter({ hasText: "Blocks" }).waitFor();
      },
      { viewport: { width: 360, height: 740 } },
    );
  });

  test("is readable and links to its downloads without JavaScript", async () => {
    await reading(
      docs.url,
      async ({ page }) => {
        await page.goto(docs.url);
        await page.getByRole("heading", { name: "Operations" }).waitFor();
        for (const { operationId } of operations) await page.getByText(operationId, { exact: true }).first().waitFor();
        await page.locator('a[href="openapi.yaml"]').first().waitFor();
      },
      { javaScriptEnabled: false },
    );
  });

  test("works as plain files, without a server", async () => {
    const base = pathToFileURL(`${site.folder}/`).href;
    await reading(base, async ({ page }) => {
      await page.goto(pathToFileURL(join(site.folder, "index.html")).href);
      await search(page, "consensus");
      await page.getByTestId("search-dialog").getByText("/api/v2/getConsensusBlock").first().click();
      await page.getByRole("heading", { name: "Read the latest consensus block" }).waitFor();
    });
  });
});
