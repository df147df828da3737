import { inspect } from "node:util";
import { startMock } from "@chain-query/mock";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChainClient, createClient, InvalidArgumentError } from "../src/index.ts";
import { documentedInput, failure, failureOf, hang, shortTimeouts, startFaultServer, succeed } from "./fault-server.ts";

let mock: Awaited<ReturnType<typeof startMock>>;
let chain: ChainClient;

beforeAll(async () => {
  mock = await startMock();
  chain = createClient({ baseUrl: mock.url, rateLimit: false });
});
afterAll(() => mock.close());

describe("createClient", () => {
  const operationIds = [...new Set(examples.map(({ operationId }) => operationId))];

  test.for(operationIds)("calls %s and returns its result", async (operationId) => {
    const { request, response } =
      examples.find((each) => each.operationId === operationId && each.response.status === 200) ?? {};
    const methods = chain as unknown as Record<string, (input: object) => Promise<unknown>>;
    const result = await methods[operationId]?.(documentedInput(request));
    expect({ result }).toEqual({ result: Object(response?.body).result ?? expect.unreachable() });
  });

  test("prints its address and its methods", () => {
    const printed = inspect(createClient({ baseUrl: "https://node.example/", apiKey: "secret" }));
    expect(printed.split("\n")).toEqual(
      [
        "Object [ChainClient https://node.example] {",
        ...["transactions", "withOptions", ...operationIds].map((name) => `  ${name}: [Function: ${name}],`),
        "}",
      ].map((line, index, all) => (index === all.length - 2 ? line.slice(0, -1) : line)),
    );
  });

  test("passes on the response to an invalid request of raw, which is not checked", async () => {
    const failed = await chain.raw.GET("/api/v2/getTransactionsStd", { params: { query: { address: "nonsense" } } });
    expect(failed).toMatchObject({ response: { status: 422 }, error: { ok: false, code: 422 } });
  });
});

describe("request", () => {
  test("adds no header but the key, if there is one", async () => {
    await using server = await startFaultServer(succeed);
    for (const apiKey of [undefined, "secret"]) await createClient({ baseUrl: server.url, apiKey }).getConsensusBlock();
    await fetch(server.url, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
    const [keyless, keyed, bare = []] = server.seen.map(({ headers }) => Object.keys(headers).sort());
    expect([keyless, keyed]).toEqual([bare, [...bare, "x-api-key"].sort()]);
  });

  test("sends the headers of the client and of the call", async () => {
    await using server = await startFaultServer(succeed);
    const chain = createClient({ baseUrl: server.url, headers: { "x-one": "1", "x-two": "1" } });
    await chain.getMasterchainInfo({ headers: { "x-two": "2" } });
    expect(server.seen[0]?.headers).toMatchObject({ "x-one": "1", "x-two": "2" });
  });
});

describe("withOptions", () => {
  test("changes the given options and keeps the others", async () => {
    await using server = await startFaultServer(hang);
    const chain = createClient({ baseUrl: server.url, ...shortTimeouts, apiKey: "secret", timeoutMs: 60_000 });
    const hasty = chain.withOptions({ timeoutMs: 20, retry: false });
    expect(await failureOf(hasty.getMasterchainInfo())).toMatchObject({ code: "TIMEOUT", attempts: 1 });
    // A busy machine may not have sent the first request in 20 ms.
    const stop = new AbortController();
    const waiting = failureOf(hasty.withOptions({ timeoutMs: 60_000 }).getMasterchainInfo({ signal: stop.signal }));
    await expect.poll(() => server.seen.at(-1)?.headers["x-api-key"]).toBe("secret");
    stop.abort();
    expect(await waiting).toMatchObject({ code: "ABORTED" });
    expect(() => chain.withOptions({ timeoutMs: Number.NaN })).toThrow(InvalidArgumentError);
  });

  test("shares the limiter unless rateLimit changes", async () => {
    await using server = await startFaultServer(succeed);
    const once = { requests: 1, perMs: 3_600_000 };
    const chain = createClient({ baseUrl: server.url, rateLimit: once, deadlineMs: 50 });
    await chain.getMasterchainInfo({ deadlineMs: 20_000 });
    expect(await failureOf(chain.withOptions({ headers: {} }).getMasterchainInfo())).toMatchObject({
      code: "TIMEOUT",
      attempts: 0,
    });
    await chain.withOptions({ rateLimit: false, deadlineMs: 20_000 }).getMasterchainInfo();
    await chain.withOptions({ rateLimit: once, deadlineMs: 20_000 }).getMasterchainInfo();
    expect(server.seen).toHaveLength(3);
  });

  test("ignores undefined members of the change, and keeps the other members of retry and headers", async () => {
    await using server = await startFaultServer(failure(418, "tea"));
    const retry = { maxRetries: 1, baseDelayMs: 1, statuses: [418] };
    const chain = createClient({ baseUrl: server.url, apiKey: "secret", retry, headers: { "x-one": "1", "x-two": "1" } });
    const other = chain.withOptions({
      apiKey: undefined,
      rateLimit: undefined,
      retry: { maxRetries: 2, statuses: undefined } as never,
      headers: { "x-two": "2" },
    });
    expect(await failureOf(other.getMasterchainInfo())).toMatchObject({ attempts: 3 });
    expect(server.seen[0]?.headers).toMatchObject({ "x-api-key": "secret", "x-one": "1", "x-two": "2" });
    expect(await failureOf(other.withOptions({ retry: false }).getMasterchainInfo())).toMatchObject({ attempts: 1 });
  });
});

describe("a base URL of a JSON-RPC client", () => {
  test.for(["/api/v2", "/api/v2/", "/jsonRPC", "/api/v2/jsonRPC", "/", ""])("may end in %j", async (end) => {
    const seen: string[] = [];
    const fetch = async ({ url }: Request) => {
      seen.push(url);
      return Response.json({ ok: true, result: {} });
    };
    await createClient({ baseUrl: `https://node.example/main${end}`, fetch }).getMasterchainInfo();
    expect(seen).toEqual(["https://node.example/main/api/v2/getMasterchainInfo"]);
  });
});
