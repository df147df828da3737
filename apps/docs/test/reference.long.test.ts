/** The reference as a reader uses it. Redoc takes a second to start, so that tests follow each other on a page. */
import { pathToFileURL } from "node:url";
import { operations } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { documentedExamples } from "../src/reference/routes.ts";
import { samplesOf } from "../src/samples/samples.ts";
import { docsUrl, expectAddresses, onePage, reading, routeOf, takenOver } from "./browsing.ts";
import { siteFolder } from "./built-site.ts";

const start = `${docsUrl}/reference/`;

const base = pathToFileURL(`${siteFolder}/`).href;
const shown = onePage({ inside: [docsUrl, base] });

describe("reference", () => {
  test.each([
    ["PageDown", (page: Page) => page.keyboard.press("PageDown")],
    [
      "the wheel",
      async (page: Page) => {
        for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, 150);
      },
    ],
  ])("stays where %s brought it when Redoc starts", async (_, scroll) => {
    // A page of its own, because Redoc's script comes from the cache of a used one, before the page has scrolled.
    const page = await shown().context().newPage();
    // The input starts Redoc, which ends the movement wherever it is, so its script waits until the page has come to rest.
    let rest = (): void => {};
    const rested = new Promise<void>((resolve) => {
      rest = resolve;
    });
    await page.route("**/assets/redoc.*.js", async (route) => {
      await rested;
      await route.continue();
    });
    await page.goto(start, { waitUntil: "networkidle" });
    const loading = page.waitForRequest("**/assets/redoc.*.js");
    await scroll(page);
    await loading;
    await page.waitForFunction("scrollY > 100");
    rest();
    await takenOver(page);
    expect(await page.evaluate("scrollY")).toBeGreaterThan(100);
    // Then a jump to the top is the reader's, such as one by the scroll bar.
    await page.evaluate(`new Promise((resolve) => {
      let frames = 90;
      const wait = () => (frames-- > 0 ? requestAnimationFrame(wait) : resolve());
      wait();
    })`);
    await page.evaluate("scrollTo(0, 0)");
    expect(
      await page.evaluate(
        "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(scrollY))))",
      ),
    ).toBe(0);
    await page.close();
  });

  test("offers to copy a page, and not to send it to other services", async () => {
    await shown().goto(start);
    await takenOver(shown());
    expect(await shown().getByTestId("page-actions").first().getByRole("button").allTextContents()).toEqual(["Copy"]);
  });

  test("switches between one column and two by keyboard", async () => {
    const page = shown();
    const left = async (): Promise<number> => (await page.getByTestId("right-panel").first().boundingBox())?.x ?? 0;
    const beside = await left();
    const columns = page.getByRole("button", { name: "One column or two" });
    await columns.press("Space");
    await expect.poll(left).toBeLessThan(beside);
    await columns.press("Enter");
    await expect.poll(left).toBe(beside);
  });

  test("leads from the first screen to the page of every operation, and brings operations into view by their routes", async () => {
    await expectAddresses(shown(), operations);
  });

  // Redoc renders the page again for each language; the first and the last are enough.
  test("shows the code of an operation's first example in the chosen language", async () => {
    const page = shown();
    await page.evaluate(`location.hash = ${JSON.stringify(routeOf({ tag: "Blocks", id: "lookupBlock" }))}`);
    const panel = page.locator(
      '[id="/blocks/lookupblock"] .panel-request-samples, [id="blocks/lookupblock"] .panel-request-samples',
    );
    const example = documentedExamples.find(({ operationId }) => operationId === "lookupBlock");
    if (example === undefined) throw new Error("lookupBlock has no example");
    const samples = samplesOf({ operationId: "lookupBlock", ...example.request }, "http://127.0.0.1:4010", false);
    const button = panel.getByText(/^(curl|Client|fetch|Python|Go|Payload)$/).first();
    for (const { label, source } of [...samples.slice(0, 1), ...samples.slice(-1)]) {
      // The menu opens beside its button, and outside of the viewport if that is at the edge.
      await button.evaluate((element: { scrollIntoView(options: object): void }) =>
        element.scrollIntoView({ block: "center" }),
      );
      await button.click();
      await page.getByRole("menuitem", { name: label, exact: true }).click();
      await expect.poll(async () => (await panel.locator("pre").textContent())?.trim()).toBe(source);
    }
  });

  test("says that no key is needed", async () => {
    await shown().getByText("View security details").last().click();
    await shown()
      .getByText(/Requests without one are served too/)
      .first()
      .waitFor();
  });

  test("explains the decisions of an operation, and links to them", async () => {
    const page = shown();
    const choice = page
      .locator("blockquote")
      .filter({ hasText: "The source document leaves this open; we chose: By seqno that block" });
    // By keyboard: a dialog may be open.
    await choice.getByRole("link", { name: "D-12" }).press("Enter");
    await page.getByRole("heading", { name: /D-12/ }).waitFor();
    expect(page.url()).toBe(`${docsUrl}/decisions/#d-12`);
  });

  test("works as plain files, without a server", async () => {
    const page = shown();
    await page.goto(`${base}reference/index.html`);
    await page.keyboard.press("Tab");
    await page.getByTestId("page-actions").first().getByRole("button", { name: "Copy" }).waitFor();
    await page.keyboard.press("Control+k");
    const dialog = page.getByTestId("search-dialog");
    await dialog.waitFor();
    await page.keyboard.type("consensus");
    await dialog.getByText("/api/v2/getConsensusBlock").first().click();
    await page.getByRole("heading", { name: "Read the latest consensus block" }).waitFor();
  });
});

describe("reference on a phone", () => {
  test("fits, and brings operations into view by their routes", async () => {
    const page = shown();
    await page.setViewportSize({ width: 390, height: 1000 });
    // For the test of the telemetry.
    await page.clock.install();
    await page.goto(start);
    await takenOver(page);
    await page.evaluate(`location.hash = ${JSON.stringify(routeOf({ tag: "Transactions", id: "getTransactionsStd" }))}`);
    await page.getByRole("heading", { name: "List the transactions of an account" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await expectAddresses(page, operations);
  });

  test("opens the menu on demand", async () => {
    await shown().getByRole("button", { name: "Open navigation menu" }).click();
    await shown().getByTestId("menu-item-label").filter({ hasText: "Blocks" }).waitFor();
  });

  test("sends no telemetry, however long it is open", async () => {
    for (let minute = 0; minute < 3; minute++) await shown().clock.runFor(60_000);
    await shown().goto(`${docsUrl}/favicon.svg`);
  });
});

describe("reference without JavaScript", () => {
  test("names every operation and leads to the Markdown version", async () => {
    await reading(
      async ({ page }) => {
        await page.goto(start);
        await page.getByRole("heading", { name: "Operations" }).waitFor();
        for (const { id } of operations) await page.getByText(id, { exact: true }).first().waitFor();
        await page.locator('a[href="../openapi.yaml"]').first().waitFor();
        expect(await page.locator("#redoc .menu-content").isVisible()).toBe(false);
        expect(await page.getByRole("link", { name: "as Markdown" }).getAttribute("href")).toBe("../reference.md");
      },
      { javaScriptEnabled: false },
    );
  });
});
