/** The pages of the operations in a browser: what the first screen holds, without scripts too, and the old addresses that lead there. */
import { operations } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { operationPath } from "../src/reference/routes.ts";
import { docsUrl, onePage, reading } from "./browsing.ts";

const shown = onePage();
const urlOf = (id: string): string => `${docsUrl}/${operationPath(id)}`;

/** The lower edge of an element, which must be visible and not wider than the page. */
async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${page.url()} shows no ${selector}`);
  expect(box.x + box.width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  return box.y + box.height;
}

/** The sum of all shifts of the layout since the page was opened. */
const layoutShift = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve(sum)));
})`;

describe("the first screen of an operation", () => {
  test.for(operations.map(({ id, inputs }) => [id, inputs[0]?.name] as const))(
    "has request, response and first parameter at 1280 px, and the request on a phone: %s",
    async ([id, parameter]) => {
      const page = shown();
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(urlOf(id));
      expect(await bottomOf(page, ".samples .code:visible")).toBeLessThan(700);
      expect(await bottomOf(page, ".response .code")).toBeLessThan(700);
      const boxes = await Promise.all([".samples", ".response"].map((each) => page.locator(each).boundingBox()));
      expect(boxes[0]?.y).toBe(boxes[1]?.y);
      if (parameter !== undefined) {
        expect(await page.locator("#parameters ~ ul li").first().textContent()).toContain(parameter);
        expect(await bottomOf(page, "#parameters ~ ul li")).toBeLessThanOrEqual(900);
      }
      // Nothing of the request is hidden at the side.
      expect(
        await page.evaluate(
          "[...document.querySelectorAll('.exchange pre')].filter((e) => e.scrollWidth > e.clientWidth).length",
        ),
      ).toBe(0);
      expect(await page.evaluate(layoutShift)).toBeLessThanOrEqual(0.02);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await bottomOf(page, ".samples .code:visible")).toBeLessThanOrEqual(844);
    },
  );

  test("has buttons that copy request and response, and cover neither", async () => {
    const page = shown();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(urlOf("lookupBlock"));
      for (const [place, text] of [
        [".samples", "curl http://127.0.0.1:4010/api/v2/lookupBlock"],
        [".response", '"ok": true'],
      ] as const) {
        const button = page.locator(`${place} .code:visible`).getByRole("button", { name: "Copy" });
        const [box, code] = [await button.boundingBox(), await page.locator(`${place} .code:visible code`).boundingBox()];
        expect((box?.y ?? 0) + (box?.height ?? 0), `${place} at ${width} px`).toBeLessThanOrEqual(code?.y ?? 0);
        await button.click();
        expect(await page.evaluate("navigator.clipboard.readText()")).toContain(text);
      }
    }
  });
});

describe("an operation without JavaScript", () => {
  test("has requests in each language and opens decisions", async () => {
    await reading(
      async ({ page }) => {
        await page.goto(urlOf("lookupBlock"));
        const request = page.locator(".samples .code:visible");
        for (const [label, text] of [
          ["Client", "chain.lookupBlock("],
          ["fetch", "await fetch("],
          ["Python", "urlopen("],
          ["Go", "package main"],
          ["curl", "curl http"],
        ] as const) {
          await page.locator(".samples label").getByText(label, { exact: true }).click();
          expect(await request.allTextContents()).toEqual([expect.stringContaining(text)]);
        }
        await page.getByRole("radio", { name: "curl" }).press("ArrowRight");
        expect(await request.textContent()).toContain("createClient");
        const decision = page.getByText("By seqno that block, by lt the first block");
        expect(await decision.isVisible()).toBe(false);
        await page.getByText("Unspecified by the document; we chose …").first().click();
        expect(await decision.isVisible()).toBe(true);
      },
      { javaScriptEnabled: false, width: 390 },
    );
  });
});

describe("old addresses of operations", () => {
  test.for(["#operation/lookupBlock", "#lookupBlock", "#/blocks/lookupblock", "#tag/Blocks/operation/lookupBlock"])(
    "lead to the page of the operation: %s",
    async (fragment) => {
      const page = shown();
      await page.goto("about:blank");
      await page.goto(`${docsUrl}/reference/${fragment}`);
      await page.waitForURL(urlOf("lookupBlock"));
      await page.getByRole("heading", { level: 1, name: "lookupBlock" }).waitFor();
    },
  );

  test("lead there while the reference is open", async () => {
    const page = shown();
    await page.goto(`${docsUrl}/reference/`);
    await page.evaluate('location.hash = "#operation/getMasterchainInfo"');
    await page.waitForURL(urlOf("getMasterchainInfo"));
  });
});
