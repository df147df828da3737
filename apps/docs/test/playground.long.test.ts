/** The playground with the mock in the page. */
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { startMock } from "@chain-query/mock";
import { afterAll, describe, expect, test } from "vitest";
import { documentedExamples } from "../src/reference/routes.ts";
import { docsUrl } from "./browsing.ts";
import { siteFolder } from "./built-site.ts";
import { playing, send, sendExamples } from "./playground-playing.ts";

const mock = await startMock();
afterAll(() => mock.close());

const json = { "content-type": "application/json" };
const post = (path: string, body: unknown, headers = {}) =>
  [path, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) }] as const;
/** Requests to both mocks: wrong ones, undocumented ones, and the documented ones with each response. */
const questions = [
  post("/api/v2/lookupBlock", { workchain: -1, shard: "x" }),
  post("/api/v2/lookupBlock", { workchain: 0, shard: "1", seqno: 7, lt: "5", extra: true }),
  post("/api/v2/lookupBlock", { workchain: 0, shard: "1", seqno: 7, "@extra": "mine" }),
  post("/api/v2/getConsensusBlock?@extra=mine", {}),
  post("/api/v2/getAddressInformation", { address: 5 }),
  post("/api/v2/getAddressInformation", { address: `0:${"ab".repeat(32)}`, seqno: "12" }),
  post("/api/v2/getConsensusBlock", {}, { prefer: "code=504" }),
  post("/api/v2/getConsensusBlock", {}, { prefer: "code=542" }),
  post("/api/v2/getConsensusBlock", {}, { prefer: "example=nonsense" }),
  post("/api/v2/tryLocateSourceTx", {
    source: `0:${"ab".repeat(32)}`,
    destination: `0:${"cd".repeat(32)}`,
    created_lt: "9",
  }),
  post("/api/v2/getMasterchainInfo", {}),
  ["/api/v2/getConsensusBlock", { method: "POST" }],
  ["/api/v2/getConsensusBlock", { method: "POST", headers: json, body: "{" }],
  // A number that loses a digit in JavaScript.
  ["/api/v2/lookupBlock", { method: "POST", headers: json, body: '{"workchain":0,"shard":"1","lt":9007199254740993}' }],
  ["/api/v2/getTransactionsStd", {}],
  ["/api/v2/getTransactionsStd?address=abc&limit=0&archival=perhaps", {}],
  [`/api/v2/getTransactionsStd?address=0:${"ab".repeat(32)}&limit=3`, {}],
  ["/api/v2/nothing", {}],
  ...documentedExamples.map(({ condition, response, request: { path, query, method, headers, body } }) => {
    const words = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
    const options = {
      method,
      headers: { ...(body && json), prefer: `code=${response.status}, example=${condition}`, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    };
    return [`${path}?${words}`, options] as const;
  }),
] as const;

describe("playground with the mock in the page", () => {
  test("opens the first operation if its address names an unknown one, and responds like a mock on this machine", async () => {
    await playing("playground/?operation=nonsense&example=nonsense", async (page) => {
      expect(await page.getByLabel("Operation").inputValue()).toBe("getAddressInformation");
      // Screen readers read the status.
      const status = page.getByRole("status");
      expect(await status.textContent()).toBe("No request sent yet.");
      await sendExamples(page, documentedExamples);
      expect(await status.textContent()).toContain(`${documentedExamples.at(-1)?.response.status} `);
      expect(mock.requests).toEqual([]);

      const there = await Promise.all(
        questions.map(async ([path, options]) => {
          const response = await fetch(mock.url + path, options);
          return { status: response.status, body: await response.json() };
        }),
      );
      const documented = documentedExamples.map(({ response }) => response);
      expect(there.slice(-documented.length)).toEqual(documented);
      const here = await page.evaluate(
        `Promise.all(${JSON.stringify(questions)}.map(async ([path, options]) => {
          const response = await fetch("mock" + path, options);
          return { status: response.status, body: await response.json() };
        }))`,
      );
      expect(here).toEqual(there);
    });
  });

  test("explains a refused input and a 429, and keeps operation and example in its address", async () => {
    await playing("playground/?operation=lookupBlock", async (page) => {
      await page.getByLabel("seqno").fill("");
      expect(await send(page)).toContain("422 Unprocessable Content");
      const words = "exactly one of seqno, lt and unixtime is required; none is given in the body";
      expect(await page.locator(".advice").textContent()).toBe(`“${words}” The service refuses this input.`);
      expect(await page.getByLabel("Example").inputValue()).toBe("");

      await page.getByLabel("Operation").selectOption("getConsensusBlock");
      await page.getByLabel("Example").selectOption("rate-limited");
      expect(await send(page)).toContain("429 Too Many Requests");
      expect(await page.locator(".advice").textContent()).toContain("The service asks to wait 1 second (Retry-After: 1).");
      await page.getByText("Headers").click();
      expect(await page.locator("dt").allTextContents()).toContain("retry-after");

      await page.getByLabel("Operation").selectOption("getTransactionsStd");
      await page.getByLabel("Example").selectOption("last-page");
      await expect.poll(() => new URL(page.url()).search).toBe("?operation=getTransactionsStd&example=last-page");
      await page.reload();
      expect(await page.getByLabel("lt", { exact: true }).inputValue()).toBe("25000001");
      await page.getByLabel("limit").fill("3");
      await expect.poll(() => new URL(page.url()).search).toBe("?operation=getTransactionsStd");
    });
  });

  test("works below a path", async () => {
    const server = createServer(async ({ url = "" }, response) => {
      const upstream = await fetch(docsUrl + url.replace("/chain-query", ""));
      response.writeHead(upstream.status, { "content-type": upstream.headers.get("content-type") ?? "" });
      response.end(Buffer.from(await upstream.arrayBuffer()));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const base = `http://127.0.0.1:${port}/chain-query`;
      await playing(
        "playground/?operation=getMasterchainInfo",
        async (page) => {
          expect(await send(page)).toContain("200 OK");
          const worker = await page.evaluate("navigator.serviceWorker.controller.scriptURL");
          expect(worker).toBe(`${base}/playground/mockServiceWorker.js`);
        },
        { base },
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test("works from a disk, without a service worker", async () => {
    const base = pathToFileURL(siteFolder).href;
    await playing(
      "playground/index.html",
      async (page) => {
        expect(await send(page)).toContain("200 OK");
        await page.getByLabel("Example").selectOption("wrong-checksum");
        expect(await send(page)).toContain("422 Unprocessable Content");
      },
      { base },
    );
  });
});
