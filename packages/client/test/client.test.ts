import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startMock } from "@chain-query/mock";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError, type ChainClient, createClient, ParseError } from "../src/index.ts";

let mock: Awaited<ReturnType<typeof startMock>>;
let chain: ChainClient;

beforeAll(async () => {
  mock = await startMock();
  chain = createClient({ baseUrl: mock.url, rateLimit: false });
});
afterAll(() => mock.close());

const typical = (operationId: string) => {
  const example = examples.find((each) => each.operationId === operationId && each.response.status === 200);
  if (example === undefined) throw new Error(`no typical example of ${operationId}`);
  const { request, response } = example;
  return { input: { ...request.query, ...request.body }, result: "result" in response.body ? response.body.result : undefined };
};

describe("createClient", () => {
  const operationIds = [...new Set(examples.map(({ operationId }) => operationId))];

  test.for(operationIds)("calls %s and returns its result", async (operationId) => {
    const { input, result } = typical(operationId);
    const camel = Object.entries(input).map(([name, value]) => [
      name.replace(/_(.)/g, (_, c: string) => c.toUpperCase()),
      value,
    ]);
    const methods = chain as unknown as Record<string, (input: object) => Promise<unknown>>;
    expect(await methods[operationId]?.(Object.fromEntries(camel))).toEqual(result);
  });

  test("has no method that the contract does not name", () => {
    expect(Object.keys(chain).sort()).toEqual([...operationIds, "raw", "transactions", "withOptions"].sort());
  });

  test("gives openapi-fetch itself as raw", async () => {
    const { data } = await chain.raw.GET("/api/v2/getMasterchainInfo");
    expect(data?.result["@type"]).toBe("blocks.masterchainInfo");
  });

  test("refuses an invalid request with the service's own words", async () => {
    const failed = await chain.getTransactionsStd({ address: "nonsense" }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ApiError);
    expect(failed).toMatchObject({ status: 422, operation: "getTransactionsStd" });
  });

  test("ends with the connection's own error where nothing answers", async () => {
    const closed = await startMock();
    await closed.close();
    await expect(createClient({ baseUrl: closed.url }).getMasterchainInfo()).rejects.toThrow(TypeError);
  });
});

/** Serves one answer to whatever is asked, over a real socket, and tells what was asked. */
async function answering(status: number, body: string, contentType = "application/json") {
  const seen: { url: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? "", key: request.headers["x-api-key"]?.toString() });
    response.writeHead(status, { "content-type": contentType }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, seen, [Symbol.asyncDispose]: async () => void (await close()) };
}

describe("envelope", () => {
  test.for([
    ["a failure with its own status", 404, '{"ok":false,"error":"not here","code":404}', ApiError, "not here"],
    ["ok false under status 200", 200, '{"ok":false,"error":"no","code":500}', ApiError, "no"],
    ["the text of a failure in result", 429, '{"ok":false,"result":"slow down","code":429}', ApiError, "slow down"],
    ["JSON that is no envelope under a failing status", 503, '{"detail":"x"}', ApiError, "HTTP status 503"],
    ["a page of HTML", 502, "<html>bad gateway</html>", ParseError, "not JSON"],
    ["HTML under status 200", 200, "<html>hello</html>", ParseError, "not JSON"],
    ["an empty body", 200, "", ParseError, "not JSON"],
    ["a list", 200, "[]", ParseError, "not an envelope"],
    ["a success without result", 200, '{"ok":true}', ParseError, "not an envelope"],
  ] as const)("turns %s into its error", async ([, status, body, errorClass, message]) => {
    await using server = await answering(status, body);
    const failed = await createClient({ baseUrl: server.url })
      .getMasterchainInfo()
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(errorClass);
    expect(failed).toMatchObject({ status, operation: "getMasterchainInfo", message: expect.stringContaining(message) });
  });
});

describe("request", () => {
  test("sends the key where there is one, and wire names in the query", async () => {
    await using server = await answering(200, '{"ok":true,"result":{}}');
    await createClient({ baseUrl: server.url, apiKey: "secret" }).getTransactionsStd({ address: "0:ab", toLt: "5", limit: 2 });
    await createClient({ baseUrl: server.url }).getMasterchainInfo();
    expect(server.seen).toEqual([
      { url: "/api/v2/getTransactionsStd?address=0%3Aab&to_lt=5&limit=2", key: "secret" },
      { url: "/api/v2/getMasterchainInfo", key: undefined },
    ]);
  });

  test("uses the fetch that is given", async () => {
    const urls: string[] = [];
    const fetch = async (request: Request) => {
      urls.push(request.url);
      return Response.json({ ok: true, result: { "@type": "ext.blocks.consensusBlock", consensus_block: 1, timestamp: 2 } });
    };
    const answer = await createClient({ baseUrl: "http://node.invalid", fetch }).getConsensusBlock();
    expect(answer.consensus_block).toBe(1);
    expect(urls).toEqual(["http://node.invalid/api/v2/getConsensusBlock"]);
  });
});
