/**
 * Vitest's global setup: keeps the servers that all tests of a run share. Each is started when the first test asks for it, and stopped after
 * the last one.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findBrowser, quietFlags } from "../browser.ts";
import { startPostgres } from "./postgres.ts";
import { type SharedServices, servicesVariable } from "./shared.ts";
import { packCopy } from "./tarballs.ts";

/** Runs before the first test; the function that it returns runs after the last one. */
export default async function setup(): Promise<() => Promise<void>> {
  process.env["CHAIN_QUERY_TEST_CACHE"] ||= fileURLToPath(new URL("../../../../node_modules/.cache/tests", import.meta.url));
  const running = new AsyncDisposableStack();
  if (!process.env["NODE_COMPILE_CACHE"]) {
    // Tests start the same programs hundreds of times, and compiling is a fifth of their CPU time. Not kept, since copies of the workspace in
    // temporary folders would fill it.
    const compiled = mkdtempSync(join(tmpdir(), "chain-query-compiled-"));
    process.env["NODE_COMPILE_CACHE"] = compiled;
    running.defer(() => rmSync(compiled, { recursive: true, force: true, maxRetries: 5 }));
  }
  const starters: { readonly [Name in keyof SharedServices]: () => Promise<SharedServices[Name]> } = {
    async postgres() {
      const { port, major } = running.use(
        // A vacuum takes locks that tests do not expect.
        await startPostgres({ settings: { max_connections: 400, shared_buffers: "128MB", autovacuum: "off" } }),
      );
      return { port, major };
    },
    async browser() {
      // No name resolves, so that the browser's own requests go nowhere either. Pages of one origin share a process, which is cheaper.
      const args = [...quietFlags, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--renderer-process-limit=1"];
      const browser = await chromium.launchServer({ executablePath: await findBrowser(), args });
      running.defer(() => browser.close());
      return browser.wsEndpoint();
    },
    tarballs: async () => running.use(await packCopy()),
  };
  const started = new Map<string, Promise<unknown>>();
  const server = createServer(async ({ url = "/" }, response) => {
    const name = url.slice(1);
    try {
      const start = Object.entries(starters).find(([each]) => each === name)?.[1];
      if (start === undefined) throw new Error(`there is no service ${name}`);
      if (!started.has(name)) started.set(name, start());
      response.end(JSON.stringify(await started.get(name)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  process.env[servicesVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    server.closeAllConnections();
    await running.disposeAsync();
  };
}
