/** The playground with a service: a mock on this machine, a server that records requests, and none. */
import { createServer } from "node:http";
import { startMock } from "@chain-query/mock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { documentedExamples } from "../src/reference/routes.ts";
import { sampleLabels } from "../src/samples/samples.ts";
import { serveDocs } from "../src/serve.ts";
import { docsUrl, reading } from "./browsing.ts";
import { siteFolder } from "./built-site.ts";
import { choose, code, playing, responseBody, send, settled } from "./playground-playing.ts";

const mock = await startMock();
afterAll(() => mock.close());
beforeEach(() => mock.reset());

describe("playground with a service", () => {
  test("sends the form, shows the response, a 422 and a 429 of the service, and cancels a request", async () => {
    await playing(
      "playground/?operation=lookupBlock&example=by-lt",
      async (page) => {
        await choose(page, `${mock.url}/`);
        expect(await page.getByLabel("The service at").isChecked()).toBe(true);
        expect(await send(page)).toMatch(/^200 OK \d+(\.\d)? ms, \d+ bytes$/);
        const example = documentedExamples.find(({ condition }) => condition === "by-lt");
        expect(await responseBody(page)).toEqual(example?.response.body);
        const { method, path, body } = mock.requests.at(-1) ?? {};
        expect({ method, path, body }).toEqual({ method: "POST", path: "/api/v2/lookupBlock", body: example?.request.body });

        await page.getByLabel("Operation").selectOption("getAddressInformation");
        await page.getByLabel("address").fill("nonsense");
        expect(await send(page)).toContain("422 Unprocessable Content");
        expect(await page.locator(".advice").textContent()).toContain(`address: got "nonsense", expected an address`);
        mock.override("getAddressInformation", () => ({ status: 429, headers: { "retry-after": "7" }, body: { ok: false } }));
        await page.getByLabel("Example").selectOption("active");
        expect(await send(page)).toContain("wait 7 seconds (Retry-After: 7)");

        let asked: () => void = () => undefined;
        const reached = new Promise<void>((resolve) => {
          asked = resolve;
        });
        mock.override("getMasterchainInfo", () => {
          asked();
          return new Promise(() => undefined);
        });
        await page.getByLabel("Operation").selectOption("getMasterchainInfo");
        await page.getByRole("button", { name: "Send" }).click();
        await reached;
        await page.getByRole("button", { name: "Cancel" }).click();
        expect(await settled(page)).toContain("Cancelled");
        expect(await page.getByRole("button", { name: "Cancel" }).isVisible()).toBe(false);
        expect(await page.evaluate("document.activeElement.textContent")).toBe("Send");
      },
      { service: mock.url },
    );
  });

  test("selects the service that the site is configured with", async () => {
    await using served = await serveDocs({ root: siteFolder, service: mock.url });
    const there = { base: served.url, service: mock.url };
    await playing(
      "playground/?operation=getMasterchainInfo",
      async (page) => {
        await expect.poll(() => page.getByLabel("The service at").isChecked()).toBe(true);
        expect(await page.getByLabel("Base URL of the service").inputValue()).toBe(mock.url);
        expect(await code(page)).toBe(`curl ${mock.url}/api/v2/getMasterchainInfo`);
        await send(page);
        expect(mock.requests).toHaveLength(1);
      },
      there,
    );
  });

  test("selects the service that serves the site, which names itself by a relative address", async () => {
    await using served = await serveDocs({ root: siteFolder, service: ".." });
    await playing(
      "playground/?operation=getMasterchainInfo",
      async (page) => {
        await expect.poll(() => page.getByLabel("Base URL of the service").inputValue()).toBe(served.url);
        expect(await code(page)).toBe(`curl ${served.url}/api/v2/getMasterchainInfo`);
      },
      { base: served.url },
    );
  });

  test("is in the samples of guides and reference, except for samples that start a mock", async () => {
    const service = "http://127.0.0.1:4999/chain";
    await using served = await serveDocs({ root: siteFolder, service });
    await reading(
      async ({ page }) => {
        const samples = () => page.locator("figure.code:not(.printed) code").allTextContents();
        await page.goto(`${served.url}/guides/quick-start/`);
        await expect.poll(async () => (await samples()).join("\n")).toContain(`curl -s ${service}/api/v2/getMasterchainInfo`);
        const others = (await samples()).filter((text) => text.includes("http://127.0.0.1:4010"));
        expect(others.every((text) => text.includes("npx @chain-query/mock"))).toBe(true);
        await page.goto(`${served.url}/reference/lookupBlock/`);
        await expect.poll(async () => (await samples()).join("\n")).toContain(`curl ${service}/api/v2/lookupBlock`);
        await page.goto(`${served.url}/reference/#/blocks`);
        await expect
          .poll(() => page.locator("main, #redoc").first().textContent())
          .toContain(`${service}/api/v2/getConsensusBlock`);
      },
      { inside: served.url },
    );
  });

  test("sends a key only to the service and does not store it", async () => {
    const key = "a-secret-key";
    const seen: (string | undefined)[] = [];
    const service = createServer(({ headers, method }, response) => {
      const corsHeaders = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
      if (method !== "OPTIONS") seen.push(headers["x-api-key"]?.toString());
      response.writeHead(method === "OPTIONS" ? 204 : 200, corsHeaders).end(method === "OPTIONS" ? undefined : "{}");
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const address = service.address();
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    try {
      await playing(
        "playground/?operation=getMasterchainInfo",
        async (page) => {
          await choose(page, url);
          await page.getByLabel("X-API-Key").fill(key);
          for (const language of sampleLabels) {
            await page.getByRole("radio", { name: language }).check();
            expect(await code(page)).toContain("CHAIN_API_KEY");
            expect(await code(page)).not.toContain(key);
          }
          await send(page);
          expect(seen).toEqual([key]);
          const kept =
            "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])";
          expect(await page.evaluate(kept)).not.toContain(key);
          expect(await page.evaluate("indexedDB.databases()")).toEqual([]);
          await page.reload();
          await page.getByLabel("Operation").waitFor();
          expect(await page.getByLabel("X-API-Key").inputValue()).toBe("");
        },
        { service: url },
      );
    } finally {
      service.close();
      service.closeAllConnections();
    }
  });

  test("explains a missing response and an invalid address", async () => {
    await reading(async ({ page, outside, complaints }) => {
      await page.goto(`${docsUrl}/playground/?operation=getMasterchainInfo`);
      await choose(page, "http://127.0.0.1:9");
      expect(await send(page)).toContain("No response from http://127.0.0.1:9.");
      await choose(page, "localhost");
      expect(await send(page)).toContain("Base URL: expected http:// or https://");
      await choose(page, "http://me:secret@127.0.0.1:9");
      expect(await send(page)).toContain("Base URL: expected no user name and no password.");
      expect(outside).toEqual(["http://127.0.0.1:9/api/v2/getMasterchainInfo"]);
      outside.splice(0);
      complaints.splice(0);
    });
  });
});
