import { findBrowser, quietFlags } from "@chain-query/browser";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../ask.ts";
import { startProducing } from "../producing.ts";
import { startService } from "../service.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: await findBrowser(), args: quietFlags });
});
afterAll(() => browser.close());

/** A page, what it asked for, and what the browser complained of. */
async function opened(
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; asked: string[]; complaints: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(url);
  await page.getByText("Answering", { exact: true }).waitFor();
  return { page, asked, complaints };
}

const numberIn = async (page: Page, id: string): Promise<number> =>
  Number.parseFloat((await page.locator(`#${id}`).textContent())?.replaceAll(",", "") ?? "");

const eventually = <Value>(value: () => Promise<Value>) => expect.poll(value, { timeout: 30_000 });

describe("the status page", () => {
  test("moves by itself while blocks are made and requests come", async () => {
    await using service = await startProducing();
    const { page, asked, complaints } = await opened(`${service.url}/`);
    const first = await numberIn(page, "head");
    expect(first).toBeGreaterThanOrEqual(60);
    for (let turn = 0; turn < 10; turn++) await ask(service.url, turn < 5 ? "getMasterchainInfo" : "lookupBlock");
    await eventually(() => numberIn(page, "requests")).toBeGreaterThan(0);
    await eventually(() => numberIn(page, "refused")).toBe(50);
    await eventually(() => numberIn(page, "head")).toBeGreaterThan(first);
    await eventually(() => numberIn(page, "blocks")).toBeGreaterThan(0);
    await eventually(() => numberIn(page, "latency")).toBeGreaterThan(0);
    expect(await page.locator("#errors").textContent()).toBe("0 %");
    expect(new Set(asked)).toEqual(new Set([`${service.url}/`, `${service.url}/status.json`]));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("says that there is no answer, and goes on when there is one again", async () => {
    await using service = await startService();
    const { page } = await opened(`${service.url}/`);
    await page.context().setOffline(true);
    await page.getByText("No answer; what stands here is old").waitFor();
    expect(await numberIn(page, "head")).toBe(60);
    await page.context().setOffline(false);
    await page.getByText("Answering", { exact: true }).waitFor();
    await page.context().close();
  });

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 320],
    ["dark", 320],
  ] as const)("is accessible in %s and %i wide", async (colorScheme, width) => {
    await using service = await startService();
    const { page } = await opened(`${service.url}/`, { colorScheme, viewport: { width, height: 700 }, bypassCSP: true });
    await page.addScriptTag({ content: axe.source });
    const violations = await page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
      ).axe.run();
      return violations.map(({ id }) => id);
    });
    expect(violations).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await page.context().close();
  });

  test("lets nothing run that it did not bring", async () => {
    await using service = await startService();
    const { page, complaints } = await opened(`${service.url}/`);
    const ran = await page.evaluate(`
      const script = document.createElement("script");
      script.textContent = "globalThis.intruder = true";
      document.body.append(script);
      "intruder" in globalThis;
    `);
    expect(ran).toBe(false);
    expect(complaints.join()).toContain("Content Security Policy");
    await page.context().close();
  });
});
