/** Pages in a browser without JavaScript. */
import { expect, test } from "vitest";
import { docsUrl, onePage } from "./browsing.ts";

const shown = onePage({ javaScriptEnabled: false });

test("a guide has its navigation and the colours of the system, and no dead buttons", async () => {
  const { page } = shown();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${docsUrl}/guides/testing/`);
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(14, 19, 27)");
  expect(await page.locator("#pages").getByRole("link", { name: "Quick start" }).isVisible()).toBe(true);
  expect(await page.getByRole("button").count()).toBe(0);
});

test("an operation has its request in each language, and links decisions", async () => {
  const { page } = shown();
  await page.goto(`${docsUrl}/reference/lookupBlock/`);
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
  const decision = page.getByRole("link", { name: /^D-\d+$/ }).first();
  expect(await decision.getAttribute("href")).toMatch(/decisions\/#d-\d+$/);
});
