/** Uses pages in a browser: one page for the tests of a file, accessibility, keyboard, and the playground. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { sharedBrowser } from "@chain-query/testing/services";
import type { AxeResults, RunOptions } from "axe-core";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { serveDocs } from "../src/serve.ts";
import { siteFolder } from "./built-site.ts";

// Both live as long as the worker.
const served = await serveDocs({ root: siteFolder });
const browser = await chromium.connect(await sharedBrowser());

/** Address of the served site, without a trailing slash. */
export const docsUrl: string = served.url;

/** A page of the browser, and what it did. */
export interface Tab {
  page: Page;
  /** Beginnings of the URLs that it may request; the served site. */
  inside: string[];
  /** Requests to others. */
  outside: string[];
  /** Errors and warnings on the console, exceptions, and files that failed to load. */
  complaints: string[];
}

/** Opens one page for all tests of a file. After each test, expects that it requested no other origin and that nothing failed. */
export function onePage({ javaScriptEnabled = true }: { javaScriptEnabled?: boolean } = {}): () => Tab {
  let context: BrowserContext | undefined;
  let tab: Tab | undefined;
  beforeAll(async () => {
    context = await browser.newContext({ javaScriptEnabled, permissions: ["clipboard-read", "clipboard-write"] });
    tab = observed(await context.newPage(), context);
  });
  afterEach(async () => {
    const { page, outside = [], complaints = [], inside } = tab ?? {};
    // The page may go on to request.
    await page?.goto("about:blank");
    inside?.splice(1);
    await page?.setViewportSize({ width: 1280, height: 900 });
    await page?.emulateMedia({ colorScheme: "light", media: null });
    expect([outside.splice(0), complaints.splice(0)]).toEqual([[], []]);
  });
  afterAll(() => context?.close());
  return () => {
    if (tab === undefined) throw new Error("the page opens before the first test");
    return tab;
  };
}

function observed(page: Page, context: BrowserContext): Tab {
  const tab: Tab = { page, inside: [docsUrl], outside: [], complaints: [] };
  const isInside = (url: string): boolean => tab.inside.some((base) => url.startsWith(base)) || /^(data|blob|about):/.test(url);
  context.on("request", (request) => {
    if (!isInside(request.url())) tab.outside.push(request.url());
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // The browser cancels requests of a page that it leaves.
    if (reason !== "net::ERR_ABORTED") tab.complaints.push(`${request.url()} failed: ${reason}`);
  });
  context.on("console", (message) => {
    // The browser looks for the icon of documents that name none, such as Markdown.
    const isIcon = message.location().url.endsWith("/favicon.ico");
    if (["error", "warning"].includes(message.type()) && !isIcon) tab.complaints.push(message.text());
  });
  context.on("weberror", (error) => tab.complaints.push(String(error.error())));
  return tab;
}

/** Makes Redoc take over the page with the whole contract, and waits until it is interactive. */
export async function takenOver(page: Page): Promise<void> {
  await page.mouse.move(1, 1);
  await page.mouse.move(2, 2);
  await page.getByTestId("page-actions").first().getByRole("button").first().waitFor();
}

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** All violations in a page, each as a line with rule and element. */
export async function violationsOf(page: Page, rules: Pick<RunOptions, "rules" | "runOnly"> = {}): Promise<string[]> {
  // The content security policy does not apply to evaluated scripts.
  if (await page.evaluate("!globalThis.axe")) await page.evaluate(`${axe}; 0`);
  // Half-way colours of a transition have less contrast.
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
    .map(({ finished }) => finished.catch(() => {})))`);
  const options = JSON.stringify({ resultTypes: ["violations"], preload: false, ...rules });
  const { violations }: AxeResults = await page.evaluate(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, html }) => `${impact} ${id}: ${target} ${html}`));
}

/** Presses Tab until all controls of the page had the focus, and expects that each showed it. */
export async function expectReachedByTab(page: Page): Promise<void> {
  const controls: number = await page.evaluate(`(() => {
    const kinds = 'a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex="0"]';
    const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
    // Of a group of radio buttons, Tab reaches one.
    const inGroup = (element) => element.type === "radio" && !element.checked;
    const look = (element) => { const { outlineStyle, boxShadow, borderColor, backgroundColor } = getComputedStyle(element); return [outlineStyle, boxShadow, borderColor, backgroundColor].join(); };
    const around = (element) => [element, element.nextElementSibling].filter(Boolean).map(look).join();
    const left = new Map([...document.querySelectorAll(kinds)]
      .filter((element) => seen(element) && !inGroup(element)).map((element) => [element, around(element)]));
    globalThis.focusWatch = { left, unmarked: [] };
    addEventListener("focusin", ({ target }) => {
      if (left.get(target) === around(target)) focusWatch.unmarked.push(target.outerHTML);
      left.delete(target);
    });
    return left.size;
  })()`);
  expect(controls).toBeGreaterThan(0);
  for (let pressed = 0; pressed < controls + 5; pressed++) await page.keyboard.press("Tab");
  const result = await page.evaluate("[[...focusWatch.left.keys()].map((element) => element.outerHTML), focusWatch.unmarked]");
  expect(result).toEqual([[], []]);
}

/** Sends the form of the playground and returns the outcome in words. */
export async function send(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Send" }).click();
  return outcomeOf(page);
}

/** Waits for the outcome of a request, in words. */
export async function outcomeOf(page: Page): Promise<string> {
  const outcome = page.locator(".outcome:is(.success, .failure)");
  await outcome.waitFor();
  return (await outcome.textContent()) ?? "";
}
