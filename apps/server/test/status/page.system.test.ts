import { describe, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { sharedService, startService } from "../fixtures/service.ts";
import { connectedBrowser, numberIn, openPage, violationsOn } from "./page.ts";

const browser = connectedBrowser();
const service = sharedService();

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

  test("is accessible on a phone", async () => {
    const colorScheme = "dark" as const;
    const { page } = await openPage(browser(), `${service.url}/`, {
      colorScheme,
      viewport: { width: 320, height: 700 },
      bypassCSP: true,
    });
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await page.context().close();
  });
});
