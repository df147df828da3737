/** The reference as a reader meets it: in a real browser that can reach nothing but the site. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationsOf, readContract, routeOf } from "../src/contract.ts";
import { type ServedDocs, serveDocs } from "../src/serve.ts";
import { launchBrowser, reading } from "./browsing.ts";
import { builtSite } from "./built-site.ts";
import { takenOver } from "./taken-over.ts";

const contract = await readFile(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")), "utf8");
const operations = operationsOf(readContract(contract));

let site: Awaited<ReturnType<typeof builtSite>>;
let docs: ServedDocs;
let browser: Browser;
let start: string;
beforeAll(async () => {
  browser = await launchBrowser();
  site = await builtSite();
  docs = await serveDocs({ root: site.folder });
  start = `${docs.url}/reference/`;
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await docs?.close();
  await site?.dispose();
});

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

describe("reference", { timeout: 120_000 }, () => {
  test("leads from the first screen to every operation", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      for (const { tag, operationId, summary } of operations) {
        await page.goto(start);
        await page.getByRole("link", { name: operationId, exact: true }).first().click();
        await page.getByRole("heading", { name: summary }).waitFor();
        expect(new URL(page.url()).hash).toBe(routeOf({ tag, operationId }));
        await page.getByText(`/api/v2/${operationId}`).first().waitFor();
      }
    });
  });

  test("shows every operation under its own address, with its decisions", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await page.goto(`${start}${routeOf({ tag: "Blocks", operationId: "lookupBlock" })}`);
      await page.getByRole("heading", { name: "Look up a block" }).waitFor();
      await page.getByText("D-12").first().waitFor();
    });
  });

  test("offers to copy a page, and not to send it to anybody", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await page.goto(start);
      const actions = page.getByTestId("page-actions").first().getByRole("button");
      await actions.first().waitFor();
      expect(await actions.allTextContents()).toEqual(["Copy"]);
    });
  });

  test("reports to nobody, however long it is read", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await page.clock.install();
      await page.goto(start);
      await search(page, "block");
      for (let minute = 0; minute < 3; minute++) await page.clock.runFor(60_000);
      await page.goto(`${docs.url}/favicon.svg`);
    });
  });

  test("finds an operation by a word", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await page.goto(start);
      await search(page, "outbound");
      await page.getByTestId("search-dialog").getByText("/api/v2/getOutMsgQueueSize").first().waitFor();
    });
  });

  test("opens a group of its menu", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await page.goto(start);
      await page.getByTestId("menu-item-label").filter({ hasText: "Messages" }).click();
      await page.getByTestId("menu-item-label").filter({ hasText: "Locate the transaction that produced a message" }).waitFor();
    });
  });

  test("fits a phone, where the menu opens on demand", async () => {
    await reading(
      browser,
      docs.url,
      async ({ page }) => {
        await page.goto(`${start}${routeOf({ tag: "Transactions", operationId: "getTransactionsStd" })}`);
        await page.getByRole("heading", { name: "List the transactions of an account" }).waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
        await takenOver(page);
        await page.getByRole("button", { name: "Open navigation menu" }).click();
        await page.getByTestId("menu-item-label").filter({ hasText: "Blocks" }).waitFor();
      },
      { viewport: { width: 360, height: 740 } },
    );
  });

  test("is readable and links to its downloads without JavaScript", async () => {
    await reading(
      browser,
      docs.url,
      async ({ page }) => {
        await page.goto(start);
        await page.getByRole("heading", { name: "Operations" }).waitFor();
        for (const { operationId } of operations) await page.getByText(operationId, { exact: true }).first().waitFor();
        await page.locator('a[href="../openapi.yaml"]').first().waitFor();
      },
      { javaScriptEnabled: false },
    );
  });

  test("works as plain files, without a server", async () => {
    const base = pathToFileURL(`${site.folder}/`).href;
    await reading(browser, base, async ({ page }) => {
      await page.goto(pathToFileURL(join(site.folder, "reference/index.html")).href);
      await search(page, "consensus");
      await page.getByTestId("search-dialog").getByText("/api/v2/getConsensusBlock").first().click();
      await page.getByRole("heading", { name: "Read the latest consensus block" }).waitFor();
    });
  });
});
