/** Every page and what opens on it: no errors, no requests to other sites, no overflow, no violation found by axe-core. */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { docsUrl, expectReachedByTab, onePage, send, takenOver, violationsOf } from "./browsing.ts";
import { readSite } from "./built-site.ts";

const shown = onePage();
const { documents } = await readSite();
const forms = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const;
type Form = (typeof forms)[number];

const folder = fileURLToPath(new URL("../screenshots/", import.meta.url));
if (process.env["SCREENSHOTS"]) await mkdir(folder, { recursive: true });

async function check(page: Page, name: string, { colorScheme, width }: Form, rules: Parameters<typeof violationsOf>[1] = {}) {
  await page.setViewportSize({ width, height: 1000 });
  await page.emulateMedia({ colorScheme });
  await expect
    .poll(() => page.evaluate("document.documentElement.scrollWidth"), { message: `${name}, ${width} px` })
    .toBe(width);
  expect(await violationsOf(page, rules), `${name}, ${width} px`).toEqual([]);
  if (!process.env["SCREENSHOTS"]) return;
  await page.screenshot({ path: `${folder}${name.replaceAll(/\W+/g, "-") || "landing"}-${width}.png`, fullPage: true });
}

test.for(documents.map((path) => path.replace(/index\.html$/, "")).sort())(
  "fits the window without violations: /%s",
  async (path) => {
    const { page } = shown();
    await page.goto(`${docsUrl}/${path}`);
    if (path === "reference/all/") await takenOver(page);
    await check(page, path, forms[0]);
    // Of elements that only phones show, all pages have the same.
    await check(page, path, forms[1], { runOnly: ["color-contrast"] });
  },
);

test.for(["", "guides/keys-and-limits/", "playground/", "reference/", "reference/lookupBlock/"])(
  "the keyboard reaches every control of /%s and shows it",
  async (path) => {
    const { page } = shown();
    await page.goto(`${docsUrl}/${path}`);
    await page.getByRole("heading", { level: 1 }).click();
    await expectReachedByTab(page);
  },
);

test("the search, the list of pages on a phone and responses of the playground have no violations", async () => {
  const { page } = shown();
  await page.goto(`${docsUrl}/guides/testing/`);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox", { name: "Words to search for" }).fill("block");
  await page.locator("dialog.search").getByText("lookupBlock").first().waitFor();
  for (const form of forms) await check(page, "search", form);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Guides: all pages" }).click();
  await check(page, "pages", forms[1]);
  await page.goto(`${docsUrl}/playground/?operation=getConsensusBlock&example=rate-limited`);
  expect(await send(page)).toContain("429");
  await page.getByText("Headers").click();
  for (const form of forms) await check(page, "playground-refusal", form);
});

test("an operation in Redoc has no violations, besides those of decision 214", async () => {
  const { page } = shown();
  await page.goto(`${docsUrl}/reference/all/#/blocks/lookupblock`);
  await page.getByRole("heading", { name: "Look up a block" }).waitFor();
  await takenOver(page);
  for (const form of forms)
    await check(page, "redoc-operation", form, { rules: { "page-has-heading-one": { enabled: false } } });
});
