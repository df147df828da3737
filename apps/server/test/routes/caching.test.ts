/** Which responses a cache may store, and conditional requests. */
import type { RequestOf } from "@chain-query/types";
import { describe, expect, test } from "vitest";
import { appWith } from "../fixtures/app.ts";
import { ask } from "../fixtures/ask.ts";
import { busiestAddress, internalMessages, knownChain, longestHistory, messageKey } from "../fixtures/chain.ts";
import { serviceOptions, sharedService } from "../fixtures/service.ts";

const service = sharedService();
const address = busiestAddress();
const received = internalMessages().find(({ message }) => knownChain().reader.findReceiver(message) !== undefined);
const message = messageKey(received?.message ?? expect.unreachable());

type Page = RequestOf<"getTransactionsStd">;

/** The cursor after `count` transactions. */
async function after(count: number): Promise<{ lt: string; hash: string }> {
  const { body } = await ask(service.url, "getTransactionsStd", { address, limit: count });
  const { lt, hash } = (body.result as { previous_transaction_id: { lt: string; hash: string } }).previous_transaction_id;
  return { lt, hash };
}

/** The headers of a page, and its transactions. */
async function page(request: Page, headers: Record<string, string> = {}) {
  const { headers: received, body, status } = await ask(service.url, "getTransactionsStd", request, headers);
  return { received, status, found: (body.result as { transactions: unknown[] }).transactions.length, extra: body["@extra"] };
}

const getWith = (id: string, query: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}/api/v2/${id}?${new URLSearchParams(query)}`, { headers });

describe("may be stored", () => {
  test("a full page that starts at a cursor, without what belongs to one request", async () => {
    const { received, found, extra } = await page({ address, limit: 2, ...(await after(2)) });
    expect(found).toBe(2);
    expect(Object.fromEntries(received)).toEqual({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
      "content-type": "application/json; charset=utf-8",
      "content-length": expect.any(String),
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      vary: "Prefer, chain-min-head, Accept-Encoding",
      date: expect.any(String),
      connection: "keep-alive",
      "keep-alive": expect.any(String),
    });
    expect(extra).toBe("0:0:0");
  });

  test("the last page of a history, although it is short", async () => {
    const { received, found } = await page({ address, limit: 100, ...(await after(longestHistory().length - 3)) });
    expect([found, received.has("etag")]).toEqual([3, true]);
  });

  test("a transaction that a GET located", async () => {
    expect((await ask(service.url, "tryLocateResultTx", message)).headers.get("etag")).not.toBeNull();
  });

  test("a response with the identifier of its URL", async () => {
    const response = await getWith("tryLocateResultTx", { ...message, "@extra": "mine" });
    expect(response.headers.get("etag")).not.toBeNull();
    expect(await response.json()).toMatchObject({ "@extra": "mine" });
  });
});

describe("must not be stored", () => {
  test.each<[string, () => Promise<{ readonly headers: Headers }>]>([
    ["a page that starts at the newest transaction", () => ask(service.url, "getTransactionsStd", { address, limit: 1 })],
    ["a newest page with an input of another operation", () => getWith("getTransactionsStd", { address, created_lt: "1" })],
    ["a response whose URL has a key", () => getWith("tryLocateResultTx", { ...message, api_key: "secret" })],
    [
      "a response whose URL has a key under another name, percent-encoded in part",
      () => fetch(`${service.url}/api/v2/tryLocateResultTx?${new URLSearchParams(message)}&key=%63q_${"0".repeat(12)}_secret`),
    ],
    [
      "a page that ends short",
      async () => {
        const [start, end] = [await after(1), await after(2)];
        return ask(service.url, "getTransactionsStd", { address, limit: 5, ...start, to_lt: end.lt });
      },
    ],
    [
      "a transaction that a GET in place of a POST located",
      () => fetch(`${service.url}/api/v2/tryLocateSourceTx?${new URLSearchParams(message)}`),
    ],
    ["a transaction that a POST located", () => ask(service.url, "tryLocateSourceTx", message)],
    ["the head", () => ask(service.url, "getMasterchainInfo")],
    ["a failure", () => ask(service.url, "tryLocateResultTx", { ...message, created_lt: "1" })],
    ["a response to a preference", () => ask(service.url, "tryLocateResultTx", message, { prefer: "proof" })],
    ["a response as of a head", () => ask(service.url, "tryLocateResultTx", message, { "chain-min-head": "1" })],
  ])("%s", async (_, request) => {
    const { headers } = await request();
    expect([headers.get("cache-control"), headers.get("etag")]).toEqual(["no-store", null]);
  });

  test("anything, if the service says so", async () => {
    const url = await appWith({ cacheHeaders: false }).listen({ port: 0, host: serviceOptions.host });
    const { headers } = await ask(url, "tryLocateResultTx", message);
    expect([headers.get("cache-control"), headers.get("etag")]).toEqual(["no-store", null]);
  });
});

describe("If-None-Match", () => {
  const located = (tag: string) => getWith("tryLocateResultTx", message, { "if-none-match": tag });

  test.each([(tag: string) => tag, (tag: string) => `W/${tag}`, (tag: string) => `"other", ${tag}`, () => "*"])(
    "of the same content is a 304 without a body: %#",
    async (write) => {
      const tag = (await ask(service.url, "tryLocateResultTx", message)).headers.get("etag") ?? expect.unreachable();
      const response = await located(write(tag));
      expect([response.status, await response.text()]).toEqual([304, ""]);
      expect(response.headers.get("etag")).toBe(tag);
      expect(response.headers.get("cache-control")).toContain("max-age=86400");
      expect(response.headers.has("content-type")).toBe(false);
    },
  );

  test("of another content is a response", async () => {
    expect((await located('"other"')).status).toBe(200);
  });
});
