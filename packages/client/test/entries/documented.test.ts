/** Mock, MSW handlers and fake fetch give the same responses. */
import { startMock } from "@chain-query/mock";
import { operations } from "@chain-query/openapi/operations";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChainClient, createClient, MASTERCHAIN_SHARD } from "../../src/index.ts";
import { handlers } from "../../src/msw.ts";
import { documented, fakeFetch } from "../../src/testing.ts";

const alice = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const masterchain = { workchain: -1, shard: MASTERCHAIN_SHARD };
const baseUrl = "http://node.test";
const server = setupServer(...handlers(baseUrl));
const fetch = fakeFetch(documented);
let mock: Awaited<ReturnType<typeof startMock>>;
let sources: Readonly<Record<"mock" | "msw" | "fake", ChainClient>>;

beforeAll(async () => {
  mock = await startMock();
  server.listen({ onUnhandledFrame: "bypass" });
  sources = {
    mock: createClient({ baseUrl: mock.url, rateLimit: false }),
    msw: createClient({ baseUrl, rateLimit: false }),
    fake: createClient({ baseUrl, fetch, rateLimit: false }),
  };
});
afterAll(async () => {
  server.close();
  await mock.close();
});

/** The outcomes of a call with the three clients, which must be equal; a failure as its status and text. */
async function outcomes(call: (chain: ChainClient) => Promise<unknown>): Promise<unknown[]> {
  const reported = (error: { status?: number; error?: string }) => ({ status: error.status, error: error.error });
  return Promise.all(Object.values(sources).map((chain) => call(chain).catch(reported)));
}

describe("mock, MSW handlers and fake fetch", () => {
  test("walk through the same five transactions of the documented account", async () => {
    const [walked, ...others] = await outcomes(async (chain) => {
      const lts: string[] = [];
      for await (const { transaction_id } of chain.transactions({ address: alice, pageSize: 2 })) lts.push(transaction_id.lt);
      return lts;
    });
    expect(walked).toEqual(["1555000001", "1199000001", "823000001", "433000001", "25000001"]);
    for (const other of others) expect(other).toEqual(walked);
  });

  test.for<[what: string, call: (chain: ChainClient) => Promise<unknown>, expected: unknown]>([
    ["a block", (chain) => chain.lookupBlock({ ...masterchain, seqno: 217 }), { seqno: 217 }],
    [
      "a block past the head",
      (chain) => chain.lookupBlock({ ...masterchain, seqno: 841 }),
      { status: 404, error: "block was not found: seqno 841 is past the head, 840" },
    ],
    [
      "an account as of a block past the head",
      (chain) => chain.getAddressInformation({ address: alice, seqno: 841 }),
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
