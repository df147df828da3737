/** Chromium verifies answers on a secure page, by WebCrypto, and on one that is not, where a script replaces it. */
import { fileURLToPath } from "node:url";
import type { createClient } from "@chain-query/client";
import type * as verify from "@chain-query/client/verify";
import { accountName } from "@chain-query/format/identifiers";
import { findBrowser, quietFlags } from "@chain-query/testing/browser";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountsOf } from "../fuzz/requests.ts";
import { provingService } from "./fixtures/proving-service.ts";

let browser: Browser;
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: await findBrowser(), args: quietFlags });
  const contents = 'export { createClient } from "@chain-query/client"; export * from "@chain-query/client/verify";';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    ...{ bundle: true, splitting: true, format: "esm", platform: "browser", outdir: "/", write: false },
  });
  files = new Map(outputFiles.map(({ path, text }) => [path, text]));
});
afterAll(() => browser.close());

test.for([
  ["a secure", "http://localhost:9", true],
  ["an insecure", "http://wallet.example", false],
] as const)("on %s page", async ([, origin, isSecureContext]) => {
  const { client, trust, chain } = await provingService();
  const address = accountName(accountsOf(chain)[3] ?? expect.unreachable());
  const textOf = async (call: PromiseLike<unknown> & { withResponse(): Promise<{ envelope: unknown }> }) =>
    JSON.stringify((await call.withResponse()).envelope);
  const headers = { prefer: "proof" };
  const bodies = {
    links: await textOf(client.getMasterchainInfo({ headers: { prefer: "proof; key=0" } })),
    account: await textOf(client.getAddressInformation({ address }, { headers })),
  };
  const page = await browser.newPage();
  const requested: string[] = [];
  await page.route("**/*", (route) => {
    const { pathname } = new URL(route.request().url());
    requested.push(pathname);
    const body = files.get(pathname);
    return route.fulfill({ contentType: body ? "text/javascript" : "text/html", body: body ?? "<p>" });
  });
  await page.goto(`${origin}/`);
  const { rootHash, fileHash } = trust.keyBlock;
  const given = {
    ...{ address, bodies, keyBlock: trust.keyBlock, now: (chain.head().block.time + 3) * 1_000 },
    network: { name: "chain", globalId: 1001, zeroState: { rootHash, fileHash } },
  };
  const seen = await page.evaluate(async ({ address, bodies, keyBlock, network, now }) => {
    // The bundler of the tests would replace an import expression.
    const imported: typeof verify & { readonly createClient: typeof createClient } = await new Function(
      'return import("/stdin.js")',
    )();
    const { trustStore, verifying } = imported;
    let body = bodies.links;
    const fetch = async (): Promise<Response> => new Response(body);
    const plain = imported.createClient({ baseUrl: "http://127.0.0.1:1", retry: false, fetch });
    const store = trustStore({ network, keyBlock, now: () => now });
    await store.advance(plain);
    const chain = verifying(plain, { trust: store });
    body = bodies.account;
    const { balance } = await chain.getAddressInformation({ address });
    body = body.replace(`"balance":"${balance}"`, '"balance":"1"');
    const lie = await chain.getAddressInformation({ address }).then(String, ({ part, path }) => `${part} ${path}`);
    return { isSecureContext, balance, lie };
  }, given);
  const { balance } = await client.getAddressInformation({ address });
  expect(seen).toEqual({ isSecureContext, balance, lie: "answer balance" });
  expect(requested.some((path) => path.includes("ed25519"))).toBe(!isSecureContext);
  await page.close();
});
