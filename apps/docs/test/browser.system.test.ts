/** The promises of the pages in a browser. Long tests check every page for accessibility. */
import { createServer } from "node:http";
import { type Mock, startMock } from "@chain-query/mock";
import { operations } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleLabels } from "../src/samples/samples.ts";
import { serveDocs } from "../src/serve.ts";
import { docsUrl, onePage, outcomeOf, send, takenOver } from "./browsing.ts";
import { siteFolder } from "./built-site.ts";

const shown = onePage();
const background = (page: Page): Promise<string> => page.evaluate("getComputedStyle(document.body).backgroundColor");
const colours = { light: "rgb(255, 255, 255)", dark: "rgb(14, 19, 27)" };

/** Results of the search, the best first. */
async function find(page: Page, words: string): Promise<string[]> {
  await page.getByRole("searchbox", { name: "Words to search for" }).fill(words);
  return page.locator("dialog.search li strong").allTextContents();
}

describe("pages", () => {
  test("follow the system until the reader chooses a colour scheme, and keep it from page to page", async () => {
    const { page } = shown();
    await page.goto(docsUrl);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => background(page)).toBe(colours[colorScheme]);
    }
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    await page.goto(`${docsUrl}/guides/quick-start/`);
    expect(await background(page)).toBe(colours.dark);
    await page.evaluate("localStorage.clear()");
  });

  test("copy code", async () => {
    const { page } = shown();
    await page.goto(`${docsUrl}/guides/quick-start/`);
    await page.locator("figure.code").first().getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("npx @chain-query/mock");
  });

  test("load the search when it is opened, and find by keyboard", async () => {
    const { page } = shown();
    await page.goto(`${docsUrl}/guides/testing/`, { waitUntil: "networkidle" });
    const loaded = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/search')).length";
    expect(await page.evaluate(loaded)).toBe(0);
    await page.keyboard.press("Control+k");
    expect((await find(page, "getout"))[0]).toBe("getOutMsgQueueSize");
    expect(await find(page, "xyzzy")).toEqual([]);
    await page.getByText("No results for xyzzy.").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog.search").isVisible()).toBe(false);
    await page.keyboard.press("/");
    await find(page, "D-42");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${docsUrl}/decisions/#d-42`);
  });

  test("let the keyboard skip the navigation, mark the current heading, and list the pages on a phone", async () => {
    const { page } = shown();
    await page.goto(`${docsUrl}/guides/errors-and-retries/`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await page.goto(`${docsUrl}/guides/errors-and-retries/#timeouts`);
    await expect.poll(() => page.locator(".outline [aria-current]").allTextContents()).toEqual(["Timeouts"]);
    await page.setViewportSize({ width: 390, height: 844 });
    const entry = page.locator("#pages").getByRole("link", { name: "Testing a deployment" });
    expect(await entry.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Guides: all pages" }).click();
    await entry.click();
    await page.getByRole("heading", { level: 1, name: "Testing a deployment" }).waitFor();
  });

  test("lead from an unknown address of any depth to the landing page", async () => {
    const { page, complaints } = shown();
    const response = await page.goto(`${docsUrl}/no/such/page`);
    expect(response?.status()).toBe(404);
    await page.getByRole("button", { name: "Search guides, client and operations" }).click();
    expect((await find(page, "lookupBlock"))[0]).toBe("lookupBlock");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "To the start" }).click();
    await page.waitForURL(`${docsUrl}/`);
    // The address itself.
    expect(complaints.splice(0).join()).toContain("404");
  });
});

describe("the page of an operation", () => {
  test("has the request beside its response on the first screen, and the first parameter below", async () => {
    const { page } = shown();
    await page.goto(`${docsUrl}/reference/lookupBlock/`);
    const boxes = await Promise.all([".samples", ".response"].map((each) => page.locator(each).boundingBox()));
    expect(boxes[0]?.y).toBe(boxes[1]?.y);
    expect((await page.locator("#parameters ~ ul li").first().boundingBox())?.y).toBeLessThan(900);
  });

  test.for(["#operation/lookupBlock", "#lookupBlock", "#/blocks/lookupblock", "#tag/Blocks/operation/lookupBlock"])(
    "opens from its old address %s",
    async (fragment) => {
      const { page } = shown();
      await page.goto("about:blank");
      await page.goto(`${docsUrl}/reference/${fragment}`);
      await page.waitForURL(`${docsUrl}/reference/lookupBlock/`);
    },
  );

  test("opens the playground with its inputs", async () => {
    const { page } = shown();
    await page.goto(`${docsUrl}/reference/lookupBlock/`);
    await page.getByRole("link", { name: "The masterchain block with a seqno" }).click();
    await page.getByLabel("seqno").fill("77");
    expect(await send(page)).toMatch(/^200 /);
    expect(await page.getByLabel("Body of the response").textContent()).toContain('"seqno": 77');
  });
});

test("the whole contract runs Redoc at the first interaction, shows an operation by its route, and leaves the search to the site", async () => {
  const { page } = shown();
  await page.goto(`${docsUrl}/reference/all/`, { waitUntil: "networkidle" });
  const loaded = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/redoc')).length";
  expect(await page.evaluate(loaded)).toBe(0);
  await takenOver(page);
  await page.evaluate('location.hash = "#/blocks/lookupblock"');
  await page.getByRole("heading", { name: "Look up a block" }).waitFor();
  expect(await page.getByTestId("search-trigger").isVisible()).toBe(false);
  await page.keyboard.press("Control+k");
  await page.locator("dialog.search input:focus").waitFor();
  await page.keyboard.type("outbound");
  await page.locator("dialog.search a", { hasText: "getOutMsgQueueSize" }).first().waitFor();
});

test("pages print whole: the whole contract with every operation, and code without a height", async () => {
  const { page } = shown();
  const printed = () => page.locator("article h1:visible").allTextContents();
  await page.goto(`${docsUrl}/reference/all/`);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect((await printed()).toSorted()).toEqual(["API reference", ...operations.map(({ id }) => id)].toSorted());
  expect(await page.locator("#redoc").isVisible()).toBe(false);
  const boxes = "[...document.querySelectorAll('pre')].filter((pre) => pre.checkVisibility())";
  expect(
    await page.evaluate(`${boxes}.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1).length`),
  ).toBe(0);
  expect(await page.evaluate(`${boxes}.length`)).toBe(operations.length * 2 + 1);
  expect(await background(page)).toBe(colours.light);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await printed()).toEqual([]);
});

describe("the playground", () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock?.close());

  test("responds in the page like a mock on this machine", async () => {
    const { page } = shown();
    await page.goto(`${docsUrl}/playground/`);
    expect(await page.getByRole("status").textContent()).toBe("No request sent yet.");
    for (const { operationId, condition, response } of operations.flatMap(({ examples }) => examples)) {
      await page.getByLabel("Operation").selectOption(operationId);
      await page.getByLabel("Example").selectOption(condition);
      expect(await send(page), `${operationId}, ${condition}`).toContain(`${response.status}`);
      expect(JSON.parse((await page.getByLabel("Body of the response").textContent()) ?? "")).toEqual(response.body);
    }
    expect(mock.requests).toEqual([]);
    await page.getByLabel("Operation").selectOption("lookupBlock");
    await page.getByLabel("seqno").fill("");
    expect(await send(page)).toContain("exactly one of seqno, lt and unixtime is required");
  });

  test("keeps operation and example in its address", async () => {
    const { page } = shown();
    await page.goto(`${docsUrl}/playground/?operation=getTransactionsStd&example=last-page`);
    expect(await page.getByLabel("lt", { exact: true }).inputValue()).toBe("25000001");
    await page.getByLabel("limit").fill("3");
    await expect.poll(() => new URL(page.url()).search).toBe("?operation=getTransactionsStd");
  });

  test("sends to the service that the site is configured with, and cancels", async () => {
    const { page, inside } = shown();
    await using served = await serveDocs({ root: siteFolder, service: mock.url });
    inside.push(served.url, mock.url);
    await page.goto(`${served.url}/playground/?operation=lookupBlock&example=by-lt`);
    await expect.poll(() => page.getByLabel("The service at").isChecked()).toBe(true);
    expect(await page.getByLabel("The request as code").textContent()).toContain(`${mock.url}/api/v2/lookupBlock`);
    await page.getByText(`To the service at ${mock.url}`).waitFor();
    expect(await send(page)).toMatch(/^200 OK \d+ ms, \d+ bytes/);
    expect(mock.requests.at(-1)).toMatchObject({ method: "POST", path: "/api/v2/lookupBlock" });
    mock.override("lookupBlock", () => new Promise(() => undefined));
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Waiting for the response").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await outcomeOf(page)).toContain("Cancelled");
    mock.reset();
  });

  test("sends a key only to the service and does not store it", async () => {
    const { page, inside } = shown();
    const key = "a-secret-key";
    const seen: unknown[] = [];
    const service = createServer(({ headers, method }, response) => {
      if (method !== "OPTIONS") seen.push(headers["x-api-key"]);
      response.writeHead(200, { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }).end("{}");
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = Object(service.address());
      inside.push(`http://127.0.0.1:${port}`);
      await page.goto(`${docsUrl}/playground/?operation=getMasterchainInfo`);
      await page.getByLabel("Base URL of the service").fill(`http://127.0.0.1:${port}/`);
      await page.getByLabel("X-API-Key").fill(key);
      for (const language of sampleLabels) {
        await page.getByRole("radio", { name: language }).check();
        const code = await page.getByLabel("The request as code").textContent();
        expect([code?.includes("CHAIN_API_KEY"), code?.includes(key)]).toEqual([true, false]);
      }
      await send(page);
      expect(seen).toEqual([key]);
      const kept =
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])";
      expect(await page.evaluate(kept)).not.toContain(key);
    } finally {
      service.close();
      service.closeAllConnections();
    }
  });

  test("explains a missing response and an invalid address", async () => {
    const { page, outside, complaints } = shown();
    await page.goto(`${docsUrl}/playground/?operation=getMasterchainInfo`);
    const base = page.getByLabel("Base URL of the service");
    await base.fill("http://127.0.0.1:9");
    expect(await send(page)).toContain("No response from http://127.0.0.1:9.");
    await base.fill("localhost");
    expect(await send(page)).toContain("Base URL: expected http:// or https://");
    expect(outside.splice(0)).toEqual(["http://127.0.0.1:9/api/v2/getMasterchainInfo"]);
    complaints.splice(0);
  });
});
