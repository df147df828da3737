import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import * as errors from "../src/errors.ts";
import { ApiError, type ChainQueryError, createClient, NotFoundError, RateLimitError } from "../src/index.ts";
import { failure, failureOf, json, startFaultServer } from "./fault-server.ts";

const point = { operation: "lookupBlock", attempts: 2 };
const classes = Object.entries(errors).filter(([name]) => /Error$/.test(name)) as [string, typeof ChainQueryError][];

/** A second copy of the package, minified, as another dependency may bring one. */
async function secondCopy(): Promise<typeof errors> {
  const entryPoints = [new URL("../src/errors.ts", import.meta.url).pathname];
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, format: "esm", write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
}

describe("errors", () => {
  test.for(classes)("%s has its name, its code and its place", ([name, Class]) => {
    const error = new Class("went wrong", point, { cause: "why", extra: 5 });
    expect(error).toMatchObject({
      name,
      message: "lookupBlock: went wrong",
      operation: "lookupBlock",
      attempts: 2,
      cause: "why",
      extra: 5,
    });
    expect(error.code).toBe(Class.code);
    expect(error.stack).toContain("errors.test.ts");
    expect(String(error)).toBe(`${name}: lookupBlock: went wrong`);
    expect(error).toBeInstanceOf(Error);
    expect(Object.keys(error)).toEqual(["code", "operation", "attempts", "extra"]);
  });

  test("has no cause where there is none", () => {
    expect("cause" in new ApiError("no", point)).toBe(false);
  });

  test("has a code of its own for each class", () => {
    expect(new Set(classes.map(([, { code }]) => code)).size).toBe(classes.length);
  });

  test("holds the documented tree, across two copies of the package and minification", async () => {
    const parents: Record<string, string> = {
      BadRequestError: "ApiError",
      AuthenticationError: "ApiError",
      NotFoundError: "ApiError",
      RateLimitError: "ApiError",
      ServerError: "ApiError",
      TimeoutError: "ConnectionError",
    };
    const copy = await secondCopy();
    for (const [name, Class] of classes) {
      const kin = new Set([name, parents[name], "ChainQueryError"]);
      const theirs = copy[name as "ApiError"];
      expect(theirs).not.toBe(Class);
      for (const error of [new Class("x", point), new theirs("x", point)]) {
        expect(error.name).toBe(name);
        for (const [otherName, Other] of classes) {
          expect([name, otherName, error instanceof Other]).toEqual([name, otherName, kin.has(otherName)]);
          expect(error instanceof copy[otherName as "ApiError"]).toBe(kin.has(otherName));
        }
      }
    }
  });

  test.for([null, undefined, 5, "x", {}, new Error("x"), Object.create(null)])("takes %s for none of its own", (value) => {
    for (const [, Class] of classes) expect(value instanceof Class).toBe(false);
  });

  test("tells a class that a user derives by its prototype", () => {
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

describe("ApiError", () => {
  test("holds all that the service said, and leaves headers and body out of its JSON", async () => {
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
      status: 429,
      error: body.error,
      extra: "1:2:3",
      retryAfterMs: 2_000,
    });
    expect(inspect(error)).toContain("RateLimitError: getMasterchainInfo: slow down");
  });

  test("has no wait where the service names none", async () => {
    await using server = await startFaultServer(failure(429, "slow down"));
    const error = await failureOf(createClient({ baseUrl: server.url, retry: false }).getMasterchainInfo());
    expect((error as ApiError).retryAfterMs).toBeUndefined();
  });
});

test("src needs nothing of Node", () => {
  for (const file of [
    "check",
    "client",
    "envelope",
    "errors",
    "hooks",
    "http",
    "input",
    "int64",
    "limiter",
    "retry",
    "transactions",
    "transport",
  ]) {
    const source = readFileSync(new URL(`../src/${file}.ts`, import.meta.url), "utf8");
    expect(source).not.toMatch(/\bBuffer\b|\bprocess\b|node:/);
  }
});

describe("ParseError of a whole answer", () => {
  test("has how long the service asks to wait", async () => {
    await using server = await startFaultServer((response) => response.writeHead(503, { "retry-after": "7" }).end("<html>"));
    const chain = createClient({ baseUrl: server.url, retry: false });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ code: "PARSE", retryAfterMs: 7_000 });
  });

  test.for([[], [{ onRequest: () => undefined }]])(
    "is made of a status that no answer has, with middleware %o",
    async (middleware) => {
      await using server = await startFaultServer(json(999, { ok: true, result: 5 }));
      const error = await failureOf(createClient({ baseUrl: server.url, middleware }).getMasterchainInfo());
      expect(error).toMatchObject({ code: "PARSE", status: 999, attempts: 1 });
    },
  );
});
