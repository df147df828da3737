/** Opens the status page in the browser of the run. */
import { sharedBrowser } from "@chain-query/testing/services";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

/** The browser while the tests of a file run. */
export function connectedBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.connect(await sharedBrowser());
  });
  afterAll(() => browser.close());
  return () => browser;
}

/** Opens a page in a context of its own. Returns the page, its requests, and its console messages and errors. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; requests: string[]; messages: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const messages: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  await page.goto(url);
  await page.locator("#state", { hasText: /^Answering$/ }).waitFor();
  return { page, requests, messages };
}

/** The rules of accessibility that a page breaks. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: axe.source });
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
    ).axe.run();
    return violations.map(({ id }) => id);
  });
}

/** The number in an element of the page. */
export const numberIn = async (page: Page, id: string): Promise<number> =>
  Number.parseFloat((await page.locator(`#${id}`).textContent())?.replaceAll(",", "") ?? "");
