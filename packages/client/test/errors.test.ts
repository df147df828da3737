import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import * as errors from "../src/errors.ts";
import {
  ApiError,
  type CallOptions,
  type ChainQueryError,
  createClient,
  type ErrorCode,
  NotFoundError,
  RateLimitError,
} from "../src/index.ts";
import {
  closedUrl,
  failure,
  failureOf,
  hang,
  json,
  longTimeouts,
  type Reply,
  resetBeforeHeaders,
  startFaultServer,
  text,
} from "./fault-server.ts";

const point = { operation: "lookupBlock", attempts: 2 };
const classes = Object.entries(errors).filter(([name]) => /Error$/.test(name)) as [string, typeof ChainQueryError][];

describe("errors", () => {
  test.for(classes)("%s has its name, its code and its place", ([name, Class]) => {
    const error = new Class("went wrong", point, { cause: "why", extra: 5 });
    expect(error).toMatchObject({
      ...point,
      name,
      code: Class.code,
      message: "lookupBlock: went wrong",
      cause: "why",
      extra: 5,
    });
    expect(error.docs).toBe(`https://chain-query.github.io/chain-query/errors/#${Class.code}`);
    expect(error.stack).toContain("errors.test.ts");
    expect(String(error)).toBe(`${name}: lookupBlock: went wrong`);
    expect(error).toBeInstanceOf(Error);
    expect(Object.keys(error)).toEqual(["code", "operation", "attempts", "docs", "extra"]);
  });

  test("has the reason and the input of the envelope, and neither if the deployment sends none or another type", async () => {
    const failWith = async (body: object) => {
      const fetch = async () => Response.json({ ok: false, error: "no", code: 422, ...body }, { status: 422 });
      return failureOf(createClient({ baseUrl: "http://node.test", fetch, apiKey: "secret" }).getMasterchainInfo());
    };
    expect(await failWith({ reason: "invalid_input", input: "lt" })).toMatchObject({ reason: "invalid_input", input: "lt" });
    expect(await failWith({ reason: "of_another_deployment" })).toMatchObject({ reason: "of_another_deployment" });
    expect(await failWith({ reason: "of secret" })).toMatchObject({ reason: "of [key]", input: undefined });
    expect(await failWith({})).toMatchObject({ reason: undefined, input: undefined });
    expect(await failWith({ reason: 5, input: {} })).toMatchObject({ reason: undefined, input: undefined });
  });

  test("has a cause only if one is passed", () => {
    expect("cause" in new ApiError("no", point)).toBe(false);
  });

  test("has a code of its own for each class", () => {
    expect(new Set(classes.map(([, { code }]) => code)).size).toBe(classes.length);
  });

  test.for([null, undefined, 5, "x", {}, new Error("x"), Object.create(null)])("does not claim %s as its own", (value) => {
    for (const [, Class] of classes) expect(value instanceof Class).toBe(false);
  });

  test("recognises a class that a user derives by its prototype", () => {
    class Mine extends NotFoundError {}
    const mine = new Mine("x", point);
    expect(mine).toBeInstanceOf(Mine);
    expect(mine).toBeInstanceOf(NotFoundError);
    expect(mine).toBeInstanceOf(ApiError);
    expect(mine).toMatchObject({ code: "NOT_FOUND", name: "NotFoundError" });
    expect(new NotFoundError("x", point) instanceof Mine).toBe(false);
    class Coded extends ApiError {
      static override readonly code = "CODED";
    }
    expect(new Coded("x", point)).toMatchObject({ code: "CODED", name: "CodedError" });
    expect(new Coded("x", point)).toBeInstanceOf(ApiError);
    expect(new ApiError("x", point) instanceof Coded).toBe(false);
  });
});

describe("the stack of an error", () => {
  test.for<[code: ErrorCode, reply: Reply | undefined, own?: CallOptions]>([
    ["CONNECTION", undefined],
    ["CONNECTION", resetBeforeHeaders],
    ["TIMEOUT", hang, { timeoutMs: 50 }],
    ["TIMEOUT", hang, { deadlineMs: 50 }],
    ["ABORTED", hang, { signal: AbortSignal.timeout(1) }],
    ["ABORTED", hang, { signal: AbortSignal.abort() }],
    ["PARSE", text(200, "<html>")],
    ["SERVER", failure(503, "busy")],
    ["INVALID_ARGUMENT", hang, { timeoutMs: -1 }],
  ])("of code %s names the function that made the call", async ([code, reply, own]) => {
    await using server = await startFaultServer(reply ?? hang);
    const baseUrl = reply ? server.url : await closedUrl();
    const chain = createClient({ baseUrl, ...longTimeouts });
    async function readTheHead() {
      await chain.getMasterchainInfo(own);
    }
    async function readSafely() {
      const answer = await chain.getMasterchainInfo({ ...own }).safe();
      return answer.ok ? undefined : answer.error;
    }
    const error = await failureOf(readTheHead());
    expect(error).toMatchObject({ code });
    expect((error as Error).stack).toMatch(/readTheHead.*errors\.test\.ts/);
    const docs = `docs: https://chain-query.github.io/chain-query/errors/#${code}`;
    expect((error as Error).stack).toMatch(`${error}\n  ${docs}\n    at `);
    expect((await readSafely())?.stack).toMatch(/readSafely.*errors\.test\.ts/);
  });
});

describe("the request id", () => {
  const withId = { "x-request-id": "7-a" };

  test.for<[code: ErrorCode, reply: Reply]>([
    ["SERVER", failure(500, "internal error", withId)],
    ["PARSE", json(200, [], withId)],
  ])("of an error of code %s is a member, in its stack, in its JSON and in what is printed", async ([code, reply]) => {
    await using server = await startFaultServer(reply);
    const error = (await failureOf(createClient({ baseUrl: server.url, retry: false }).getMasterchainInfo())) as ApiError;
    expect(error).toMatchObject({ code, requestId: "7-a" });
    const docs = `docs: https://chain-query.github.io/chain-query/errors/#${code}`;
    expect(error.stack).toMatch(`${error}\n  ${docs}\n  request id: 7-a\n    at `);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ requestId: "7-a", docs: error.docs });
    expect(inspect(error)).toContain("requestId: '7-a'");
  });

  test("is undefined, and not in the stack, if the response has none", async () => {
    await using server = await startFaultServer(failure(404, "no"));
    const error = (await failureOf(createClient({ baseUrl: server.url }).getMasterchainInfo())) as ApiError;
    expect(error.requestId).toBeUndefined();
    expect(error.stack).not.toContain("request id");
  });
});

describe("the stack of an InvalidArgumentError", () => {
  test.for<[name: string, call: () => unknown]>([
    ["a wrong option", () => createClient({ baseUrl: "node.example" })],
    ["a wrong hook", () => createClient({ baseUrl: "http://node.test", hooks: { onCall: 5 as never } })],
    ["an unknown input", () => createClient({ baseUrl: "http://node.test" }).lookupBlock({ workchain: 0 } as never)],
    ["a mistyped address", () => createClient({ baseUrl: "http://node.test" }).getAddressInformation({ address: "0:a" })],
  ])("names the docs once for %s", async ([, call]) => {
    const error = await failureOf((async () => call())());
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect((error as Error).stack).toMatch(/errors\/#INVALID_ARGUMENT\n {4}at /);
    expect((error as Error).stack?.match(/docs: /g)).toHaveLength(1);
    expect((error as Error).stack).toContain("errors.test.ts");
  });
});

test("an ApiError holds the whole response, and leaves headers and body out of its JSON", async () => {
  const body = { ok: false, error: { message: "slow down" }, code: 429, "@extra": "1:2:3" };
  await using server = await startFaultServer(json(429, body, { "retry-after": "2", "x-node": "5" }));
  const error = (await failureOf(createClient({ baseUrl: server.url, retry: false }).getMasterchainInfo())) as RateLimitError;
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ status: 429, envelope: body, error: body.error, extra: "1:2:3", retryAfterMs: 2_000 });
  expect(error.headers.get("x-node")).toBe("5");
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: "RateLimitError",
    code: "RATE_LIMIT",
    message: "getMasterchainInfo: slow down",
    operation: "getMasterchainInfo",
    attempts: 1,
    request: `GET ${server.url}/api/v2/getMasterchainInfo`,
    docs: "https://chain-query.github.io/chain-query/errors/#RATE_LIMIT",
    status: 429,
    error: body.error,
    extra: "1:2:3",
    retryAfterMs: 2_000,
  });
  expect(inspect(error)).toContain("RateLimitError: getMasterchainInfo: slow down");
  // An uncaught error is printed like this, too.
  expect(inspect(error)).toContain("docs: 'https://chain-query.github.io/chain-query/errors/#RATE_LIMIT'");
  expect(inspect(error)).toContain("extra: '1:2:3'");
});

test("a status above 599 is a ParseError, of raw too", async () => {
  await using server = await startFaultServer(json(999, { ok: true, result: 5 }));
  const chain = createClient({ baseUrl: server.url });
  for (const call of [chain.getMasterchainInfo(), chain.raw.GET("/api/v2/getMasterchainInfo")]) {
    expect(await failureOf(call)).toMatchObject({ code: "PARSE", status: 999, attempts: 1 });
  }
});
