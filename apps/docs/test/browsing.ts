/** Uses pages in a browser: navigation, screenshots, accessibility, keyboard. */
import { readFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { operations } from "@chain-query/openapi/operations";
import { sharedBrowser } from "@chain-query/testing/services";
import type { AxeResults } from "axe-core";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { operationPath } from "../src/reference/routes.ts";
import { serveDocs } from "../src/serve.ts";
import { siteFolder } from "./built-site.ts";

// Both live as long as the worker.
const served = await serveDocs({ root: siteFolder });
const browser = await chromium.connect(await sharedBrowser());

/** Address of the served site, without a trailing slash. */
export const docsUrl: string = served.url;

/** Observations while a test uses a page. */
export interface Reading {
  page: Page;
  /** Requests to other origins. */
  outside: string[];
  /** Errors and warnings on the console, exceptions, and files that failed to load. */
  complaints: string[];
}

interface ReadingOptions {
  /** Beginnings of the URLs that the page may request; default: the served site. */
  inside?: string | readonly string[];
  width?: number;
  colorScheme?: "light" | "dark";
  javaScriptEnabled?: boolean;
}

/** A page, and the reading that observes it. */
interface Tab {
  context: BrowserContext;
  page: Page;
  inside: readonly string[];
  seen: Reading;
}

/** Unused pages, with and without JavaScript: a new page takes three times as long to show the reference. */
const unused = new Map<boolean, Tab>();

/** Opens a page, and expects at the end that it requested no other origin and that nothing failed. */
export async function reading(
  use: (reading: Reading) => Promise<void>,
  { inside = docsUrl, width = 1440, colorScheme = "light", javaScriptEnabled = true }: ReadingOptions = {},
): Promise<void> {
  const tab = unused.get(javaScriptEnabled) ?? (await openTab(javaScriptEnabled));
  unused.delete(javaScriptEnabled);
  const { context, page } = tab;
  const seen: Reading = { page, outside: [], complaints: [] };
  Object.assign(tab, { inside: [inside].flat(), seen });
  try {
    await page.setViewportSize({ width, height: 1000 });
    await page.emulateMedia({ colorScheme });
    await use(seen);
    expect(seen.outside).toEqual([]);
    expect(seen.complaints).toEqual([]);
    await page.evaluate(forget);
    await page.goto("about:blank");
    unused.set(javaScriptEnabled, tab);
  } catch (error) {
    await context.close();
    throw error;
  }
}

/**
 * Opens one page for all tests of a block, which follow each other on it, because opening a page is most of the cost of a test. Has the
 * expectations of `reading` after each test.
 */
export function onePage({ inside = docsUrl, width = 1440, javaScriptEnabled = true }: ReadingOptions = {}): () => Page {
  let tab: Tab | undefined;
  beforeAll(async () => {
    tab = await openTab(javaScriptEnabled);
    tab.inside = [inside].flat();
    await tab.page.setViewportSize({ width, height: 1000 });
  });
  afterEach(() => {
    const { outside = [], complaints = [] } = tab?.seen ?? {};
    expect([outside.splice(0), complaints.splice(0)]).toEqual([[], []]);
  });
  afterAll(() => tab?.context.close());
  return () => {
    if (tab === undefined) throw new Error("the page opens before the first test");
    return tab.page;
  };
}

/** Runs in a page: clears its storage. */
const forget = `(async () => {
  if (location.protocol !== "http:") return;
  localStorage.clear();
  sessionStorage.clear();
  for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
})()`;

async function openTab(javaScriptEnabled: boolean): Promise<Tab> {
  const context = await browser.newContext({ javaScriptEnabled, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const tab: Tab = { context, page, inside: [], seen: { page, outside: [], complaints: [] } };
  const isInside = (url: string): boolean => tab.inside.some((base) => url.startsWith(base)) || /^(data|blob|about):/.test(url);
  const complain = (complaint: string): number => tab.seen.complaints.push(complaint);
  context.on("request", (request) => {
    if (!isInside(request.url())) tab.seen.outside.push(request.url());
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // The browser cancels requests of a page that it leaves.
    if (reason !== "net::ERR_ABORTED") complain(`${request.url()} failed: ${reason}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) complain(`${response.url()}: status ${response.status()}`);
  });
  context.on("console", (message) => {
    // The browser looks for the icon of documents that name none, such as Markdown.
    const isIcon = message.location().url.endsWith("/favicon.ico");
    if (["error", "warning"].includes(message.type()) && !isIcon) complain(message.text());
  });
  context.on("weberror", (error) => complain(String(error.error())));
  return tab;
}

/** Makes Redoc take the prerendered reference over, and waits until it is interactive and shows the place that the address names. */
export async function takenOver(page: Page): Promise<void> {
  await page.mouse.move(1, 1);
  await page.mouse.move(2, 2);
  await page.getByTestId("page-actions").first().getByRole("button").first().waitFor();
  // Redoc scrolls some time after it starts, and renders more on the way.
  await page.evaluate(`new Promise((resolve) => {
    let top, frames;
    const isInView = () => {
      const place = document.getElementById(location.hash.slice(1)) ?? document.getElementById(location.hash.slice(2));
      return location.hash.length < 3 || Math.abs(place?.getBoundingClientRect().top) < innerHeight;
    };
    const look = () => {
      if (scrollY !== top || !isInView()) [top, frames] = [scrollY, 0];
      // Frames, not a time: on a slow machine each takes longer.
      if (++frames < 15) requestAnimationFrame(look);
      else resolve();
    };
    requestAnimationFrame(look);
  })`);
}

/** Removes the screenshots of the last run, and returns a function that takes one if they are wanted. */
export async function screenshots(folder: string): Promise<(page: Page, name: string, whole?: boolean) => Promise<void>> {
  if (!process.env["SCREENSHOTS"]) return async () => {};
  const path = fileURLToPath(new URL(`../screenshots/${folder}/`, import.meta.url));
  await rm(path, { recursive: true, force: true });
  return async (page, name, whole = false) => {
    await page.screenshot({ path: `${path}${name}.jpeg`, fullPage: whole, type: "jpeg", quality: 85 });
  };
}

const script = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export interface AxeOptions {
  /** Rules that do not apply. */
  except?: readonly string[] | undefined;
  /** A selector of the element to check; default: the document. */
  within?: string | undefined;
}

/** All violations in a page and its frames, each as a line with rule and element. */
export async function violationsOf(page: Page, { except = [], within }: AxeOptions = {}): Promise<string[]> {
  const rules = Object.fromEntries(except.map((id) => [id, { enabled: false }]));
  // The content security policy does not apply to evaluated scripts. A page that is checked again has it already.
  for (const frame of page.frames()) if (await frame.evaluate("!globalThis.axe")) await frame.evaluate(`${script}; 0`);
  const context = within === undefined ? "document" : `document.querySelector(${JSON.stringify(within)})`;
  const { violations }: AxeResults = await page.evaluate(
    `axe.run(${context}, ${JSON.stringify({ resultTypes: ["violations"], preload: false, rules })})`,
  );
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, html }) => `${impact} ${id}: ${target} ${html}`));
}

/**
 * Runs in the page: records controls that did not get the focus, and controls that do not show it. Of a group of radio buttons, Tab
 * reaches one.
 */
const watch = (within: string): string => `(() => {
  const kinds = 'a[href], button:enabled, input:enabled:not([type="hidden"]), select:enabled, textarea:enabled, summary, [tabindex="0"]';
  // Elements with a pointer cursor count as controls, unless they contain one or are part of one.
  const handed = (element) => getComputedStyle(element).cursor === "pointer" && !element.closest(kinds) && !element.querySelector(kinds) &&
    getComputedStyle(element.parentElement).cursor !== "pointer" && !element.closest("label");
  const name = (element) => element.tagName.toLowerCase() + " " +
    (element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent).trim().slice(0, 40);
  const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const inGroup = (element) => element.type === "radio" && !element.checked && document.querySelector('input[name="' + element.name + '"]:checked');
  const usable = [...document.querySelector(${JSON.stringify(within)}).querySelectorAll("*")].filter((element) => element.matches(kinds) || handed(element));
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

/** Presses Tab until all controls of an element had the focus, up to a limit: Redoc renders more controls on the way. */
export async function expectReachedByTab(page: Page, within: string): Promise<void> {
  await page.evaluate(watch(within));
  const most = 4 * Number(await page.evaluate("focusWatch.wanted"));
  expect(most).toBeGreaterThan(0);
  const result = (): Promise<{ left: string[]; unmarked: string[] }> =>
    page.evaluate("({ left: focusWatch.left(), unmarked: focusWatch.unmarked })");
  for (let pressed = 0; pressed < most; pressed++) {
    await page.keyboard.press("Tab");
    if (pressed % 10 === 9 && (await result()).left.length === 0) break;
  }
  expect(await result()).toEqual({ left: [], unmarked: [] });
}

/** The route by which Redoc shows an operation. */
export function routeOf({ tag, id }: Pick<(typeof operations)[number], "tag" | "id">): string {
  return `#/${tag}/${id}`.toLowerCase();
}

/** Expects links of Redoc's first screen to the pages of all operations, then goes to some operations by their routes. */
export async function expectAddresses(page: Page, some: readonly (typeof operations)[number][]): Promise<void> {
  await page.evaluate('location.hash = "#/"');
  for (const { id } of operations) {
    const link = page.getByRole("link", { name: id, exact: true }).first();
    expect(await link.evaluate((element: { href: string }) => element.href)).toBe(`${docsUrl}/${operationPath(id)}`);
  }
  for (const operation of some) {
    await page.evaluate(`location.hash = ${JSON.stringify(routeOf(operation))}`);
    await page.getByRole("heading", { name: operation.summary }).waitFor();
    const name = page.locator("#redoc code").getByText(operation.id, { exact: true }).first();
    await expect.poll(async () => (await name.boundingBox())?.y).toSatisfy((y) => y > 0 && y < 700);
    await page.getByText(`/api/v2/${operation.id}`).first().waitFor();
  }
}
