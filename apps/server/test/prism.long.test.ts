/** Prism validates every response of the service against the contract: a second opinion, by another validator. */
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { validateService } from "@chain-query/conformance";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { describe, expect, test } from "vitest";
import { busiestOf, copyGrowingChain } from "./fixtures/chain.ts";
import { startService, temporaryFolder } from "./fixtures/service.ts";

/** Milliseconds. The proxy never answers a body that is not JSON, which the kit sends to five operations. */
const timeout = 2000;

interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** The violations in the responses so far, and their number. */
  readonly violations: string[];
  readonly answered: () => number;
}

/** Starts the proxy. It does not validate requests, so that the service answers invalid ones as well. */
async function proxyTo(upstream: string): Promise<Proxy> {
  const operations = await getHttpOperationsFromSpec(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")));
  const server = createServer(operations, {
    cors: false,
    components: { logger: createLogger("proxy", { enabled: false }) },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      errors: true,
      validateRequest: false,
      validateResponse: true,
      checkSecurity: false,
      mock: { dynamic: false },
    },
  });
  const violations: string[] = [];
  let answered = 0;
  const { request } = server.prism;
  Object.assign(server.prism, {
    request: (...asked: Parameters<typeof request>): ReturnType<typeof request> => {
      const run = request(...asked);
      return async () => {
        const result = await run();
        if (result._tag === "Right") {
          answered++;
          const [{ method, url }] = asked;
          for (const { path = [], message } of result.right.validations.output) {
            violations.push(`${method} ${url.path}: ${path.join(".")} ${message}`);
          }
        }
        return result;
      };
    },
  });
  const url = await server.listen(0, "127.0.0.1");
  return { url, violations, answered: () => answered, [Symbol.asyncDispose]: () => server.close() };
}

describe("Prism's proxy", () => {
  test("finds no violation while the conformance kit runs and blocks are produced", async () => {
    using folder = temporaryFolder();
    const chain = await copyGrowingChain(folder.path);
    const accounts = await busiestOf(chain, 1);
    await using service = await startService({ source: { kind: "chain", folder: chain, produce: true } });
    await using proxy = await proxyTo(service.url);
    // The first answer of Prism takes longer than the timeout if the machine is busy.
    expect((await fetch(`${proxy.url}/api/v2/getMasterchainInfo`)).status).toBe(200);
    const options = { baseUrl: proxy.url, profile: "live", accounts, fuzz: 40, seed: 1, timeout } as const;
    await validateService(options);
    expect(proxy.violations).toEqual([]);
    expect(proxy.answered()).toBeGreaterThan(100);
  });

  test("finds a violation", async () => {
    const wrong = createHttpServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"ok":true,"result":{"@type":"ext.blocks.consensusBlock","consensus_block":"60"}}');
    });
    await new Promise<void>((resolve) => wrong.listen(0, "127.0.0.1", resolve));
    const { port } = wrong.address() as AddressInfo;
    await using proxy = await proxyTo(`http://127.0.0.1:${port}`);
    const response = await fetch(`${proxy.url}/api/v2/getConsensusBlock`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(response.status).toBe(500);
    expect(proxy.violations.length).toBeGreaterThan(0);
    wrong.close();
  });
});
