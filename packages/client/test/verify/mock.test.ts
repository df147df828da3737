/** The mock sends the documented responses with the proofs that the chain of the examples made. */
import { createClient } from "@chain-query/client";
import { trustStore, type VerifyingClient, verifying } from "@chain-query/client/verify";
import { type Mock, startMock } from "@chain-query/mock";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

/** The values of the chain of the examples. */
const zeroState = {
  rootHash: "ruCOA1HMnowe5qfMhQef/RYEzSBvMwd3nvdoOkbi0yk=",
  fileHash: "Ii9UQqzdtVllj2yta3zHoPttDv2wjCzKMTueGx9xvlk=",
};
const start = { seqno: 0, ...zeroState, time: 1_767_225_600 };

/** Changes the JSON of a result. */
type Change = (result: Record<string, unknown>) => void;

/** A client of the mock that prefers an example, and believes only proofs. */
function verifiedMock(operation: string, condition?: string, change: Change = () => {}): VerifyingClient {
  const client = createClient({
    baseUrl: mock.url,
    fetch: async (request) => {
      const isOwn = request.url.includes(operation);
      if (isOwn && condition) request.headers.append("prefer", `example=${condition}`);
      const response = await fetch(request);
      const body = Object(await response.json());
      if (isOwn) change(body.result);
      return new Response(JSON.stringify(body), response);
    },
  });
  const network = { name: "chain", globalId: 1001, zeroState };
  const now = () => (condition === "young-chain" ? 1_767_225_720_000 : 1_767_326_420_000);
  return verifying(client, { trust: trustStore({ network, keyBlock: start, now, maxHeadAge: 300 }) });
}

const alice = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

type Method = (...input: readonly unknown[]) => Promise<Record<string, unknown>>;

const successes = examples.filter(({ response }) => response.status === 200);
const inputOf = ({ request }: (typeof examples)[number]) =>
  Object.entries({ ...request.query, ...request.body }).map(([name, value]) => [name.replace(/_lt$/, "Lt"), value]);

describe("a documented response is believed, and one with a changed field is not", () => {
  const proved = successes.filter(({ operationId }) => operationId !== "getTransactionsStd");

  test.for(proved)("$operationId, $condition", async (example) => {
    const { operationId, condition, response } = example;
    const input = inputOf(example);
    const call = (change?: Change) =>
      (verifiedMock(operationId, condition, change)[operationId as "lookupBlock"] as unknown as Method)(
        ...(input.length > 0 ? [Object.fromEntries(input)] : []),
      );
    expect(await call()).toEqual(response.body.result);
    const lie: Change = (result) => {
      result[Object.keys(result).at(-1) ?? ""] = "1";
    };
    await expect(call(lie)).rejects.toMatchObject({ name: "ProofError", part: "answer" });
  });

  test("by one client, whose head never goes back", async () => {
    const chain = verifiedMock("");
    for (const example of proved.filter(({ condition }) => condition !== "lagging" && condition !== "young-chain")) {
      const input = inputOf(example);
      const call = chain[example.operationId as "lookupBlock"] as unknown as Method;
      await call(...(input.length > 0 ? [Object.fromEntries(input)] : []));
    }
  });

  test("newest pages down to a logical time", async () => {
    const chain = verifiedMock("");
    const whole = await chain.getTransactionsStd({ address: alice, limit: 5 });
    const lts = whole.transactions.map(({ transaction_id }) => transaction_id.lt);
    for (const [count, toLt] of lts.entries()) {
      const page = await chain.getTransactionsStd({ address: alice, limit: 5, toLt });
      expect(page.transactions).toEqual(whole.transactions.slice(0, count));
      expect(page.previous_transaction_id.lt).toBe(count > 0 ? toLt : "0");
    }
    expect(lts).toHaveLength(5);
  });

  test("getTransactionsStd, page after page", async () => {
    const pages = successes.filter(({ operationId }) => operationId === "getTransactionsStd");
    const chain = verifiedMock("getTransactionsStd");
    for (const [index, example] of pages.entries()) {
      const { lt, hash, ...newest } = Object.fromEntries(inputOf(example));
      const page = await chain.getTransactionsStd({ ...newest, ...(index > 0 && { lt, hash }) });
      expect(page).toEqual(example.response.body.result);
    }
    const liar = verifiedMock("getTransactionsStd", undefined, (result) => {
      result["transactions"] = [];
    });
    await expect(liar.getTransactionsStd({ address: alice })).rejects.toMatchObject({ part: "transaction" });
  });

  test("transactions walks over verified pages", async () => {
    const all = createClient({ baseUrl: mock.url }).transactions({ address: alice });
    const walked = verifiedMock("getTransactionsStd").transactions({ address: alice, pageSize: 2 });
    expect(await listOf(walked)).toEqual(await listOf(all));
    expect((await listOf(walked.pages())).map(({ items }) => items.length)).toEqual([2, 2, 1]);
    const liar = verifiedMock("getTransactionsStd", undefined, ({ transactions }) => {
      (transactions as object[]).splice(1, 1);
    });
    await expect(listOf(liar.transactions({ address: alice, pageSize: 3 }))).rejects.toMatchObject({
      part: "transaction",
    });
  });
});
