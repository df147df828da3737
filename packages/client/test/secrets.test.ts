import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  ApiError,
  ChainQueryError,
  type ClientOptions,
  createClient,
  InvalidArgumentError,
  loggingHooks,
} from "../src/index.ts";
import {
  closedUrl,
  failure,
  failureOf,
  json,
  longTimeouts,
  type Reply,
  resetBeforeHeaders,
  shortTimeouts,
  startFaultServer,
  succeed,
  success,
  text,
} from "./fault-server.ts";

const key = 'xq7kz9-"\\/-5f0c';
const baseUrl = "http://node.invalid";

/** Everything that may be printed of an error, with its members and causes. */
function printed(error: unknown): string {
  const { message, stack } = error as Error;
  return [message, stack, String(error), JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })].join("\n");
}

const escaped = JSON.stringify(key).slice(1, -1);
const echoes: [string, Reply][] = [
  ["the error's text", failure(401, `API key ${key} does not exist`)],
  ["a nested member", failure(403, { message: "no", key: [key] })],
  ["result", json(429, { ok: false, result: `limit of ${key}` })],
  ["@extra", json(404, { ok: false, error: "no", "@extra": key })],
  ["a header", failure(404, "no", { "x-request-key": key })],
  ["the header x-request-id", failure(502, "no", { "x-request-id": key })],
  ["a page of HTML", text(200, `<html>${key}</html>`)],
  ["a page of HTML under a failing status", text(502, `<html>${key}</html>`)],
  ["a list", json(404, [`has ${key}`])],
  ["ok false under status 200", json(200, { ok: false, error: key })],
  ["a member's name", failure(403, { nested: [{ [key]: 1 }] })],
  ["where a redirect leads", (response) => response.writeHead(302, { location: `http://a/${key}/?key=${key}` }).end()],
  [
    "where a redirect leads, as in a URL",
    (response) => response.writeHead(302, { location: `http://a/${encodeURIComponent(key)}` }).end(),
  ],
  ["a response that is not HTTP", (response) => response.socket?.end(`garbage ${key}\r\n\r\n`)],
];

describe("apiKey", () => {
  test.for(echoes)("is in no error, though the service repeats it in %s", async ([, reply]) => {
    await using server = await startFaultServer(reply);
    const ways: Partial<ClientOptions>[] = [{ apiKey: key }, { apiKey: async () => key }, { headers: { "X-API-Key": key } }];
    for (const way of ways) {
      const chain = createClient({ baseUrl: server.url, rateLimit: false, retry: false, ...way });
      const error = await failureOf(chain.getMasterchainInfo());
      let shown = printed(error);
      (error as { headers?: Headers }).headers?.forEach((value) => {
        shown += value;
      });
      expect(shown).not.toContain(key);
      expect(shown).not.toContain(escaped);
      expect(shown).not.toContain(encodeURIComponent(key));
      expect(shown).not.toContain(inspect(key).slice(1, -1));
      expect(server.seen.at(-1)?.headers["x-api-key"]).toBe(key);
    }
  });

  test("is in no error of the connection, no line and no event", async () => {
    const events: unknown[] = [];
    const record = (event: unknown) => void events.push(inspect(event, { depth: 9, showHidden: true }));
    const hooks = { onCall: record, onRequest: record, onResponse: record, onRetry: record, onSettled: record };
    const logging = loggingHooks({ debug: record, warn: record });
    await using server = await startFaultServer(failure(503, key), resetBeforeHeaders);
    const options = { ...longTimeouts, apiKey: key, hooks: [hooks, logging] };
    for (const url of [server.url, await closedUrl()]) {
      events.push(printed(await failureOf(createClient({ ...options, baseUrl: url }).getMasterchainInfo())));
    }
    expect(events.length).toBeGreaterThan(9);
    expect(events.join()).not.toContain(key);
  });

  test("leaves no error unreadable, and no echo unredacted, for every key", async () => {
    // A sign that no key has marks the echoes of the service.
    const echo = (way: (said: string, whole: string) => Reply): Reply => {
      return (response, request) => {
        const sent = `${request.headers["x-api-key"]}`;
        way(`§${sent}§ §${encodeURIComponent(sent)}§`, JSON.stringify({ [`§${sent}§`]: [sent] }))(response, request);
      };
    };
    const ways = [
      echo((said) => failure(404, said, { "access-control-allow-origin": "*", "x-echo": said })),
      echo((said) => failure(403, { message: said })),
      echo((said) => json(200, { ok: false, error: "no", code: 429, "@extra": said })),
      echo((said) => text(200, `${said}<html>`)),
      echo((_, whole) => json(500, JSON.parse(whole))),
      echo((said) => (response) => response.writeHead(302, { location: `/${said}` }).end()),
    ];
    await using server = await startFaultServer((response, request) =>
      ways[Number(request.headers["x-way"])]?.(response, request),
    );
    const { host } = new URL(server.url);
    const names = "a date access x E ok error message code result key [key] location % %25".split(" ");
    const parts = ["0", "127", "404", "http", "127.0.0.1", host, "api", "v2", "getMasterchainInfo", "unexpected response", "é"];
    const letters = fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code));
    const keys = fc.oneof(fc.constantFrom(...names, ...parts), fc.string({ unit: letters, minLength: 1, maxLength: 30 }));
    await fc.assert(
      fc.asyncProperty(keys, async (key) => {
        const options = /^[!-~]+$/.test(key) ? { apiKey: key } : { headers: { "x-api-key": key } };
        const events: unknown[] = [];
        const hooks = { onSettled: (event: object) => void events.push(event) };
        const chain = createClient({ baseUrl: server.url, rateLimit: false, retry: false, hooks, ...options });
        for (const way of ways.keys()) {
          const answer = await chain.getMasterchainInfo({ headers: { "x-way": `${way}` } }).safe();
          const error = answer.ok ? undefined : answer.error;
          expect(error).toBeInstanceOf(ChainQueryError);
          const headers: [name: string, value: string][] = [];
          if (error instanceof ApiError) error.headers.forEach((value, name) => void headers.push([name, value]));
          const echoes = `${printed(error)}${headers}${inspect(events)}`.matchAll(/§([^§ ]+)§/g);
          expect(new Set(Array.from(echoes, ([, echoed]) => echoed))).toEqual(new Set(["[key]"]));
          if (way === 0)
            expect(headers.map(([name]) => name)).toEqual(
              expect.arrayContaining(["access-control-allow-origin", "x-echo", "date"]),
            );
          if (way === 2) expect(error).toMatchObject({ code: "RATE_LIMIT", extra: "§[key]§ §[key]§" });
        }
      }),
      { seed: 24, numRuns: 60 },
    );
  });

  test("is in no event and no name of an operation, though it is a part of the base URL", async () => {
    await using server = await startFaultServer(failure(404, "no"), resetBeforeHeaders);
    const seen: unknown[] = [];
    const record = (event: object) => void seen.push(event);
    const hooks = { onCall: record, onRequest: record, onRetry: record, onSettled: record };
    const chain = createClient({ baseUrl: `${server.url}/rpc/key-of-mine`, ...longTimeouts, apiKey: "key-of-mine", hooks });
    seen.push(printed(await failureOf(chain.getMasterchainInfo())));
    seen.push(printed(await failureOf(chain.raw.GET("/api/v2/getMasterchainInfo"))));
    const shown = inspect(seen, { depth: 9, showHidden: true });
    expect(shown).not.toContain("key-of-mine");
    expect(shown).toContain(`${server.url}/rpc/[key]/api/v2/getMasterchainInfo`);
    expect(server.seen[0]?.url).toBe("/rpc/key-of-mine/api/v2/getMasterchainInfo");
  });

  test("of digits is in no number of a response", async () => {
    await using server = await startFaultServer(json(403, { ok: false, error: "no", code: 403, seen: [8_812_345_678, 5] }));
    const error = await failureOf(createClient({ baseUrl: server.url, apiKey: "8812345678" }).getMasterchainInfo());
    expect(error).toMatchObject({ code: "AUTHENTICATION", envelope: { code: 403, seen: ["[key]", 5] } });
  });

  test("is in no issue of a validation", async () => {
    const options = { fetch: async () => Response.json(success), validate: () => ["seqno: got s3cret"] };
    const chain = createClient({ baseUrl: "http://node.invalid", apiKey: "s3cret", ...options });
    const error = await failureOf(chain.getMasterchainInfo());
    expect(error).toMatchObject({ code: "RESPONSE_VALIDATION", issues: ["seqno: got [key]"] });
    expect(String(error)).not.toContain("s3cret");
  });

  test("is asked for once if it is wrong", async () => {
    const apiKey = vi.fn(() => "two words");
    const chain = createClient({ baseUrl: "http://node.invalid", apiKey, retry: { baseDelayMs: 1 } });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(apiKey).toHaveBeenCalledTimes(1);
  });

  test("is asked for before each attempt, where it is a function", async () => {
    await using server = await startFaultServer(failure(503, "busy"), succeed);
    let asked = 0;
    const apiKey = () => `key${++asked}`;
    await createClient({ baseUrl: server.url, ...longTimeouts, apiKey }).getMasterchainInfo();
    expect(server.seen.map(({ headers }) => headers["x-api-key"])).toEqual(["key1", "key2"]);
  });

  const accepted = "apiKey must be or return visible ASCII without spaces";

  test.for<[what: string, apiKey: () => string | Promise<string>, message?: string]>([
    [
      "throws",
      () => {
        throw new Error("vault is shut");
      },
    ],
    ["rejects", () => Promise.reject(new Error("vault is shut"))],
    ["gives what no header can carry", () => `${key}\n.`, `${accepted}, got a string`],
    ["gives the text of a file", async () => `${key}\r\n`, "apiKey ends with a line break; trim it"],
    ["gives an empty text", async () => "", `${accepted}, got ""`],
    ["gives nothing", () => undefined as unknown as string, `${accepted}, got undefined`],
    ["gives null", () => null as unknown as string, `${accepted}, got null`],
  ])("ends the call before any request where its function %s", async ([, apiKey, message = accepted]) => {
    await using server = await startFaultServer(succeed);
    const error = await failureOf(createClient({ baseUrl: server.url, apiKey }).getMasterchainInfo());
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error).toMatchObject({
      message: `getMasterchainInfo: ${message}`,
      operation: "getMasterchainInfo",
    });
    expect(printed(error)).not.toContain(key);
    expect(server.seen).toEqual([]);
  });

  test("ends in time where its function does not", async () => {
    const options = { ...shortTimeouts, retry: false, apiKey: () => new Promise<string>(() => {}) } as const;
    expect(await failureOf(createClient({ baseUrl, ...options }).getMasterchainInfo())).toMatchObject({
      code: "TIMEOUT",
      attempts: 0,
    });
  });

  test("ends in time where its function does not, after its retries", async () => {
    let asked = 0;
    const apiKey = () => {
      asked++;
      return new Promise<string>(() => {});
    };
    const call = createClient({ baseUrl, ...shortTimeouts, timeoutMs: 20, apiKey }).getMasterchainInfo();
    expect(await failureOf(call)).toMatchObject({ code: "TIMEOUT", attempts: 0 });
    expect(asked).toBe(2);
  });

  test.for<[string, object]>([
    ["a key that no header can carry", { apiKey: `${key}\n.` }],
    ["a key of other letters", { apiKey: `${key}é` }],
    ["an empty key", { apiKey: "" }],
    ["an invalid header value", { headers: { "x-api-key": `${key}\n.` } }],
    ["an invalid header name", { headers: { [`${key} `]: "x" } }],
    ["headers as text", { headers: `x-api-key: ${key}` }],
    ["a baseUrl with a password", { baseUrl: `http://user:${key}@node.example` }],
    ["a baseUrl with a query", { baseUrl: `http://node.example/?key=${key}` }],
  ])("is not shown where %s is rejected", async ([, options]) => {
    let error: unknown;
    try {
      createClient({ baseUrl, ...options });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect((error as Error).message).toMatch(/apiKey|headers|baseUrl/);
    expect(printed(error)).not.toContain(key.slice(0, 6));
  });

  test("is not shown where a header of a call is rejected", async () => {
    const call = createClient({ baseUrl }).getMasterchainInfo({ headers: { "x-api-key": `${key}\n.` } });
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(printed(error)).not.toContain(key);
  });
});
