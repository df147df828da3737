/** The reference as a reader uses it. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { operations } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { documentedExamples, routeOf } from "../src/contract/contract.ts";
import { samplesOf } from "../src/samples/samples.ts";
import { docsUrl, reading, takenOver } from "./browsing.ts";
import { readSite, siteFolder } from "./built-site.ts";
import { fetched } from "./references.ts";

const site = await readSite();
const start = `${docsUrl}/reference/`;
const phone = { width: 390 };

/** Opens an operation by its id. */
async function open(page: Page, operationId: string): Promise<void> {
  await page.goto(`${start}#${operationId}`);
  await page.getByText(operationId, { exact: true }).last().waitFor();
}

/** Opens Redoc's search and types. */
async function search(page: Page, words: string): Promise<void> {
  await takenOver(page);
  await page.keyboard.press("Control+k");
  await page.getByTestId("search-dialog").waitFor();
  await page.keyboard.type(words);
}

describe("reference", () => {
  test("leads from the first screen to every operation", async () => {
    await reading(async ({ page }) => {
      await page.goto(start);
      for (const { tag, id, summary } of operations) {
        await page.evaluate('location.hash = "#/"');
        await page.getByRole("link", { name: id, exact: true }).first().click();
        await page.getByRole("heading", { name: summary }).waitFor();
        expect(new URL(page.url()).hash).toBe(routeOf({ tag, id }));
        await page.getByText(`/api/v2/${id}`).first().waitFor();
      }
    });
  });

  test("loads Redoc's script as the package has it, and runs it at the first interaction", async () => {
    await reading(async ({ page }) => {
      await page.goto(start);
      await page.getByText("Copy").waitFor({ state: "detached" });
      const script = site.files.find((file) => /^assets\/redoc\.[0-9a-f]{16}\.js$/.test(file)) ?? "";
      const redocly = createRequire(import.meta.url).resolve("@redocly/cli/package.json");
      expect(await site.text(script)).toBe(await readFile(join(redocly, "../lib/chunks/redoc.standalone.js"), "utf8"));
      await page.keyboard.press("Tab");
      await page.getByTestId("page-actions").first().getByRole("button", { name: "Copy" }).waitFor();
    });
  });

  test("opens what is clicked before Redoc has taken the page over", async () => {
    await reading(async ({ page }) => {
      await page.goto(start);
      await page.evaluate(`document.querySelector('#redoc .menu-content a[href$="/blocks"]').click()`);
      await page.getByTestId("menu-item-label").filter({ hasText: "Look up a block" }).waitFor();
      expect(page.url()).toBe(`${start}#/blocks`);
    });
  });

  test("offers to copy a page, and not to send it to other services", async () => {
    await reading(async ({ page }) => {
      await page.goto(start);
      await takenOver(page);
      expect(await page.getByTestId("page-actions").first().getByRole("button").allTextContents()).toEqual(["Copy"]);
    });
  });

  test("sends no telemetry, however long it is open", async () => {
    await reading(
      async ({ page }) => {
        await page.clock.install();
        await page.goto(start);
        await page.mouse.move(1, 1);
        await page.mouse.move(2, 2);
        await page.clock.runFor(1000);
        await page.getByTestId("page-actions").first().getByRole("button").first().waitFor();
        for (let minute = 0; minute < 3; minute++) await page.clock.runFor(60_000);
        await page.goto(`${docsUrl}/favicon.svg`);
      },
      { alone: true },
    );
  });

  test("finds operations by their words and ids", async () => {
    await reading(async ({ page }) => {
      await page.goto(start);
      await search(page, "outbound");
      const dialog = page.getByTestId("search-dialog");
      await dialog.getByText("/api/v2/getOutMsgQueueSize").first().waitFor();
      await dialog.getByRole("textbox").fill("lookupBlock");
      await dialog.getByText("/api/v2/lookupBlock").first().click();
      await page.waitForURL(`${start}#/blocks/lookupblock`);
    });
  });

  test("fits a phone, where the menu opens on demand", async () => {
    await reading(async ({ page }) => {
      await page.goto(`${start}${routeOf({ tag: "Transactions", id: "getTransactionsStd" })}`);
      await page.getByRole("heading", { name: "List the transactions of an account" }).waitFor();
      await takenOver(page);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      await page.getByRole("button", { name: "Open navigation menu" }).click();
      await page.getByTestId("menu-item-label").filter({ hasText: "Blocks" }).waitFor();
    }, phone);
  });

  test("names every operation and leads to the Markdown version without JavaScript", async () => {
    await reading(
      async ({ page }) => {
        await page.goto(start);
        await page.getByRole("heading", { name: "Operations" }).waitFor();
        for (const { id } of operations) await page.getByText(id, { exact: true }).first().waitFor();
        await page.locator('a[href="../openapi.yaml"]').first().waitFor();
        expect(await page.locator("#redoc .menu-content").isVisible()).toBe(false);
        expect(await page.getByRole("link", { name: "as Markdown" }).getAttribute("href")).toBe("../reference.md");
      },
      { javaScriptEnabled: false },
    );
  });

  test("works as plain files, without a server", async () => {
    const base = pathToFileURL(`${siteFolder}/`).href;
    await reading(
      async ({ page }) => {
        await page.goto(`${base}reference/index.html`);
        await search(page, "consensus");
        await page.getByTestId("search-dialog").getByText("/api/v2/getConsensusBlock").first().click();
        await page.getByRole("heading", { name: "Read the latest consensus block" }).waitFor();
      },
      { inside: base },
    );
  });
});

describe("address by operation id", () => {
  test.each([1280, 390])(
    "brings each operation into view at %i px, when the page is opened and while it is open",
    async (width) => {
      await reading(
        async ({ page }) => {
          await open(page, "tryLocateSourceTx");
          for (const operation of operations.toReversed()) {
            const operationId = operation.id;
            await page.evaluate(`location.hash = ${JSON.stringify(operationId)}`);
            await page.waitForURL(`${start}${routeOf(operation)}`);
            const name = page.locator("#redoc code").getByText(operationId, { exact: true }).first();
            await expect.poll(async () => (await name.boundingBox())?.y).toSatisfy((y) => y > 0 && y < 700);
          }
        },
        { width },
      );
    },
  );
});

describe("an operation in the reference", () => {
  test("shows the code of its first example in each language", async () => {
    await reading(async ({ page }) => {
      await open(page, "lookupBlock");
      await takenOver(page);
      const panel = page.locator(
        '[id="/blocks/lookupblock"] .panel-request-samples, [id="blocks/lookupblock"] .panel-request-samples',
      );
      const example = documentedExamples.find(({ operationId }) => operationId === "lookupBlock");
      if (example === undefined) throw new Error("lookupBlock has no example");
      for (const { label, source } of samplesOf(
        { operationId: "lookupBlock", ...example.request },
        "http://127.0.0.1:4010",
        false,
      )) {
        await panel
          .getByText(/^(curl|Client|fetch|Python|Go|Payload)$/)
          .first()
          .click();
        await page.getByRole("menuitem", { name: label, exact: true }).click();
        await expect.poll(async () => (await panel.locator("pre").textContent())?.trim()).toBe(source);
      }
    });
  });

  test("explains its decisions, and links to them", async () => {
    await reading(async ({ page }) => {
      await open(page, "lookupBlock");
      const choice = page
        .locator("blockquote")
        .filter({ hasText: "The document is silent here; we chose: By seqno that block" });
      await choice.getByRole("link", { name: "D-12" }).click();
      await page.getByRole("heading", { name: /D-12/ }).waitFor();
      expect(page.url()).toBe(`${docsUrl}/decisions/#d-12`);
    });
  });

  test("says that no key is needed", async () => {
    await reading(async ({ page }) => {
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
    const assets = site.files.filter((file) => /^assets\/(site|reference|redoc)\./.test(file));
    const sizes = await Promise.all(assets.map(async (file) => ({ file, size: gzipped(await site.text(file)) })));
    const sum = (some: typeof sizes): number => some.reduce((total, { size }) => total + size, gzipped(page));
    expect(assets).toHaveLength(4);
    expect(sum(sizes.filter(({ file }) => file.endsWith(".css")))).toBeLessThan(100_000);
    expect(sum(sizes)).toBeLessThan(800_000);
    // Redoc's script is loaded by the page's own, and nothing blocks the first paint but the style sheet.
    expect(fetched(page).filter((address) => address.includes("assets/redoc"))).toEqual([]);
    expect(page.match(/<script(?![^>]*\b(?:defer|type)\b)[^>]*\bsrc=/g)).toBeNull();
  });
});
