/** The Tab key reaches every control, and each shows that it has the focus. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { docsUrl, reading, takenOver } from "./browsing.ts";

/**
 * Runs in the page: records the controls that did not get the focus, and those that do not show it. Of a group of radio buttons, Tab
 * reaches one.
 */
const watch = `(() => {
  const kinds = 'a[href], button:enabled, input:enabled:not([type="hidden"]), select:enabled, textarea:enabled, summary, [tabindex="0"]';
  // Elements with a pointer cursor count as controls, unless they contain one or are part of one.
  const handed = (element) => getComputedStyle(element).cursor === "pointer" && !element.closest(kinds) && !element.querySelector(kinds) &&
    getComputedStyle(element.parentElement).cursor !== "pointer" && !element.closest("label");
  const name = (element) => element.tagName.toLowerCase() + " " +
    (element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent).trim().slice(0, 40);
  const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const inGroup = (element) => element.type === "radio" && !element.checked && document.querySelector('input[name="' + element.name + '"]:checked');
  const usable = [...document.querySelectorAll("body *")].filter((element) => element.matches(kinds) || handed(element));
  const wanted = new Set(usable.filter((element) => seen(element) && !inGroup(element) && element.tabIndex !== -1 || handed(element)));
  const unmarked = [];
  const look = (element) => { const { outlineStyle, boxShadow, borderColor, backgroundColor } = getComputedStyle(element); return [outlineStyle, boxShadow, borderColor, backgroundColor].join(); };
  const around = (element) => [element, element.parentElement, element.nextElementSibling].filter(Boolean).map(look).join();
  const usual = new Map([...wanted].map((element) => [element, around(element)]));
  addEventListener("focusin", ({ target }) => {
    if (wanted.delete(target) && around(target) === usual.get(target)) unmarked.push(name(target));
  });
  globalThis.focusWatch = { wanted: wanted.size, left: () => [...wanted].filter((element) => element.isConnected).map(name), unmarked };
})()`;

/** Presses Tab until all controls had the focus, up to a limit: Redoc renders more controls on the way. */
async function tabThrough(page: Page): Promise<{ left: string[]; unmarked: string[] }> {
  await page.evaluate(watch);
  const most = 4 * Number(await page.evaluate("focusWatch.wanted"));
  const result = (): Promise<{ left: string[]; unmarked: string[] }> =>
    page.evaluate("({ left: focusWatch.left(), unmarked: focusWatch.unmarked })");
  for (let pressed = 0; pressed < most; pressed++) {
    await page.keyboard.press("Tab");
    if (pressed % 10 === 9 && (await result()).left.length === 0) break;
  }
  return result();
}

describe("keyboard", () => {
  test.for([
    ["", "Read a blockchain node over HTTP"],
    ["guides/keys-and-limits/", "Keys and limits"],
    ["playground/", "Playground"],
    ["reference/", "Chain Query"],
    ["reference/#lookupBlock", "Look up a block"],
  ] as const)("reaches every control of /%s", async ([path, heading]) => {
    await reading(async ({ page }) => {
      await page.goto(`${docsUrl}/${path}`);
      // Tab continues from there. Redoc removes what is far from the view.
      await page.getByRole("heading", { name: heading }).first().click();
      if (path.startsWith("reference")) await takenOver(page);
      expect(await tabThrough(page)).toEqual({ left: [], unmarked: [] });
    });
  });

  test("searches the reference and opens a result", async () => {
    await reading(async ({ page }) => {
      await page.goto(`${docsUrl}/reference/`);
      await takenOver(page);
      await page.getByRole("button", { name: "Search Ctrl+K" }).press("Enter");
      await page.getByTestId("search-dialog").waitFor();
      await page.keyboard.type("lookupBlock");
      await page.getByTestId("search-dialog").getByText("/api/v2/lookupBlock").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Look up a block" }).waitFor();
    });
  });

  test("switches between one column and two", async () => {
    await reading(async ({ page }) => {
      await page.goto(`${docsUrl}/reference/`);
      await takenOver(page);
      const left = async (): Promise<number> => (await page.getByTestId("right-panel").first().boundingBox())?.x ?? 0;
      const beside = await left();
      const columns = page.getByRole("button", { name: "One column or two" });
      await columns.press("Space");
      await expect.poll(left).toBeLessThan(beside);
      await columns.press("Enter");
      await expect.poll(left).toBe(beside);
    });
  });
});
