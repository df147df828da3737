/** The status page in the browser of the run. */
import { chainSteps } from "@chain-query/local-chain";
import { sharedBrowser, sharedPostgres } from "@chain-query/testing/services";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { testChain } from "../fixtures/chain.ts";
import { onLiteServers, startLiteNetwork } from "../fixtures/lite-network.ts";
import { sharedService, startService } from "../fixtures/service.ts";
import { indexOf } from "../postgres/indexed-chain.ts";

/** Opens a page in a context of its own. Returns the page, its requests, and its console messages and errors. */
async function openPage(
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
  await page.locator("#state", { hasText: /^Operational$/ }).waitFor();
  await page.getByText(/^network chain, version \d/).waitFor();
  return { page, requests, messages };
}

/** The rules of accessibility that a page breaks. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: axe.source });
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
    ).axe.run();
    return violations.map(({ id }) => id);
  });
}

/** The number in an element of the page. */
const numberIn = async (page: Page, id: string): Promise<number> =>
  Number.parseFloat((await page.locator(`#${id}`).textContent())?.replaceAll(",", "") ?? "");

let connected: Browser;
beforeAll(async () => {
  connected = await chromium.connect(await sharedBrowser());
});
afterAll(() => connected.close());
const browser = () => connected;
const service = sharedService();

/** Expects that a narrow page is accessible and not too wide, and that nothing was reported; then closes it. */
async function expectNarrow({ page, messages }: Awaited<ReturnType<typeof openPage>>): Promise<void> {
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  expect(messages).toEqual([]);
  await page.context().close();
}
const narrow = { viewport: { width: 320, height: 700 }, bypassCSP: true };

describe.concurrent("the status page", () => {
  test("updates itself while blocks are produced and requests arrive", async ({ expect }) => {
    await using producing = await startService({ source: { kind: "chain", produce: true } });
    const { page, requests, messages } = await openPage(browser(), `${producing.url}/`);
    const first = await numberIn(page, "head");
    expect(first).toBeGreaterThanOrEqual(60);
    await expect.poll(() => numberIn(page, "head")).toBeGreaterThan(first);
    // The producer first makes the blocks of the time since the test chain was made.
    await expect.poll(() => numberIn(page, "blocks")).toBeGreaterThan(0);
    // The page compares the counts of two times. It is half exactly, unless one of them is between the responses of a pair.
    const half = async (): Promise<number> => {
      await Promise.all([ask(producing.url, "getMasterchainInfo"), ask(producing.url, "lookupBlock")]);
      return numberIn(page, "refused");
    };
    await expect.poll(half).toBe(50);
    expect(await numberIn(page, "requests")).toBeGreaterThan(0);
    await expect.poll(() => numberIn(page, "latency")).toBeGreaterThan(0);
    expect(await page.locator("#errors").textContent()).toBe("0 %");
    expect(new Set(requests)).toEqual(new Set([`${producing.url}/`, `${producing.url}/status.json`]));
    expect(messages).toEqual([]);
    await page.context().close();
  });

  test.each([
    ["dark", 320],
    ["light", 1280],
  ] as const)("is accessible in %s and %i wide", async (colorScheme, width) => {
    const options = { colorScheme, viewport: { width, height: 700 }, bypassCSP: true };
    const { page } = await openPage(browser(), `${service.url}/`, options);
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await page.context().close();
  });

  test("shows that the service does not answer, and recovers", async () => {
    const { page } = await openPage(browser(), `${service.url}/`);
    await page.context().setOffline(true);
    await page.getByText("No response; these values are old").waitFor();
    expect(await numberIn(page, "head")).toBe(60);
    await page.context().setOffline(false);
    await page.getByText("Operational", { exact: true }).waitFor();
    await page.context().close();
  });

  test("shows that Redis is unavailable", async () => {
    await using alone = await startService({ redis: "redis://127.0.0.1:1" });
    const page = await browser().newPage();
    await page.goto(`${alone.url}/`);
    await page.getByText("Operational, but Redis is unavailable: each instance counts requests alone").waitFor();
    await page.close();
  });

  test("lists the lite servers, and shows which one fails", async ({ expect }) => {
    await using network = await startLiteNetwork(testChain, 2);
    await using wire = await startService(onLiteServers(network.config));
    const opened = await openPage(browser(), `${wire.url}/`, narrow);
    const { page } = opened;
    const rows = () => page.locator("#servers-rows tr").allTextContents();
    await expect.poll(async () => (await rows()).map((row) => /^[0-9a-f]{8}ready60/.test(row))).toEqual([true, true]);
    await network.stop(1);
    await expect.poll(async () => (await rows()).filter((row) => row.includes("failing")).length).toBe(1);
    expect(await page.locator("#transactions").textContent()).toBe("–");
    await expectNarrow(opened);
  });

  test("lists the databases, and shows which one lacks blocks", async ({ expect }) => {
    const server = await sharedPostgres();
    await using primary = await indexOf(chainSteps(testChain), await server.createDatabase());
    await using replica = await indexOf(chainSteps(testChain), await server.createDatabase(), 58);
    const source = { kind: "index", primary: primary.url, replicas: [replica.url] } as const;
    await using indexed = await startService({ source });
    const opened = await openPage(browser(), `${indexed.url}/`, narrow);
    const { page } = opened;
    const rows = () => page.locator("#databases-rows tr").allTextContents();
    await expect
      .poll(rows)
      .toEqual([
        expect.stringMatching(/^primaryready600/),
        expect.stringMatching(/^replica 1left out until it has new blocks58[1-9]/),
      ]);
    expect(await page.locator("#servers").isVisible()).toBe(false);
    await expectNarrow(opened);
  });

  test("runs no other script", async () => {
    const { page, messages } = await openPage(browser(), `${service.url}/`);
    const ran = await page.evaluate(`
      const script = document.createElement("script");
      script.textContent = "globalThis.injected = true";
      document.body.append(script);
      "injected" in globalThis;
    `);
    expect(ran).toBe(false);
    expect(messages.join()).toContain("Content Security Policy");
    await page.context().close();
  });
});
