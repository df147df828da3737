import { describe, expect, test } from "vitest";
import { startMock } from "../src/index.ts";
import { example, get, post } from "./calls.ts";

const nextPage = example("getTransactionsStd", "next-page").request.query as Record<string, string>;
const located = example("tryLocateResultTx", "transfer").request.query as Record<string, string>;
const account = { address: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi" };

describe("the head of a response", () => {
  test("is in successes and failures", async () => {
    await using mock = await startMock();
    const replies = [
      await get(mock, "getMasterchainInfo"),
      await get(mock, "getTransactionsStd", account),
      await post(mock, "lookupBlock", {}),
      await get(mock, "getMasterchainInfo", {}, { prefer: "code=429" }),
    ];
    const found = replies.map(({ status, headers }) => [status, headers.get("chain-head"), headers.get("cache-control")]);
    expect(found).toEqual([200, 200, 422, 429].map((status) => [status, "840", "no-store"]));
  });

  test.for([
    ["840", 200, undefined],
    ["841", 503, "behind"],
    ["-1", 422, "invalid_input"],
  ] as const)("chain-min-head: %s gets a %d", async ([least, status, reason]) => {
    await using mock = await startMock();
    const reply = await post(mock, "getConsensusBlock", {}, { "chain-min-head": least });
    expect([reply.status, Object(reply.body).reason]).toEqual([status, reason]);
  });

  test("a wait ends after a second, with what is there", async () => {
    await using mock = await startMock();
    const [next, behind] = await Promise.all([
      get(mock, "getMasterchainInfo", {}, { prefer: "wait=20" }),
      get(mock, "getMasterchainInfo", {}, { prefer: "wait=20", "chain-min-head": "841" }),
    ]);
    const applied = [next, behind].map(({ status, headers }) => [status, headers.get("preference-applied")]);
    expect(applied).toEqual([200, 503].map((status) => [status, "wait"]));
  });
});

describe("what may be stored", () => {
  test.for([
    ["getTransactionsStd", nextPage],
    ["tryLocateResultTx", located],
  ] as const)("%s has a tag, and is not sent again to those who have it", async ([operation, query]) => {
    await using mock = await startMock();
    const { headers } = await get(mock, operation, query);
    expect([headers.get("cache-control"), headers.get("chain-head")]).toEqual([
      "public, max-age=86400, stale-while-revalidate=604800",
      null,
    ]);
    const url = `${mock.url}/api/v2/${operation}?${new URLSearchParams(query)}`;
    const again = await fetch(url, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test.for([
    ["a newest page", account, {}],
    ["a preference", nextPage, { prefer: "wait=1" }],
    ["a lowest head", nextPage, { "chain-min-head": "1" }],
    ["a key in the URL", { ...nextPage, api_key: "k" }, {}],
  ] as const)("not with %s", async ([, query, headers]) => {
    await using mock = await startMock();
    const reply = await get(mock, "getTransactionsStd", query, headers);
    expect([reply.headers.get("cache-control"), reply.headers.get("etag")]).toEqual(["no-store", null]);
  });
});

describe("a proof", () => {
  test.for([
    ["proof", 840, undefined],
    ["proof; key=0", undefined, [800, 840]],
    ["proof; key=800", undefined, [840]],
    ["proof; key=7", 840, undefined],
    ["wait=0, proof; head=840", undefined, undefined],
  ] as const)("for Prefer: %s has the head %d and links to %o", async ([prefer, head, links]) => {
    await using mock = await startMock();
    const { headers, body } = await get(mock, "getMasterchainInfo", {}, { prefer });
    const { proof, ...plain } = Object(body);
    expect(headers.get("preference-applied")).toBe(prefer.replace(/=0|; .*/g, ""));
    expect(proof.head?.block_id.seqno).toBe(head);
    expect(proof.links?.map((link: typeof proof) => link.head.block_id.seqno)).toEqual(links);
    expect(plain).toEqual(example("getMasterchainInfo", "head").response.body);
  });

  test("is not of what the mock makes up, nor of a handler", async () => {
    await using mock = await startMock();
    const block = { workchain: -1, shard: "-9223372036854775808", seqno: 7 };
    const replies = [await post(mock, "lookupBlock", block, { prefer: "proof" })];
    mock.override("getTransactionsStd", () => ({ body: { ok: true, result: {} } }));
    replies.push(await get(mock, "getTransactionsStd", nextPage, { prefer: "proof" }));
    for (const { status, headers, body } of replies) {
      expect([status, headers.get("preference-applied"), "proof" in body]).toEqual([200, null, false]);
    }
  });
});
