import { startMock } from "@chain-query/mock";
import { operations } from "@chain-query/openapi/operations";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { type ChainClient, createClient, MASTERCHAIN_SHARD, NotFoundError, RateLimitError } from "../../src/index.ts";
import { apiFailure, fixtures, handler, handlers, inTurn, networkError } from "../../src/msw.ts";
import { documented, fakeFetch } from "../../src/testing.ts";
import { failureOf } from "../fault-server.ts";

const baseUrl = "http://node.test/chain";
const server = setupServer(...handlers(baseUrl));
const fetch = fakeFetch(documented);
let mock: Awaited<ReturnType<typeof startMock>>;
beforeAll(async () => {
  mock = await startMock();
  server.listen({ onUnhandledFrame: "bypass" });
});
afterEach(() => server.resetHandlers());
afterAll(async () => {
  server.close();
  await mock.close();
});

const chain: ChainClient = createClient({ baseUrl, rateLimit: false, retry: { baseDelayMs: 0 } });
const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";

describe("handlers", () => {
  test.for(["", "/", "/api/v2", "/api/v2/jsonRPC"])(
    "answer at the base URL of the client, which may end in %j",
    async (path) => {
      server.use(...handlers(`http://other.test/chain${path}`));
      const other = createClient({ baseUrl: `http://other.test/chain${path}`, rateLimit: false });
      expect(await other.getMasterchainInfo()).toEqual(fixtures.getMasterchainInfo.head);
    },
  );

  test("answer with the given results, which may depend on the input", async () => {
    server.use(
      ...handlers(baseUrl, {
        getConsensusBlock: fixtures.getConsensusBlock.lagging,
        getTransactionsStd: ({ limit, to_lt }) => {
          expectTypeOf(limit).toEqualTypeOf<number | undefined>();
          return limit === 1 && to_lt === "9" ? fixtures.getTransactionsStd["last-page"] : apiFailure(404);
        },
      }),
    );
    expect(await chain.getConsensusBlock()).toEqual(fixtures.getConsensusBlock.lagging);
    expect(await chain.getTransactionsStd({ address, limit: 1, toLt: 9 })).toEqual(fixtures.getTransactionsStd["last-page"]);
    expect(await failureOf(chain.getTransactionsStd({ address, limit: 2 }))).toBeInstanceOf(NotFoundError);
  });

  test("answer at any base URL with *", async () => {
    server.use(...handlers("*", { getConsensusBlock: fixtures.getConsensusBlock.lagging }));
    const elsewhere = createClient({ baseUrl: "https://other.test:8443/" });
    expect(await elsewhere.getConsensusBlock()).toEqual(fixtures.getConsensusBlock.lagging);
  });

  test("reject an unknown operation", () => {
    expect(() => handlers(baseUrl, { lookupBlok: 1 } as object)).toThrow(
      /^handlers: lookupBlok is not an operation; accepted: /,
    );
  });
});

describe("handler", () => {
  test("answers with a failure of the service", async () => {
    server.use(handler("getMasterchainInfo", apiFailure(429, { retryAfter: 90 }), `${baseUrl}/`));
    const failed = await failureOf(chain.getMasterchainInfo());
    expect(failed).toBeInstanceOf(RateLimitError);
    expect(failed).toMatchObject({ status: 429, retryAfterMs: 90_000, message: expect.stringContaining("simulated failure") });
  });

  test("lets the client retry", async () => {
    const { head } = fixtures.getMasterchainInfo;
    server.use(handler("getMasterchainInfo", inTurn(networkError(), apiFailure(503), head)));
    const { result, attempts } = await chain.getMasterchainInfo().withResponse();
    expect([result, attempts]).toEqual([head, 3]);
  });

  test("leaves the one of another operation that a test has set before", async () => {
    server.use(handler("getMasterchainInfo", fixtures.getMasterchainInfo["young-chain"]));
    server.use(handler("getConsensusBlock", fixtures.getConsensusBlock.lagging));
    expect(await chain.getMasterchainInfo()).toEqual(fixtures.getMasterchainInfo["young-chain"]);
    expect(await chain.getConsensusBlock()).toEqual(fixtures.getConsensusBlock.lagging);
  });

  test("passes the body to the response, and leaves other requests to the other handlers", async () => {
    const block = fixtures.lookupBlock["by-seqno"];
    server.use(handler("lookupBlock", async ({ seqno }) => ({ ...block, seqno: Number(seqno) })));
    expect(await chain.lookupBlock({ workchain: -1, shard: "0", seqno: 77 })).toEqual({ ...block, seqno: 77 });
    expect(await chain.getMasterchainInfo()).toEqual(fixtures.getMasterchainInfo.head);
  });
});

/** The outcomes of a call with the three clients, which must be equal; a failure as its status and text. */
async function outcomes(call: (chain: ChainClient) => Promise<unknown>): Promise<unknown[]> {
  const reported = (error: { status?: number; error?: string }) => ({ status: error.status, error: error.error });
  const clients = [createClient({ baseUrl: mock.url, rateLimit: false }), chain, chain.withOptions({ fetch })];
  return Promise.all(clients.map((each) => call(each).catch(reported)));
}

describe("mock, MSW handlers and fake fetch", () => {
  test("walk through the same five transactions of the documented account", async () => {
    const [walked, ...others] = await outcomes(async (chain) => {
      const lts: string[] = [];
      for await (const { transaction_id } of chain.transactions({ address, pageSize: 2 })) lts.push(transaction_id.lt);
      return lts;
    });
    expect(walked).toEqual(["1555000001", "1199000001", "823000001", "433000001", "25000001"]);
    for (const other of others) expect(other).toEqual(walked);
  });

  test.for<[what: string, call: (chain: ChainClient) => Promise<unknown>, expected: unknown]>([
    ["a block", (chain) => chain.lookupBlock({ workchain: -1, shard: MASTERCHAIN_SHARD, seqno: 217 }), { seqno: 217 }],
    [
      "a block past the head",
      (chain) => chain.lookupBlock({ workchain: -1, shard: MASTERCHAIN_SHARD, seqno: 841 }),
      { status: 404, error: "block was not found: seqno 841 is past the head, 840" },
    ],
    [
      "an account as of a block past the head",
      (chain) => chain.getAddressInformation({ address, seqno: 841 }),
      { status: 404, error: "block was not found: seqno 841 is past the head, 840" },
    ],
  ])("give the same response: %s", async ([, call, expected]) => {
    const [first, ...others] = await outcomes(call);
    expect(first).toMatchObject(expected as object);
    for (const other of others) expect(other).toEqual(first);
  });

  test("give the same responses to all documented requests", async () => {
    const requests = operations.flatMap(({ examples }) => examples.map(({ request }) => request));
    for (const { method, path, query, headers, body } of requests) {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
      const init = { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) ?? null };
      const responses = [mock.url, baseUrl].map((url) => globalThis.fetch(`${url}${path}?${search}`, init));
      const [first, ...others] = await Promise.all(
        [...responses, fetch(`${baseUrl}${path}?${search}`, init)].map(async (response) => [
          (await response).status,
          await (await response).json(),
        ]),
      );
      for (const other of others) expect(other).toEqual(first);
    }
  });
});
