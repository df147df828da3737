/** The search of the site, in a real browser. */
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { docsUrl, reading } from "./browsing.ts";
import { siteFolder } from "./built-site.ts";

const titles = (page: Page): Promise<string[]> => page.locator("dialog.search li strong").allTextContents();
async function find(page: Page, words: string): Promise<string[]> {
  const input = page.getByRole("searchbox", { name: "Words to search for" });
  await input.waitFor();
  await input.fill(words);
  return titles(page);
}

describe("search", () => {
  test("finds operations, guides and decisions, the best first", async () => {
    await reading(async ({ page }) => {
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
  });

  test("works by keyboard", async () => {
    await reading(async ({ page }) => {
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
  });

  test("is not loaded before it is opened", async () => {
    await reading(async ({ page }) => {
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(`${docsUrl}/guides/testing/`);
      await page.waitForLoadState("networkidle");
      expect(asked.filter((url) => url.includes("search"))).toEqual([]);
    });
  });

  test("works from a disk, and in the reference", async () => {
    const home = pathToFileURL(`${siteFolder}/`).href;
    await reading(
      async ({ page }) => {
        await page.goto(`${home}reference/index.html`);
        await page.getByRole("button", { name: "Search", exact: true }).click();
        await find(page, "share limiter");
        await page.keyboard.press("Enter");
        await page.waitForURL(`${home}guides/keys-and-limits/index.html#share-a-limit-between-clients`);
      },
      { inside: home },
    );
  });
});
