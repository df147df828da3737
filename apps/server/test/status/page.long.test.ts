import { chainSteps } from "@chain-query/local-chain";
import { sharedPostgres } from "@chain-query/testing/services";
import { describe, expect, test } from "vitest";
import { testChain } from "../fixtures/chain.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { sharedService, startService } from "../fixtures/service.ts";
import { indexOf } from "../postgres/indexed-chain.ts";
import { connectedBrowser, numberIn, openPage, violationsOn } from "./page.ts";

const browser = connectedBrowser();
const service = sharedService();

describe.concurrent("the status page", () => {
  test("shows that the service does not answer, and recovers", async () => {
    const { page } = await openPage(browser(), `${service.url}/`);
    await page.context().setOffline(true);
    await page.getByText("No response; these values are old").waitFor();
    expect(await numberIn(page, "head")).toBe(60);
    await page.context().setOffline(false);
    await page.getByText("Answering", { exact: true }).waitFor();
    await page.context().close();
  });

  test("shows that Redis is unavailable", async () => {
    await using alone = await startService({ redis: "redis://127.0.0.1:1" });
    const page = await browser().newPage();
    await page.goto(`${alone.url}/`);
    await page.getByText("Answering, but Redis is unavailable: each instance counts requests alone").waitFor();
    await page.close();
  });

  test("lists the lite servers, and shows which one fails", async ({ expect }) => {
    await using network = await startLiteNetwork(testChain, 2);
    const source = {
      kind: "network",
      servers: network.config,
      archival: undefined,
      timeout: 10,
      rate: 40,
    } as const;
    await using wire = await startService({ source });
    const { page, messages } = await openPage(browser(), `${wire.url}/`, {
      viewport: { width: 320, height: 700 },
      bypassCSP: true,
    });
    const rows = () => page.locator("#servers-rows tr").allTextContents();
    await expect.poll(async () => (await rows()).map((row) => /^[0-9a-f]{8}ready60/.test(row))).toEqual([true, true]);
    await network.stop(1);
    await expect.poll(async () => (await rows()).filter((row) => row.includes("failing")).length).toBe(1);
    expect(await page.locator("#transactions").textContent()).toBe("–");
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(messages).toEqual([]);
    await page.context().close();
  });

  test("lists the databases, and shows which one lacks blocks", async ({ expect }) => {
    const server = await sharedPostgres();
    await using primary = await indexOf(chainSteps(testChain), await server.createDatabase());
    await using replica = await indexOf(chainSteps(testChain), await server.createDatabase(), 58);
    const source = { kind: "index", primary: primary.url, replicas: [replica.url] } as const;
    await using indexed = await startService({ source });
    const { page, messages } = await openPage(browser(), `${indexed.url}/`, {
      viewport: { width: 320, height: 700 },
      bypassCSP: true,
    });
    const rows = () => page.locator("#databases-rows tr").allTextContents();
    await expect
      .poll(rows)
      .toEqual([
        expect.stringMatching(/^primaryready600/),
        expect.stringMatching(/^replica 1left out until it has new blocks58[1-9]/),
      ]);
    expect(await page.locator("#servers").isVisible()).toBe(false);
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(messages).toEqual([]);
    await page.context().close();
  });

  test("is accessible in light and 1280 wide", async () => {
    const [colorScheme, width] = ["light", 1280] as const;
    const { page } = await openPage(browser(), `${service.url}/`, {
      colorScheme,
      viewport: { width, height: 700 },
      bypassCSP: true,
    });
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await page.context().close();
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
