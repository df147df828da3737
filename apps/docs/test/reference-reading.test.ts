/** What the site adds to Redoc: addresses by operation id, samples that follow the example, decisions in words, a light start. */
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentedExamples } from "../src/contract-examples.ts";
import { samplesOf } from "../src/samples.ts";
import { type ServedDocs, serveDocs } from "../src/serve.ts";
import { launchBrowser, reading } from "./browsing.ts";
import { type BuiltSite, builtSite } from "./built-site.ts";
import { fetched } from "./references.ts";
import { takenOver } from "./taken-over.ts";

const operationIds = [...new Set(documentedExamples.map(({ operationId }) => operationId))];

let site: BuiltSite;
let docs: ServedDocs;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([builtSite(), launchBrowser()]);
  docs = await serveDocs({ root: site.folder });
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await docs?.close();
  await site?.dispose();
});

/** Opens the reference at an operation, by nothing but its id. */
async function open(page: Page, operationId: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(`${docs.url}/reference/#${operationId}`);
  await page.getByText(operationId, { exact: true }).last().waitFor();
}

/** The panel with the request of the operation that the address names. */
const requestPanel = (page: Page) => page.locator(`[id="${new URL(page.url()).hash.slice(2)}"] .panel-request-samples`).first();

describe("address by operation id", { timeout: 120_000 }, () => {
  test.each([1440, 360])("brings each operation into sight, on %i px", async (width) => {
    await reading(
      browser,
      docs.url,
      async ({ page }) => {
        for (const operationId of operationIds) {
          await open(page, operationId);
          const route = new RegExp(`^#/[a-z]+/${operationId.toLowerCase()}$`);
          await expect.poll(() => new URL(page.url()).hash).toMatch(route);
          const name = page.locator("#api-content code").getByText(operationId, { exact: true }).first();
          await expect.poll(async () => (await name.boundingBox())?.y, { timeout: 10_000 }).toSatisfy((y) => y > 0 && y < 700);
        }
      },
      { viewport: { width, height: 740 } },
    );
  });

  test("works while the page is open, too", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await open(page, "lookupBlock");
      await page.evaluate('location.hash = "getMasterchainInfo"');
      await expect.poll(() => new URL(page.url()).hash).toBe("#/blocks/getmasterchaininfo");
    });
  });
});

describe("search", { timeout: 120_000 }, () => {
  test("finds an operation by its id", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await open(page, "getConsensusBlock");
      // The list of groups opens when Redoc is there, and with it the search.
      await page.getByTestId("menu-item-label").filter({ hasText: "Read the latest consensus block" }).waitFor();
      await page.getByTestId("search-trigger").click();
      const dialog = page.getByTestId("search-dialog");
      await dialog.getByRole("textbox").fill("lookupBlock");
      await dialog.getByText("/api/v2/lookupBlock").first().click();
      await expect.poll(() => new URL(page.url()).hash).toBe("#/blocks/lookupblock");
    });
  });
});

describe("samples in the reference", { timeout: 120_000 }, () => {
  test("follow the selected example, in each language", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await open(page, "lookupBlock");
      await takenOver(page);
      const panel = requestPanel(page);
      for (const { condition, operationId, request, response } of documentedExamples.filter(
        (example) => example.operationId === "lookupBlock",
      )) {
        const samples = samplesOf({ operationId, ...request }, "http://127.0.0.1:4010", response.status >= 300);
        for (const { label, source } of samples) {
          await panel
            .getByText(/^(curl|Client|fetch|Payload)$/)
            .first()
            .click();
          await page.getByRole("menuitem", { name: label, exact: true }).click();
          await expect
            .poll(async () => (await panel.locator("pre").textContent())?.trim(), { message: condition })
            .toBe(source);
        }
        const next = documentedExamples[documentedExamples.findIndex((one) => one.request === request) + 1];
        if (next?.operationId !== operationId) continue;
        await panel.getByRole("button", { name: /^Example: / }).click();
        const index = documentedExamples.filter((one) => one.operationId === operationId).indexOf(next);
        await page.getByRole("menuitem").nth(index).click();
      }
    });
  });
});

describe("decisions in the reference", { timeout: 120_000 }, () => {
  test("are told in words, and lead to their place", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await open(page, "lookupBlock");
      const told = page.locator("blockquote").filter({ hasText: "The document is silent here; we chose: By seqno that block" });
      await told.getByRole("link", { name: "D-12" }).click();
      await page.getByRole("heading", { name: /D-12/ }).waitFor();
      expect(page.url()).toBe(`${docs.url}/decisions/#d-12`);
    });
  });

  test("say that no key is needed", async () => {
    await reading(browser, docs.url, async ({ page }) => {
      await open(page, "lookupBlock");
      await page.getByText("View security details").last().click();
      await page
        .getByText(/Requests without one are served too/)
        .first()
        .waitFor();
    });
  });
});

describe("weight of the reference", () => {
  const gzipped = (content: string): number => gzipSync(content, { level: 9 }).length;

  test("is at most 100 kB before the first paint and 800 kB in all", async () => {
    const page = await site.text("reference/index.html");
    const files = fetched(page)
      .filter((address) => address.startsWith("../assets/"))
      .map((address) => address.slice(3));
    const sizes = await Promise.all(files.map(async (file) => ({ file, size: gzipped(await site.text(file)) })));
    const sum = (some: typeof sizes): number => some.reduce((total, { size }) => total + size, gzipped(page));
    expect(files.length).toBeGreaterThanOrEqual(4);
    expect(sum(sizes.filter(({ file }) => file.endsWith(".css")))).toBeLessThan(100_000);
    expect(sum(sizes)).toBeLessThan(800_000);
    // What does not stand before the first paint is deferred.
    expect(page.match(/<script(?![^>]*\b(?:defer|type)\b)[^>]*\bsrc=/g)).toBeNull();
  });
});
