import { operations, type Schema } from "@chain-query/openapi/operations";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type BigintFullAccountState,
  type BigintResults,
  type BigintTransaction,
  type ConsensusBlock,
  createClient,
  NotFoundError,
  type OperationId,
  ParseError,
  type Safe,
  type WithResponse,
  watchTransactions,
  withBigints,
} from "../../src/index.ts";
import { apiFailure, type FakeResponses, fakeFetch, fixtures } from "../../src/testing.ts";
import { documentedInput, failureOf } from "../fault-server.ts";

const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const account = fixtures.getAddressInformation.active;
const history = fixtures.getTransactionsStd["first-page"];

function fake(responses: FakeResponses) {
  const fetch = fakeFetch(responses);
  return withBigints(createClient({ baseUrl: "http://node.test", rateLimit: false, retry: false, fetch }));
}

/** A value as the contract describes it, with a bigint for each logical time, shard and amount. */
function expectedOf(schema: Schema, value: unknown): unknown {
  const { title = "", properties = {}, items, oneOf = [] } = schema;
  if (["LogicalTime", "ShardId", "Amount"].includes(title)) return BigInt(String(value));
  if (Array.isArray(value)) return value.map((each) => (items === undefined ? each : expectedOf(items, each)));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.assign({}, ...oneOf.map((each) => each.properties), properties);
  const named = Object.entries(value).map(([name, each]) => [name, members[name] ? expectedOf(members[name], each) : each]);
  return Object.fromEntries(named);
}

describe("withBigints", () => {
  const successes = operations.flatMap(({ id, result, examples }) =>
    examples.filter(({ response }) => response.status === 200).map((example) => ({ id, result, ...example })),
  );

  test.for(successes)("makes bigints of what the contract says in $condition of $id, and of nothing else", async (example) => {
    const { id, result, request, response } = example;
    const chain = fake({ [id]: () => Response.json(response.body) });
    const methods = chain as unknown as Record<string, (input: object) => ReturnType<typeof chain.getMasterchainInfo>>;
    const call = () => methods[id]?.(documentedInput(request)) ?? expect.unreachable();
    const expected = expectedOf(result, Object(response.body).result);
    expect(await call()).toEqual(expected);
    expect(await call().safe()).toEqual({ ok: true, result: expected });
    expect(await call().withResponse()).toMatchObject({ result: expected, envelope: response.body, attempts: 1 });
  });

  test("leaves members that are not strings, and unknown ones, unchanged", async () => {
    const result = { ...account, balance: 5, last_transaction_id: null, memo: "6", list: [{ lt: "7" }, null] } as never;
    const changed = await fake({ getAddressInformation: result }).getAddressInformation({ address });
    expect(changed).toMatchObject({ balance: 5, last_transaction_id: null, memo: "6", list: [{ lt: 7n }, null] });
    expect(result).toMatchObject({ list: [{ lt: "7" }, null] });
  });

  test("loses no digit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 120n }), async (balance) => {
        const chain = fake({ getAddressInformation: { ...account, balance: `${balance}` } });
        return (await chain.getAddressInformation({ address })).balance === balance;
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  test("walks a history with bigints, whose cursors are plain JSON", async () => {
    const chain = fake({ getTransactionsStd: history });
    const [first] = history.transactions;
    const items: BigintTransaction[] = [];
    for await (const tx of chain.transactions({ address, maxItems: 2 })) items.push(tx);
    expect(items).toHaveLength(2);
    expect(items[0]?.fee).toBe(BigInt(first?.fee ?? ""));
    for await (const { items: page, cursor } of chain.transactions({ address, pageSize: 2 }).pages()) {
      expect(page[0]?.transaction_id.lt).toBe(BigInt(first?.transaction_id.lt ?? ""));
      expect(JSON.parse(JSON.stringify(cursor))).toEqual(cursor);
      break;
    }
  });

  test("passes failures on, thrown and as values, and leaves none unhandled", async () => {
    const chain = fake({ getAddressInformation: apiFailure(404) });
    expect(await failureOf(chain.getAddressInformation({ address }))).toBeInstanceOf(NotFoundError);
    expect(await failureOf(chain.getAddressInformation({ address }).withResponse())).toBeInstanceOf(NotFoundError);
    expect(await chain.getAddressInformation({ address }).safe()).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
  });

  test("rejects a result with another text in place of an integer", async () => {
    const chain = fake({ getAddressInformation: { ...account, balance: "1.5" } });
    const error = await failureOf(chain.getAddressInformation({ address }));
    expect(error).toBeInstanceOf(ParseError);
    expect(error).toMatchObject({
      message: 'getAddressInformation: unexpected response: "1.5" is not a decimal integer',
      operation: "getAddressInformation",
    });
    expect(await chain.getAddressInformation({ address }).safe()).toMatchObject({ ok: false, error: { code: "PARSE" } });
    expect(await failureOf(chain.getAddressInformation({ address }).withResponse())).toBeInstanceOf(ParseError);
  });

  test("says that a result is nested too deeply", async () => {
    const body = `{"ok":true,"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const chain = fake({ getMasterchainInfo: new Response(body) });
    const message = "getMasterchainInfo: unexpected response: its result is nested too deeply";
    expect(await chain.getMasterchainInfo().safe()).toMatchObject({ ok: false, error: { code: "PARSE", message } });
  });

  test("keeps the other members of a client", async () => {
    const chain = fake({ getMasterchainInfo: fixtures.getMasterchainInfo.head, getAddressInformation: account });
    const changed = chain.withOptions({ timeoutMs: 5_000 });
    expect((await changed.getMasterchainInfo()).last.shard).toBe(-(2n ** 63n));
    expect((await chain.raw.GET("/api/v2/getMasterchainInfo")).data?.result.last.shard).toBe("-9223372036854775808");
    expect(Object.keys({ ...chain })).not.toContain("raw");
  });

  test("has the types of results with bigints", () => {
    const chain = fake({});
    expectTypeOf(watchTransactions(chain, address)).toEqualTypeOf<AsyncIterable<BigintTransaction>>();
    type Client = typeof chain;
    expectTypeOf<{ [Id in OperationId]: Awaited<ReturnType<Client[Id]>> }>().toEqualTypeOf<{
      [Id in OperationId]: BigintResults[Id];
    }>();
    expectTypeOf<ReturnType<ReturnType<Client["getAddressInformation"]>["safe"]>>().toEqualTypeOf<
      Promise<Safe<BigintFullAccountState>>
    >();
    expectTypeOf<ReturnType<ReturnType<Client["getConsensusBlock"]>["withResponse"]>>().toEqualTypeOf<
      Promise<WithResponse<ConsensusBlock>>
    >();
    expectTypeOf<BigintTransaction["in_msg"]>().exclude<undefined>().toHaveProperty("value").toEqualTypeOf<bigint>();
  });
});
