import { describe, expect, test, vi } from "vitest";
import { waitForResult } from "../../src/extras.ts";
import { AbortedError, createClient, InvalidArgumentError, NotFoundError, TimeoutError } from "../../src/index.ts";
import { apiFailure, type FakeResponses, fakeFetch, fixtures, inTurn, networkError } from "../../src/testing.ts";
import { passing, stopClock } from "../fake-time.ts";
import { failureOf } from "../fault-server.ts";

stopClock();

const result = fixtures.tryLocateResultTx.transfer;
const [listed] = fixtures.getTransactionsStd["first-page"].transactions.flatMap(({ out_msgs }) => out_msgs);
const alice = { source: "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi" };
const locator = {
  source: "0:abababababababababababababababababababababababababababababababab",
  destination: "0:cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
  createdLt: 5n,
};

function fake(response: NonNullable<FakeResponses["tryLocateResultTx"]>, options: object = {}) {
  const fetch = fakeFetch({ tryLocateResultTx: response });
  return { fetch, chain: createClient({ baseUrl: "http://node.test", rateLimit: false, retry: false, fetch, ...options }) };
}

describe("waitForResult", () => {
  test("polls while there is no such transaction, with growing pauses", async () => {
    const times: number[] = [];
    const { chain } = fake(() => {
      times.push(Date.now());
      return times.length < 5 ? apiFailure(404) : result;
    });
    expect(await passing(waitForResult(chain, locator))).toEqual(result);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses).toEqual([1_000, 1_500, 2_250, 3_375]);
  });

  test.for([
    [
      "its locator",
      locator,
      {
        source: "0:abababababababababababababababababababababababababababababababab",
        destination: "0:cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
        created_lt: "5",
      },
    ],
    [
      "a message of a located transaction",
      result.in_msg,
      { ...alice, destination: result.in_msg?.destination, created_lt: "433000002" },
    ],
    [
      "a message of a listing",
      listed,
      { ...alice, destination: listed?.destination.account_address, created_lt: "1199000002" },
    ],
  ] as const)("takes a message by %s", async ([, message, wire]) => {
    if (message === undefined) throw new Error("the fixtures have messages");
    const { chain, fetch } = fake(result);
    await waitForResult(chain, message);
    expect(fetch.requests[0]?.input).toEqual(wire);
  });

  test("survives temporary failures", async () => {
    const { chain } = fake(
      inTurn(networkError(), apiFailure(503), new Response("<html>"), apiFailure(429), apiFailure(404), result),
    );
    expect(await passing(waitForResult(chain, locator))).toEqual(result);
  });

  test("ends with a TimeoutError at its deadline, whose cause is the last response", async () => {
    const { chain } = fake(apiFailure(404, { error: "it still waits" }));
    const began = Date.now();
    const error = await passing(failureOf(waitForResult(chain, locator, { deadlineMs: 20_000 })));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: "waitForResult: no result within the deadline of 20000 ms", attempts: 6 });
    expect((error as Error).cause).toBeInstanceOf(NotFoundError);
    expect(Date.now() - began).toBeLessThan(20_200);
  });

  test("ends at its deadline while a request hangs or waits for the limiter", async () => {
    const hanging = fake(inTurn(apiFailure(404), () => new Promise(() => {})) as never).chain;
    const error = await passing(failureOf(waitForResult(hanging, locator, { deadlineMs: 5_000 })));
    expect([error, (error as Error).cause]).toEqual([expect.any(TimeoutError), expect.any(NotFoundError)]);
    const limited = fake(apiFailure(404), { rateLimit: { requests: 1, perMs: 3_600_000 } }).chain;
    expect(await passing(failureOf(waitForResult(limited, locator, { deadlineMs: 5_000 })))).toBeInstanceOf(TimeoutError);
  });

  test.for([0, 500])("ends with its signal after %s ms", async (after) => {
    const { chain } = fake(after === 0 ? () => new Promise(() => {}) : apiFailure(404));
    const controller = new AbortController();
    const waiting = failureOf(waitForResult(chain, locator, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(after);
    controller.abort("enough");
    const error = await waiting;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: "enough" });
  });

  test.for([
    ["a page", () => new Response("<h1>Not found</h1>", { status: 404 }), 1],
    ["a failure in an envelope", () => Response.json({ ok: false, error: "no such path", code: 404 }, { status: 404 }), 3],
    ["a page of success", () => new Response("<h1>Welcome</h1>"), 1],
  ] as const)("ends soon if the base URL is wrong, where the response is %s", async ([, response, requests]) => {
    let sent = 0;
    const fetch = async () => {
      sent++;
      return response();
    };
    const chain = createClient({ baseUrl: "http://node.test/wrong", rateLimit: false, retry: false, fetch });
    const error = await passing(failureOf(waitForResult(chain, locator)));
    expect(error).not.toBeInstanceOf(TimeoutError);
    expect([error, sent]).toEqual([expect.objectContaining({ status: response().status }), requests]);
  });

  test("ends at once with a permanent failure", async () => {
    const { chain, fetch } = fake(apiFailure(422));
    expect(await failureOf(waitForResult(chain, locator))).toMatchObject({ status: 422 });
    expect(fetch.requests).toHaveLength(1);
  });

  test.for([
    [{ ...locator, source: "" }, /source must be an address, got "": a message from outside the chain cannot be located$/],
    [{ ...locator, destination: "" }, /destination must be an address, got "": no account receives/],
    [undefined, /message must be a message or its locator, \{ source, destination, createdLt \}, got undefined$/],
    [
      "0:abababababababababababababababababababababababababababababababab",
      /message must be a message or its locator, .*, got "0:abababababababababababababababababababababababababababababababab"$/,
    ],
    [
      { source: "0:abababababababababababababababababababababababababababababababab" },
      /message must be a message or its locator, .*, got an Object$/,
    ],
    [result, /message must be a message or its locator, .*, got an Object$/],
  ] as const)("rejects %o", async ([message, text]) => {
    const { chain, fetch } = fake(result);
    const error = await failureOf(waitForResult(chain, message as typeof locator));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(String(error)).toMatch(text);
    expect(fetch.requests).toEqual([]);
  });
});
