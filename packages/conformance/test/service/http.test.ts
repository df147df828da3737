/** How services are spoken to: at a pace, with patience, and within limits. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { judgeService } from "../../src/index.ts";
import { curlOf } from "../../src/service/curl.ts";
import { openWire } from "../../src/service/http.ts";
import { rightService } from "../services/right-service.ts";
import { serve } from "../services/serve.ts";

async function withServer(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await use(`http://127.0.0.1:${port}`).finally(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
}

const request = { operation: "getMasterchainInfo", method: "GET", path: "/api/v2/getMasterchainInfo" };
const options = { apiKey: undefined, requestsPerSecond: 0, timeout: 500, signal: new AbortController().signal };

describe("asking", () => {
  test("waits where the service says so, and asks again", async () => {
    const times: number[] = [];
    await withServer(
      (_, response) => {
        times.push(performance.now());
        response.writeHead(times.length < 3 ? 429 : 200, { "retry-after": "0" }).end("{}");
      },
      async (baseUrl) => {
        const wire = openWire({ ...options, baseUrl });
        expect(await wire.ask(request)).toMatchObject({ outcome: { status: 200 } });
        expect(times).toHaveLength(3);
        wire.close();
      },
    );
  });

  test("keeps its distance between requests", async () => {
    await withServer(
      (_, response) => response.end("{}"),
      async (baseUrl) => {
        const wire = openWire({ ...options, baseUrl, requestsPerSecond: 20 });
        const begin = performance.now();
        for (let turn = 0; turn < 5; turn++) await wire.ask(request);
        expect(performance.now() - begin).toBeGreaterThanOrEqual(195);
        wire.close();
      },
    );
  });

  test("does not wait for ever", async () => {
    await withServer(
      () => {},
      async (baseUrl) => {
        const wire = openWire({ ...options, baseUrl });
        expect(await wire.ask(request)).toMatchObject({ outcome: "no answer within 0.5 seconds" });
        wire.close();
      },
    );
  });
});

describe("the limit without a key", () => {
  test("passes where the second request inside a second is refused", async () => {
    let latest = Number.NEGATIVE_INFINITY;
    const isOverLimit = (): boolean => {
      const isOver = performance.now() - latest < 950;
      if (!isOver) latest = performance.now();
      return isOver;
    };
    await using service = await serve({
      ...rightService(),
      isOverLimit: ({ headers }) => headers["x-api-key"] === undefined && isOverLimit(),
    });
    const run = await judgeService({
      baseUrl: service.url,
      apiKey: "k",
      only: ["getMasterchainInfo"],
      checkLimits: true,
      fuzz: 0,
      requestsPerSecond: 0,
    });
    expect(run.results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(run.results.map(({ id }) => id)).toContain("limits/keyless");
  });

  test("fails where there is none", async () => {
    await using service = await serve(rightService());
    const run = await judgeService({
      baseUrl: service.url,
      only: ["getMasterchainInfo"],
      checkLimits: true,
      fuzz: 0,
      requestsPerSecond: 0,
    });
    expect(run.results.filter(({ outcome }) => outcome === "failed").map(({ id }) => id)).toEqual(["limits/keyless"]);
  });
});

describe("curlOf", () => {
  test("shows the key as a variable, and what a shell would act on as text", () => {
    const line = curlOf(
      { request: { ...request, method: "POST", text: `{"a":"it's $HOME \u001b"}` }, keyed: true, outcome: "" },
      "http://h",
    );
    expect(line).toBe(
      `curl -sS -X POST http://h/api/v2/getMasterchainInfo -H 'content-type: application/json' -H "X-API-Key: $CHAIN_API_KEY" --data-raw $'{"a":"it\\'s $HOME \\u001b"}'`,
    );
  });

  test("writes a long body as what makes it", () => {
    const line = curlOf(
      { request: { ...request, method: "POST", text: `{"a":"${"x".repeat(5000)}"}` }, keyed: false, outcome: "" },
      "http://h",
    );
    expect(line).toContain(`--data-binary @<(printf %s '{"a":"'; head -c 5000 /dev/zero | tr '\\0' x; printf %s '"}')`);
  });
});
