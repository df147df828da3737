/** Prism's proxy before the service: a second opinion on every answer, by a judge that is not ours. */
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { judgeService } from "@chain-query/conformance";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type KnownChain, longest, openKnownChain, rawOf } from "./known.ts";
import { startProducing } from "./producing.ts";

let chain: KnownChain;

beforeAll(() => {
  chain = openKnownChain();
});
afterAll(() => chain.reader.close());

/** Milliseconds. The proxy never answers a body that is no JSON, which the kit sends to each of five operations. */
const patience = 2000;

interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** What it has said of the answers that went through it, and how many those were. */
  readonly violations: string[];
  readonly answered: () => number;
}

/** Starts the proxy. Requests are not checked, so that the answers to wrong ones are seen as well. */
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

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 180_000 });

describe("Prism's proxy", () => {
  test("finds no violation while the service is judged and blocks are made", async () => {
    await using service = await startProducing();
    await using proxy = await proxyTo(service.url);
    const newest = longest({ ...chain, histories: chain.histories.filter(([first]) => first?.account.workchain === 0) })[0];
    const accounts = newest === undefined ? [] : [rawOf(newest.account)];
    const judged = { baseUrl: proxy.url, profile: "live", accounts, fuzz: 200, seed: 1, timeout: patience } as const;
    const { results } = await judgeService(judged);
    expect(proxy.violations).toEqual([]);
    expect(proxy.answered()).toBeGreaterThan(300);
    expect(results.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(250);
  });

  test("would find one", async () => {
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
