/** One test in a browser for each promise of the site. Long tests have all pages and the rest. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { docsUrl, onePage, reading } from "./browsing.ts";
import { checkPages } from "./every-page.ts";
import { playing } from "./playground-playing.ts";

const shown = onePage();
const start = `${docsUrl}/reference/`;

checkPages(["guides/testing/"], { isShort: true });

/** Results of the search, the best first. */
async function find(page: Page, words: string): Promise<string[]> {
  await page.getByRole("searchbox", { name: "Words to search for" }).fill(words);
  return page.locator("dialog.search li strong").allTextContents();
}

describe("pages", () => {
  test("copy code", async () => {
    const page = shown();
    await page.goto(`${docsUrl}/guides/quick-start/`);
    const figure = page.locator("figure.code").first();
    await figure.getByRole("button", { name: "Copy" }).click();
    await figure.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("npx @chain-query/mock");
    expect(await page.locator("figure.printed button").count()).toBe(0);
  });

  test("find operations, guides and decisions, the best first", async () => {
    const page = shown();
    await page.goto(`${docsUrl}/guides/testing/`);
    await page.getByRole("button", { name: "Search" }).click();
    for (const [words, best] of [
      ["lookupBlock", "lookupBlock"],
      ["getout", "getOutMsgQueueSize"],
      ["D-07", "D-07 Encoding of hash, code, data, body and init_state"],
      ["mock service", "Mock Service Worker"],
      ["compatability", "Compatibility policy"],
    ] as const) {
      expect((await find(page, words))[0], words).toBe(best);
    }
    expect(await find(page, "xyzzy")).toEqual([]);
    await page.getByText("No results for xyzzy.").waitFor();
  });

  test("work without JavaScript on a phone, in the colour scheme of the system", async () => {
    await reading(
      async ({ page }) => {
        await page.goto(`${docsUrl}/guides/testing/`);
        expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(14, 19, 27)");
        expect(await page.locator("#pages").getByRole("link", { name: "Quick start" }).isVisible()).toBe(true);
        expect(await page.getByRole("button").count()).toBe(0);
        await page.getByRole("link", { name: "Reference", exact: true }).first().click();
        await page.getByRole("heading", { name: "Operations" }).waitFor();
      },
      { width: 360, colorScheme: "dark", javaScriptEnabled: false },
    );
  });
});

describe("reference", () => {
  test("runs Redoc's script at the first interaction, and opens links that were clicked before", async () => {
    const page = shown();
    await page.goto(start, { waitUntil: "networkidle" });
    const loaded = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/redoc')).length";
    expect(await page.evaluate(loaded)).toBe(0);
    await page.getByText("Copy").waitFor({ state: "detached" });
    await page.evaluate(`document.querySelector('#redoc .menu-content a[href$="/blocks"]').click()`);
    await page.getByTestId("menu-item-label").filter({ hasText: "Look up a block" }).waitFor();
    expect(page.url()).toBe(`${start}#/blocks`);
  });

  test("finds operations by their words and ids, and opens them by keyboard", async () => {
    const page = shown();
    await page.getByRole("button", { name: "Search Ctrl+K" }).press("Enter");
    const dialog = page.getByTestId("search-dialog");
    await dialog.waitFor();
    await page.keyboard.type("outbound");
    await dialog.getByText("/api/v2/getOutMsgQueueSize").first().waitFor();
    await dialog.getByRole("textbox").fill("lookupBlock");
    await dialog.getByText("/api/v2/lookupBlock").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Look up a block" }).waitFor();
    await page.waitForURL(`${start}#/blocks/lookupblock`);
  });
});

describe("playground", () => {
  test("opens from the page of an operation with its inputs, and sends", async () => {
    await playing("reference/lookupBlock/", async (page) => {
      await page.getByRole("link", { name: "The masterchain block with a seqno" }).press("Enter");
      expect(await page.getByLabel("seqno").inputValue()).toBe("217");
      const focused = (): Promise<string> => page.evaluate("document.activeElement.name");
      for (let presses = 0; (await focused()) !== "seqno"; presses++) {
        expect(presses).toBeLessThan(30);
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Control+a");
      await page.keyboard.type("77");
      await page.keyboard.press("Enter");
      await page.locator(".outcome.success").waitFor();
      expect(await page.getByLabel("Body of the response").textContent()).toContain('"seqno": 77');
    });
  });
});
