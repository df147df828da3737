/** The wallet page of the examples in Chromium: with the service as it starts by default, and behind a proxy that changes balances. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { sharedBrowser } from "@chain-query/testing/services";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { startService, temporaryFolder } from "./fixtures/service.ts";

const example = fileURLToPath(new URL("../../../examples/wallet-page/", import.meta.url));
const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";

/** Builds the page. Returns its files by path. */
async function builtPage(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [join(example, "main.ts"), join(example, "index.html")],
    loader: { ".html": "copy" },
    nodePaths: [fileURLToPath(new URL("../node_modules", import.meta.url))],
    ...{ bundle: true, splitting: true, format: "esm", platform: "browser", outdir: "/", write: false },
  });
  return new Map(outputFiles.map(({ path, text }) => [path, text.replace("./main.ts", "./main.js")]));
}

interface Site extends AsyncDisposable {
  readonly url: string;
  isHonest: boolean;
  /** Preferences of the forwarded requests. */
  readonly preferences: (string | undefined)[];
}

/** Serves the page, and forwards other requests to a service. Unless it is honest, it changes balances. */
async function startSite(service: string): Promise<Site> {
  const files = await builtPage();
  const server = createServer(async (request, response) => {
    const { url = "/", method = "GET", headers } = request;
    const path = url.replace(/\?.*/, "");
    const file = files.get(path === "/" ? "/index.html" : path);
    response.setHeader(
      "content-type",
      file === undefined ? "application/json" : path === "/" ? "text/html" : "text/javascript",
    );
    if (file !== undefined) {
      response.end(file);
      return;
    }
    const { host: _, connection: __, "content-length": ___, ...forwarded } = headers as Record<string, string>;
    const body = await text(request);
    site.preferences.push(forwarded["prefer"]);
    const answer = await fetch(service + url, { method, headers: forwarded, ...(body && { body }) });
    const honest = await answer.text();
    response.statusCode = answer.status;
    response.end(site.isHonest ? honest : honest.replace(/"balance":"\d+"/, '"balance":"999000000000"'));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const site: Site = {
    url: `http://127.0.0.1:${port}`,
    isHonest: false,
    preferences: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return site;
}

test("the wallet page shows what validators signed, and turns red behind a proxy that changes the balance", async () => {
  await using resources = new AsyncDisposableStack();
  const folder = join(resources.use(temporaryFolder()).path, "chain");
  const source = { kind: "chain", folder, produce: true, blockInterval: 5 } as const;
  const service = resources.use(await startService({ source }));
  const site = resources.use(await startSite(service.url));
  const browser = await chromium.connect(await sharedBrowser());
  resources.defer(() => browser.close());
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  const textOf = (id: string) => page.locator(`#${id}`).textContent();
  const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const expectVerified = async () => {
    await page.getByText(/^verified as of block \d{3,}, \d+ s ago$/).waitFor();
    expect([await textOf("balance"), await textOf("problem"), await background()]).toEqual([
      "7.49188025",
      "",
      "rgba(0, 0, 0, 0)",
    ]);
    expect(await page.locator("#transactions p").allTextContents()).toEqual([
      "2026-01-02 01:56 received 0.75, sent 0",
      "2026-01-01 20:00 received 0, sent 2.001",
      "2026-01-01 13:44 received 0.25, sent 0",
      "2026-01-01 07:14 received 0, sent 3.5",
      "2026-01-01 00:26 received 12, sent 0",
    ]);
  };

  await page.goto(`${site.url}/?address=${address}&service=${service.url}`);
  await expectVerified();
  expect(await page.evaluate<string>("Object.values(localStorage)[0]")).toContain('"seqno":800');

  await page.goto(`${site.url}/?address=${address}&service=${site.url}`);
  await page.getByText(/^answer: balance: /).waitFor();
  expect([await textOf("balance"), await textOf("verified"), await textOf("transactions"), await background()]).toEqual([
    ...["", "", "", "rgb(164, 14, 38)"],
  ]);
  // The page began at the key block that it had saved.
  expect(site.preferences).toContain("proof; key=800");
  expect(site.preferences).not.toContain("proof; key=0");

  site.isHonest = true;
  await expectVerified();
  expect(problems).toEqual([]);
});
