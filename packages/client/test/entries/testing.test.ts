import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { describe, expect, expectTypeOf, test } from "vitest";
import { fixtures as fixturesSource } from "../../generate/fixtures.ts";
import {
  ApiError,
  ConnectionError,
  createClient,
  InvalidArgumentError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from "../../src/index.ts";
import { apiFailure, type FakeResponses, failures, fakeFetch, fixtures, inTurn, networkError } from "../../src/testing.ts";
import { validate } from "../../src/validate.ts";
import { failureOf } from "../fault-server.ts";

const quick = { baseDelayMs: 0, maxRetries: 2 };

function clientOf(responses: FakeResponses, own: { apiKey?: string; timeoutMs?: number } = {}) {
  const fetch = fakeFetch(responses);
  const options = { baseUrl: "http://node.test/chain", fetch, rateLimit: false, retry: quick, validate } as const;
  return { fetch, chain: createClient({ ...options, ...own }) };
}

const address = `0:${"ab".repeat(32)}`;

describe("fakeFetch", () => {
  test("answers with a result in its envelope", async () => {
    const { chain } = clientOf({ getMasterchainInfo: fixtures.getMasterchainInfo.head });
    const { result, response } = await chain.getMasterchainInfo().withResponse();
    expect(result).toEqual(fixtures.getMasterchainInfo.head);
    expect(response.status).toBe(200);
  });

  test("passes the input in wire form to a function", async () => {
    const { chain, fetch } = clientOf({
      getTransactionsStd: (input, request) => {
        expectTypeOf(input.limit).toEqualTypeOf<number | undefined>();
        expect(request.method).toBe("GET");
        return input.to_lt === "5" && input.archival ? fixtures.getTransactionsStd["empty-page"] : apiFailure(404);
      },
    });
    const page = await chain.getTransactionsStd({ address, toLt: 5n, limit: 3, archival: true });
    expect(page).toEqual(fixtures.getTransactionsStd["empty-page"]);
    expect(await failureOf(chain.getTransactionsStd({ address, archival: false }))).toBeInstanceOf(NotFoundError);
    expect(fetch.requests.map(({ input }) => input)).toEqual([
      { address, to_lt: "5", limit: 3, archival: true },
      { address, archival: false },
    ]);
  });

  test("passes the body of a POST to the response and to the record", async () => {
    const block = fixtures.lookupBlock["by-seqno"];
    const { chain, fetch } = clientOf({ lookupBlock: async ({ seqno }) => ({ ...block, seqno: Number(seqno) }) });
    expect((await chain.lookupBlock({ workchain: -1, shard: block.shard, seqno: 7 })).seqno).toBe(7);
    const input = { workchain: -1, shard: block.shard, seqno: 7 };
    const url = "http://node.test/chain/api/v2/lookupBlock";
    expect(fetch.requests).toMatchObject([{ operation: "lookupBlock", input, url }]);
  });

  test("sends a given Response to each request", async () => {
    const response = Response.json({ ok: true, result: fixtures.getConsensusBlock.current, "@extra": "own" });
    const { chain } = clientOf({ getConsensusBlock: response });
    expect((await chain.getConsensusBlock().withResponse()).extra).toBe("own");
    expect((await chain.getConsensusBlock().withResponse()).extra).toBe("own");
  });

  test("lets the client retry, and keeps every attempt", async () => {
    const { chain, fetch } = clientOf({
      getMasterchainInfo: inTurn(networkError(), apiFailure(503), fixtures.getMasterchainInfo["young-chain"]),
    });
    const { result, attempts } = await chain.getMasterchainInfo().withResponse();
    expect(result).toEqual(fixtures.getMasterchainInfo["young-chain"]);
    expect(attempts).toBe(3);
    expect(fetch.requests).toHaveLength(3);
    await chain.getMasterchainInfo();
    expect(fetch.requests).toHaveLength(4);
  });

  test("keeps headers, but not the key", async () => {
    const { chain, fetch } = clientOf({ getConsensusBlock: fixtures.getConsensusBlock.current }, { apiKey: "very-secret" });
    await chain.getConsensusBlock({ headers: { "x-trace": "7" } });
    expect(fetch.requests[0]?.headers).toMatchObject({ "x-api-key": "[key]", "x-trace": "7" });
    expect(JSON.stringify(fetch.requests)).not.toContain("very-secret");
  });

  test("names the operation that has no response, without a retry", async () => {
    const { chain, fetch } = clientOf({});
    const failed = await failureOf(chain.getOutMsgQueueSize());
    expect(failed).toBeInstanceOf(InvalidArgumentError);
    expect(String(failed)).toContain("getOutMsgQueueSize: the fake has no response for it; give one: { getOutMsgQueueSize: ");
    expect(fetch.requests).toHaveLength(1);
  });

  test("rejects an unknown operation of the contract", async () => {
    const message = /^fakeFetch: lookupBlok is not an operation; accepted: getAddressInformation, /;
    expect(() => fakeFetch({ lookupBlok: 1 } as object)).toThrow(message);
    for (const path of ["/api/v2/nothing", "/api/v2/lookupBlock"])
      await expect(fakeFetch()(`http://node.test${path}`)).rejects.toThrow(`GET ${path} is not an operation`);
  });

  test("replaces the global fetch too", async () => {
    const fetch = fakeFetch({ getMasterchainInfo: fixtures.getMasterchainInfo.head });
    const response = await fetch(new URL("http://node.test/api/v2/getMasterchainInfo"), { headers: { "X-API-Key": "k" } });
    expect(await response.json()).toMatchObject({ ok: true });
    expect(fetch.requests[0]?.headers["x-api-key"]).toBe("[key]");
  });

  test("fails with the reason of a signal that has ended", async () => {
    const fetch = fakeFetch({ getMasterchainInfo: fixtures.getMasterchainInfo.head });
    const asked = fetch("http://node.test/api/v2/getMasterchainInfo", { signal: AbortSignal.abort("enough") });
    await expect(asked).rejects.toBe("enough");
  });

  test("lets a call time out if the response never comes", async () => {
    const { chain } = clientOf({ getMasterchainInfo: () => new Promise(() => {}) }, { timeoutMs: 20 });
    expect(await failureOf(chain.getMasterchainInfo({ maxRetries: 0 }))).toBeInstanceOf(TimeoutError);
  });
});

describe("apiFailure", () => {
  test("is a failure of the service with all of its members", async () => {
    const failure = apiFailure(429, { retryAfter: 90, error: "slow down", extra: "e" });
    const failed = await failureOf(clientOf({ getConsensusBlock: failure }).chain.getConsensusBlock());
    expect(failed).toBeInstanceOf(RateLimitError);
    expect(failed).toMatchObject({ status: 429, retryAfterMs: 90_000, error: "slow down", extra: "e", attempts: 1 });
  });

  test("may have status 200", async () => {
    const failed = await failureOf(clientOf({ getConsensusBlock: apiFailure(200, { code: 500 }) }).chain.getConsensusBlock());
    expect(failed).toBeInstanceOf(ServerError);
    expect(failed).toMatchObject({ status: 200, error: "simulated failure" });
  });

  test.for([99, 204, 304, 600, 404.5, Number.NaN])("rejects status %s", (status) => {
    expect(() => apiFailure(status)).toThrow(/apiFailure: status .*: one from 200 to 599 that has a body is accepted/);
  });
});

describe("networkError", () => {
  test("fails like a connection", async () => {
    const failed = await failureOf(clientOf({ getConsensusBlock: networkError() }).chain.getConsensusBlock());
    expect(failed).toBeInstanceOf(ConnectionError);
    expect(failed).toMatchObject({ attempts: 3, cause: expect.any(TypeError) });
  });
});

describe("fixtures", () => {
  const results: Record<string, Record<string, unknown>> = fixtures;
  const failing: Record<string, Record<string, () => Response>> = failures;

  test.for(examples)("hold the example $operationId.$condition", async ({ operationId, condition, response }) => {
    const { status, body } = response;
    const isSuccess = status === 200;
    expect(results[operationId]?.[condition]).toEqual("result" in body ? body.result : undefined);
    const failed = failing[operationId]?.[condition]?.();
    expect(failed?.status).toBe(isSuccess ? undefined : status);
    expect(await failed?.json()).toEqual(isSuccess ? undefined : body);
  });

  test("are empty for an operation without an example", () => {
    expect(fixturesSource([{ id: "getMasterchainInfo", responses: [] }])).toMatch(/= \{\s+getMasterchainInfo: \{\s*\},\s+\};/);
  });

  test("have a documented failure as a response", async () => {
    const { chain } = clientOf({ lookupBlock: failures.lookupBlock["past-head"] });
    const failed = await failureOf(chain.lookupBlock({ workchain: -1, shard: "0", seqno: 9 }));
    expect(failed).toBeInstanceOf(ApiError);
    expect(failed).toMatchObject({ status: 404 });
  });
});
