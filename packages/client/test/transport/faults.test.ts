import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  type ChainQueryError,
  ConnectionError,
  createClient,
  type Fetch,
  NotFoundError,
  ParseError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
} from "../../src/index.ts";
import { validate } from "../../src/validate.ts";
import {
  closedUrl,
  drip,
  failure,
  failureOf,
  gzip,
  hang,
  json,
  longTimeouts,
  type Reply,
  resetBeforeHeaders,
  resetInBody,
  shortTimeouts,
  stallInBody,
  startFaultServer,
  succeed,
  success,
  text,
} from "../fault-server.ts";

type ErrorClass = { new (...args: never[]): ChainQueryError };

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => {
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

/** The error's own class, so that a subclass is not taken for its parent. */
const classOf = (error: unknown) => (error as object).constructor;
const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const whole = JSON.stringify(success);
const cut = (length: number) => text(200, whole.slice(0, length), "application/json");
const cutAfter = (length: number) => `the body is not complete JSON: it ends after ${length} characters`;
const unknownPath = json(404, { ok: false, error: "there is no such path", code: 404, reason: "unknown_path" });
const elsewhere = (seen: string) => `getMasterchainInfo: check baseUrl: unexpected response to GET URL: ${seen}`;

describe("fault", () => {
  test.for<[name: string, reply: Reply, errorClass: ErrorClass, message: string, requests: number]>([
    ["a reset before the headers", resetBeforeHeaders, ConnectionError, "could not reach http://127.0.0.1:", 2],
    ["a reset in mid-body", resetInBody, ConnectionError, "no complete response from http://127.0.0.1:", 2],
    ["silence before the headers", hang, TimeoutError, "within the timeoutMs of 150", 2],
    ["a stall in mid-body", stallInBody, TimeoutError, "within the timeoutMs of 150", 2],
    ["a slow drip", drip, TimeoutError, "within the timeoutMs of 150", 2],
    ["a body that is not gzip", gzip(Buffer.from(whole)), ConnectionError, "no complete response from http://127.0.0.1:", 2],
    ["a truncated gzip", gzip(gzipSync(whole).subarray(0, 30)), ParseError, "HTTP 200: the body is not complete JSON", 1],
    ["truncated JSON", cut(30), ParseError, `Info: HTTP 200: ${cutAfter(30)}: ${whole.slice(0, 30)}`, 1],
    ["JSON without its last bracket", cut(whole.length - 1), ParseError, cutAfter(whole.length - 1), 1],
    ["JSON that ends in a text", text(200, '{"ok":true,"a":"}}\\'), ParseError, cutAfter(19), 1],
    ["JSON with a comma too much", text(200, '{"a":[],}'), ParseError, 'Info: HTTP 200: {"a":[],}', 1],
    ["a page of HTML", text(200, "<html>hello</html>"), ParseError, elsewhere("HTTP 200: <html>hello</html>"), 1],
    ["JSON of another API", json(200, { detail: "hello" }), ParseError, elsewhere('HTTP 200: {"detail":"hello"}'), 1],
    ["a page of HTML under a status that passes", text(502, "<html>bad gateway</html>"), ServerError, "HTTP 502: <html>bad", 2],
    ["an empty body", text(200, ""), ParseError, "getMasterchainInfo: unexpected response to GET URL: HTTP 200: no body", 1],
    ["no content", (response) => response.writeHead(204).end(), ParseError, "HTTP 204: no body", 1],
    ["an empty body under a failing status", text(400, ""), BadRequestError, "HTTP 400: no body", 1],
    ["a 404 of a gateway", json(404, { detail: "Not Found" }), ParseError, elsewhere("HTTP 404: {"), 1],
    ["a path that the service does not have", unknownPath, ParseError, elsewhere('HTTP 404: {"ok":false'), 1],
    ["a 404 without a body", text(404, ""), ParseError, elsewhere("HTTP 404: no body"), 1],
    ["a list", json(200, []), ParseError, elsewhere("HTTP 200: []"), 1],
    ["a list under a failing status", json(400, ["x"]), BadRequestError, 'HTTP 400: ["x"]', 1],
    ["null", json(200, null), ParseError, "HTTP 200: null", 1],
    ["a bare number", json(200, 5), ParseError, "HTTP 200: 5", 1],
    ["a success without result", json(200, { ok: true }), ParseError, "getMasterchainInfo: unexpected response", 1],
    ["ok false under status 200", json(200, { ok: false, error: "no" }), ApiError, "no", 1],
    ["ok false with a code under status 200", json(200, { ok: false, error: "no", code: 404 }), NotFoundError, "no", 1],
    ["another code under a failing status", json(404, { ok: false, error: "no", code: 500 }), NotFoundError, "no", 1],
    ["ok true under a failing status", json(400, { ok: true, result: {} }), BadRequestError, "HTTP 400", 1],
    ["JSON of another kind under a failing status", json(503, { detail: "x" }), ServerError, "HTTP 503", 2],
    ["a limit whose text is in result", json(429, { ok: false, result: "slow down" }), RateLimitError, "slow down", 2],
  ])("ends %s in its error", async ([, reply, errorClass, message, requests]) => {
    await using server = await startFaultServer(reply);
    const timeoutMs = errorClass === TimeoutError ? 150 : 60_000;
    const error = await failureOf(createClient({ baseUrl: server.url, ...shortTimeouts, timeoutMs }).getMasterchainInfo());
    expect(classOf(error)).toBe(errorClass);
    expect(error).toMatchObject({
      operation: "getMasterchainInfo",
      message: expect.stringContaining(message.replace("URL", `${server.url}/api/v2/getMasterchainInfo`)),
      attempts: requests,
    });
    // A busy machine may not have sent a request before its timeout.
    if (errorClass !== TimeoutError) expect(server.seen).toHaveLength(requests);
  });

  const failed = () => Promise.reject(new TypeError("Failed to fetch"));
  // As undici throws for the status 407.
  const wordless = () => Promise.reject(new TypeError("fetch failed", { cause: new Error() }));

  test.for<[name: string, baseUrl: () => string | Promise<string>, why: RegExp, fetch?: Fetch]>([
    ["a port without a listener", closedUrl, /^ECONNREFUSED, nothing listens there; check baseUrl$/],
    [
      "a name that resolves to nothing",
      () => "http://node.invalid:8080",
      /^(ENOTFOUND, there is no such host; check baseUrl|EAI_AGAIN)$/,
    ],
    ["a port that fetch rejects", () => "http://127.0.0.1:6000/node", /^bad port$/],
    ["a reason without words", () => "https://node.example", /^fetch failed$/, wordless],
    ["a browser that says nothing", () => "https://node.example", /^Failed to fetch$/, failed],
  ])("names the host and the reason for %s", async ([, baseUrl, why, fetch]) => {
    const url = await baseUrl();
    const chain = createClient({ baseUrl: url, ...longTimeouts, fetch });
    const error = await failureOf(chain.getMasterchainInfo());
    expect(classOf(error)).toBe(ConnectionError);
    const [, origin, reason] = /^getMasterchainInfo: could not reach (\S+): (.*)$/.exec((error as Error).message) ?? [];
    expect(origin).toBe(new URL(url).origin);
    expect(reason).toMatch(why);
    expect(error).toMatchObject({ attempts: 2, cause: expect.any(TypeError) });
  });

  test("names the host and the reason where a server does not speak TLS", async () => {
    await using server = await startFaultServer(succeed);
    const baseUrl = server.url.replace("http:", "https:");
    const error = await failureOf(createClient({ baseUrl, ...longTimeouts }).getMasterchainInfo());
    expect(classOf(error)).toBe(ConnectionError);
    expect((error as Error).message).toMatch(
      /^getMasterchainInfo: could not reach https:\/\/127\.0\.0\.1:\d+: [A-Z_]+, the port does not speak TLS; set baseUrl to http:\/\/ if that is meant$/,
    );
  });

  test("shows the first 200 characters of a page of HTML, and has its headers", async () => {
    const page = "<html>".padEnd(5_000, "x");
    await using server = await startFaultServer((response) => response.writeHead(502, { "retry-after": "7" }).end(page));
    const error = (await failureOf(createClient({ baseUrl: server.url, retry: false }).getMasterchainInfo())) as ApiError;
    expect(error.message.match(/<html>x*$/)?.[0]).toHaveLength(200);
    expect(error).toMatchObject({ status: 502, retryAfterMs: 7_000, envelope: undefined });
    expect(error.headers.get("retry-after")).toBe("7");
  });

  test("reads a response in gzip, and one of the wrong content type", async () => {
    await using server = await startFaultServer(
      gzip(),
      text(200, whole, "text/plain"),
      text(200, whole, "application/octet-stream"),
    );
    const chain = createClient({ baseUrl: server.url, ...longTimeouts });
    for (let round = 0; round < 3; round++) expect(await chain.getMasterchainInfo()).toEqual(success.result);
  });

  test("passes a balance on as it came, which validation rejects", async () => {
    await using server = await startFaultServer(json(200, { ok: true, result: { balance: 5 } }));
    const chain = createClient({ baseUrl: server.url, ...longTimeouts });
    expect(await chain.getAddressInformation({ address })).toEqual({ balance: 5 });
    const validate = (operation: string, envelope: unknown) =>
      operation === "getAddressInformation" && JSON.stringify(envelope).includes('"balance":5')
        ? ["/result/balance: a string"]
        : [];
    const error = await failureOf(chain.withOptions({ validate }).getAddressInformation({ address }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ issues: ["/result/balance: a string"], message: expect.stringContaining("/result/balance") });
  });

  test("finds @extra beside the result and inside of it", async () => {
    const inside = { ok: true, result: { "@extra": "1:2:3" } };
    await using server = await startFaultServer(
      json(200, inside),
      json(200, { ...success, "@extra": "4:5:6" }),
      json(404, { ok: false, error: "no", "@extra": "7:8:9" }),
      json(200, { ...success, "@extra": 5 }),
    );
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    expect(await chain.getMasterchainInfo().withResponse()).toMatchObject({ extra: "1:2:3", result: inside.result });
    expect(await chain.getMasterchainInfo().withResponse()).toMatchObject({ extra: "4:5:6" });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ extra: "7:8:9" });
    expect((await chain.getMasterchainInfo().withResponse()).extra).toBeUndefined();
  });

  test.for([301, 302, 303, 307, 308])(
    "follows no redirect by %i, with a key or without, and names where it leads",
    async (status) => {
      await using target = await startFaultServer(succeed);
      const place = `${target.url}/there`;
      await using server = await startFaultServer(json(status, {}, { location: `${place}?token=secret#top` }));
      const messages = new Set<string>();
      for (const own of [{}, { apiKey: "secret" }]) {
        const chain = createClient({ baseUrl: server.url, ...longTimeouts, ...own });
        for (const call of [chain.getMasterchainInfo(), chain.getConsensusBlock(), chain.getAddressInformation({ address })]) {
          const error = (await failureOf(call)) as ParseError;
          expect(classOf(error)).toBe(ParseError);
          expect(error).toMatchObject({ status, attempts: 1 });
          expect(error.request).toMatch(`${error.operation === "getMasterchainInfo" ? "GET" : "POST"} ${server.url}/api/v2/`);
          messages.add(error.message.replace(error.operation, "").replace(error.request, "the request"));
        }
        await expect(chain.raw.GET("/api/v2/getMasterchainInfo")).resolves.toMatchObject({ response: { status } });
      }
      expect([...messages]).toEqual([
        `: unexpected response to the request: HTTP ${status}: redirect to ${place}; set baseUrl to where it leads`,
      ]);
      expect(server.seen.map(({ method }) => method)).toEqual(Array(2).fill(["GET", "POST", "POST", "GET"]).flat());
      expect(target.seen).toEqual([]);
    },
  );

  test.for<[name: string, location: string, advice: string]>([
    ["of another scheme", "https://node.example/api/v2/getMasterchainInfo?a=b", 'use baseUrl: "https://node.example"'],
    ["of another prefix, without a host", "/chain/api/v2/getMasterchainInfo", 'use baseUrl: "URL/chain"'],
    ["of another API", "https://node.example/login", "set baseUrl to where it leads"],
    ["of another operation", "https://node.example/api/v2/getConsensusBlock", "set baseUrl to where it leads"],
    ["of the same place", "/api/v2/getMasterchainInfo?again", "set baseUrl to where it leads"],
    ["that is no URL", "https://[/api/v2/getMasterchainInfo", "set baseUrl to where it leads"],
  ])("says for a redirect to a URL %s which baseUrl to use", async ([, location, advice]) => {
    await using server = await startFaultServer(json(301, {}, { location }));
    const error = await failureOf(createClient({ baseUrl: server.url, ...longTimeouts }).getMasterchainInfo());
    const seen = `getMasterchainInfo: unexpected response to GET ${server.url}/api/v2/getMasterchainInfo: HTTP 301`;
    const target = location.replace(/\?.*/, "");
    expect((error as Error).message).toBe(`${seen}: redirect to ${target}; ${advice.replace("URL", server.url)}`);
  });

  test.for<[status: number, shown: string]>([
    [302, "redirect to no visible Location; set baseUrl to where it leads"],
    [304, "no body"],
  ])("says of a status %i without Location: %s", async ([status, shown]) => {
    await using server = await startFaultServer((response) => response.writeHead(status).end());
    const error = await failureOf(createClient({ baseUrl: server.url, ...longTimeouts }).getMasterchainInfo());
    expect(error).toMatchObject({
      message: `getMasterchainInfo: unexpected response to GET ${server.url}/api/v2/getMasterchainInfo: HTTP ${status}: ${shown}`,
      code: "PARSE",
    });
  });

  test.for([
    [200, "PARSE", undefined],
    [200, "PARSE", "secret"],
    [422, "BAD_REQUEST", undefined],
    [422, "BAD_REQUEST", "secret"],
  ] as const)("ends a status %i of 100,000 levels in an error of code %s, with the key %s", async ([status, code, apiKey]) => {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    const body = `{"ok":false,"error":${deep(100_000)}}`;
    await using server = await startFaultServer(text(status, body, "application/json"));
    const chain = createClient({ baseUrl: server.url, apiKey, rateLimit: false });
    const error = await failureOf(chain.getMasterchainInfo());
    expect(error).toMatchObject({ code, status, message: expect.stringContaining(`HTTP ${status}: {"ok":false,"error":[[[[`) });
    expect(() => JSON.stringify(error)).not.toThrow();
  });

  test.for([5_000, 100_000])("makes a value of each failure of %i levels", async (levels) => {
    const deep = "[".repeat(levels) + "]".repeat(levels);
    for (const status of [200, 500]) {
      await using server = await startFaultServer(text(status, `{"ok":false,"error":${deep}}`, "application/json"));
      for (const apiKey of [undefined, "secret"]) {
        const chain = createClient({ baseUrl: server.url, apiKey, rateLimit: false });
        const outcome = await chain.getMasterchainInfo().safe();
        expect(outcome).toMatchObject({ ok: false, error: { operation: "getMasterchainInfo", attempts: 1 } });
      }
    }
  });

  test("checks a result of 100,000 levels by the contract", async () => {
    const deep = `{"ok":true,"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    await using server = await startFaultServer(text(200, deep, "application/json"));
    const error = await failureOf(createClient({ baseUrl: server.url, apiKey: "secret", validate }).getMasterchainInfo());
    expect(error).toBeInstanceOf(ResponseValidationError);
  });

  test("passes on members of any name, and changes no prototype", async () => {
    const body = '{"ok":false,"error":{"message":"no","__proto__":{"polluted":1}},"constructor":{"prototype":{"polluted":1}}}';
    await using server = await startFaultServer(text(404, body, "application/json"));
    const error = await failureOf(createClient({ baseUrl: server.url, apiKey: "secret" }).getMasterchainInfo());
    expect(error).toMatchObject({ code: "NOT_FOUND", message: "getMasterchainInfo: no" });
    expect(JSON.stringify((error as ApiError).envelope)).toBe(body);
    expect("polluted" in {}).toBe(false);
  });

  test("ends headers that are too large in a ConnectionError", async () => {
    await using server = await startFaultServer(json(200, success, { "x-large": "x".repeat(40_000) }));
    const error = await failureOf(createClient({ baseUrl: server.url, ...longTimeouts }).getMasterchainInfo());
    expect(classOf(error)).toBe(ConnectionError);
    expect((error as Error).message.length).toBeLessThan(300);
  });

  test("says that a redirect is hidden where the runtime hides it", async () => {
    // Browsers respond with status 0 and no headers.
    const fetch = async () => Response.error();
    const chain = createClient({ baseUrl: "https://node.example", fetch });
    const request = "GET https://node.example/api/v2/getMasterchainInfo";
    const message = `unexpected response to ${request}: HTTP 0: redirect to no visible Location; set baseUrl to where it leads`;
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ message: `getMasterchainInfo: ${message}`, status: 0 });
    const rawMessage = `/api/v2/getMasterchainInfo: ${message}`;
    expect(await failureOf(chain.raw.GET("/api/v2/getMasterchainInfo"))).toMatchObject({ message: rawMessage, status: 0 });
  });
});

describe("status", () => {
  const classes: Record<number, ErrorClass> = {
    400: BadRequestError,
    401: AuthenticationError,
    403: AuthenticationError,
    404: NotFoundError,
    422: BadRequestError,
    429: RateLimitError,
  };

  test("has a class for each status from 400 to 599", async () => {
    // By the fetch standard a 407 is no response but a failure of the connection to a proxy.
    const statuses = Array.from({ length: 200 }, (_, index) => 400 + index).filter((status) => status !== 407);
    await using server = await startFaultServer((response, request) => {
      const status = Number(request.headers["x-status"]);
      failure(status, `number ${status}`)(response, request);
    });
    const chain = createClient({ baseUrl: server.url, rateLimit: false, retry: false });
    for (const status of statuses) {
      const error = await failureOf(chain.getMasterchainInfo({ headers: { "x-status": `${status}` } }));
      expect([status, classOf(error)]).toEqual([status, classes[status] ?? (status >= 500 ? ServerError : ApiError)]);
      expect(error).toMatchObject({
        status,
        error: `number ${status}`,
        message: `getMasterchainInfo: number ${status}`,
        attempts: 1,
      });
    }
  });

  test("suggests archival if the service fails on an old part of the history", async () => {
    await using server = await startFaultServer(failure(500, "lt not in db"));
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    const message = async (call: Promise<unknown>) => ((await failureOf(call)) as Error).message;
    expect(await message(chain.getTransactionsStd({ address }))).toMatch(/lt not in db; archival: true may/);
    expect(await message(chain.getTransactionsStd({ address, archival: true }))).toMatch(/lt not in db$/);
    expect(await message(chain.getMasterchainInfo())).toMatch(/lt not in db$/);
    expect(server.seen).toHaveLength(3);
  });
});

describe("message", () => {
  test.for<[source: string, body: object, message: string]>([
    ["error", { ok: false, error: "text", result: "other" }, "text"],
    ["error.message", { ok: false, error: { message: "inner" } }, "inner"],
    ["result", { ok: false, result: "Ratelimit exceed" }, "Ratelimit exceed"],
    ["result where error is empty", { ok: false, error: "", result: "text" }, "text"],
    ["status and body where there is no text", { ok: false, error: { code: 5 } }, 'HTTP 404: {"ok":false,"error":{"code":5}}'],
    [
      "status and body where error is null",
      { ok: false, error: null, result: null },
      'HTTP 404: {"ok":false,"error":null,"result":null}',
    ],
  ])("is taken from %s", async ([, body, message]) => {
    await using server = await startFaultServer(json(404, body));
    const error = await failureOf(createClient({ baseUrl: server.url }).getMasterchainInfo());
    expect(error).toMatchObject({ message: `getMasterchainInfo: ${message}`, envelope: body });
  });
});
