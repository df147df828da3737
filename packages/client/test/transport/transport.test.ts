import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ProxyAgent } from "undici";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AbortedError, ConnectionError, createClient, TimeoutError } from "../../src/index.ts";
import { passing } from "../fake-time.ts";
import {
  failure,
  failureOf,
  hang,
  longTimeouts,
  rawAddress,
  shortTimeouts,
  startFaultServer,
  succeed,
  success,
} from "../fault-server.ts";

describe("fetch", () => {
  test("gets one complete request for each attempt", async () => {
    const seen: unknown[] = [];
    const fetch = async (request: Request) => {
      const { method, url, redirect, headers } = request;
      const body = await request.text();
      seen.push({ real: request instanceof Request, method, url, redirect, body, key: headers.get("x-api-key") });
      return Response.json(seen.length === 1 ? {} : success, { status: seen.length === 1 ? 503 : 200 });
    };
    const chain = createClient({ baseUrl: "http://node.invalid", apiKey: "secret", retry: { baseDelayMs: 1 }, fetch });
    await chain.getAddressInformation({ address: rawAddress });
    const url = "http://node.invalid/api/v2/getAddressInformation";
    const body = JSON.stringify({ address: rawAddress });
    const sent = { real: true, method: "POST", url, redirect: "manual", body, key: "secret" };
    expect(seen).toEqual([sent, sent]);
  });

  test("gives a response that can be read again", async () => {
    await using server = await startFaultServer(succeed);
    const { response } = await createClient({ baseUrl: server.url }).getMasterchainInfo().withResponse();
    expect(response).toBeInstanceOf(Response);
    expect(response.url).toBe(`${server.url}/api/v2/getMasterchainInfo`);
    expect([await response.json(), await response.text()]).toEqual([success, JSON.stringify(success)]);
  });

  test("takes the dispatcher of undici, such as a proxy", async () => {
    const tunnels: (string | undefined)[] = [];
    const proxy = createServer((_, response) => response.end(JSON.stringify(success)));
    // The proxy is the service, too: only the proxy resolves its name.
    proxy.on("connect", ({ url }, socket) => {
      tunnels.push(url);
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      proxy.emit("connection", socket);
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const { port } = proxy.address() as AddressInfo;
    const dispatcher = new ProxyAgent(`http://127.0.0.1:${port}`);
    const throughProxy = (request: Request) => fetch(request, { dispatcher } as object);
    const chain = createClient({ baseUrl: "http://node.invalid", rateLimit: false, fetch: throughProxy });
    expect(await chain.getMasterchainInfo()).toEqual(success.result);
    expect(await chain.getAddressInformation({ address: rawAddress })).toEqual(success.result);
    expect([...new Set(tunnels)]).toEqual(["node.invalid:80"]);
    await dispatcher.close();
    proxy.close();
  });

  test("passes a response without a body on to raw", async () => {
    const chain = createClient({ baseUrl: "http://node.invalid", fetch: async () => new Response(null, { status: 204 }) });
    expect(await chain.raw.GET("/api/v2/getMasterchainInfo")).toMatchObject({ response: { status: 204 } });
  });

  test("that fails after a response that broke off could not reach the service", async () => {
    const brokenOff = [new Response(new ReadableStream({ pull: (body) => body.error(new Error("cut")) }))];
    const fetch = async () => brokenOff.pop() ?? Promise.reject(new TypeError("refused"));
    const chain = createClient({ baseUrl: "http://node.invalid", ...longTimeouts, fetch });
    expect(await failureOf(chain.getMasterchainInfo())).toMatchObject({
      message: "getMasterchainInfo: could not reach http://node.invalid: refused",
      attempts: 2,
    });
  });

  test("is looked up at each attempt", async () => {
    await using server = await startFaultServer(failure(503, "busy"));
    const before = globalThis.fetch;
    try {
      const onRetry = () => {
        globalThis.fetch = async () => Response.json(success);
      };
      const chain = createClient({ baseUrl: server.url, ...longTimeouts, hooks: { onRetry } });
      expect(await chain.getMasterchainInfo()).toEqual(success.result);
    } finally {
      globalThis.fetch = before;
    }
    expect(server.seen).toHaveLength(1);
  });

  test("ends a call whose fetch ignores its signal, throws synchronously, or rejects without an error", async () => {
    const options = { baseUrl: "http://node.invalid", ...shortTimeouts };
    const never = createClient({ ...options, fetch: () => new Promise<Response>(() => {}) });
    expect(await failureOf(never.getMasterchainInfo())).toBeInstanceOf(TimeoutError);
    const controller = new AbortController();
    const aborted = failureOf(never.getMasterchainInfo({ signal: controller.signal, timeoutMs: 60_000 }));
    setTimeout(() => controller.abort(), 10);
    expect(await aborted).toBeInstanceOf(AbortedError);
    const odd = () => {
      throw new RangeError("odd");
    };
    const throwing = createClient({ ...options, fetch: odd });
    expect(await failureOf(throwing.getMasterchainInfo())).toMatchObject({ code: "CONNECTION", attempts: 2 });
    const nothing = createClient({ ...options, fetch: () => Promise.reject(undefined) });
    expect(await failureOf(nothing.getMasterchainInfo())).toBeInstanceOf(ConnectionError);
  });

  test("receives the signal and `redirect` with the request, so that it may pass on the request alone", async () => {
    await using server = await startFaultServer(hang);
    const passed: Promise<Response>[] = [];
    const passesOn = (request: Request) => {
      const response = fetch(request);
      passed.push(response);
      return response;
    };
    const chain = createClient({ baseUrl: server.url, ...shortTimeouts, fetch: passesOn });
    expect(await failureOf(chain.getConsensusBlock())).toBeInstanceOf(TimeoutError);
    // Not what the server saw: a busy machine may not have sent a request in time.
    const ends = await Promise.allSettled(passed);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("timeoutMs, with a response after a second", () => {
  const fetch = () => new Promise<Response>((resolve) => setTimeout(() => resolve(Response.json(success)), 1_000));
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("longer than the longest timer ends no call, and no timer remains", async () => {
    const chain = createClient({ baseUrl: "http://node.invalid", timeoutMs: 2 ** 40, deadlineMs: 2 ** 41, fetch });
    expect(await passing(chain.getMasterchainInfo())).toEqual(success.result);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("of less ends the call, and reports no response later", async () => {
    const onResponse = vi.fn();
    const chain = createClient({ baseUrl: "http://node.invalid", timeoutMs: 100, retry: false, fetch, hooks: { onResponse } });
    expect(await passing(failureOf(chain.getMasterchainInfo()))).toMatchObject({ code: "TIMEOUT" });
    await vi.runAllTimersAsync();
    expect(onResponse).not.toHaveBeenCalled();
  });
});

describe("raw", () => {
  test("goes through the same transport: key, limiter, retries", async () => {
    await using server = await startFaultServer(failure(503, "busy"), succeed);
    let places = 0;
    const acquire = async () => {
      places++;
      return () => void places--;
    };
    const rateLimit = { acquire, pause() {} };
    const chain = createClient({ baseUrl: server.url, apiKey: "secret", rateLimit, retry: { baseDelayMs: 1 } });
    const body = { address: rawAddress };
    const { data, response } = await chain.raw.POST("/api/v2/getAddressInformation", { body });
    expect([data, response.status, places]).toEqual([success, 200, 0]);
    expect(server.seen).toHaveLength(2);
    for (const each of server.seen)
      expect(each).toMatchObject({ body: JSON.stringify(body), headers: { "x-api-key": "secret" } });
  });

  test("has middleware of its own, which sees a call once and may change it or answer; the methods do not see it", async () => {
    await using server = await startFaultServer(failure(503, "busy"), succeed);
    const chain = createClient({ baseUrl: server.url, ...longTimeouts });
    let seen = 0;
    chain.raw.use({
      onRequest({ request, schemaPath }) {
        if (schemaPath.endsWith("getMasterchainInfo")) return Response.json(success);
        seen++;
        request.headers.set("x-mark", "1");
        return new Request(request, { body: JSON.stringify({ changed: true }) });
      },
    });
    await chain.raw.POST("/api/v2/getConsensusBlock", { body: {} });
    expect(seen).toBe(1);
    expect((await chain.raw.GET("/api/v2/getMasterchainInfo")).data).toEqual(success);
    expect(server.seen).toHaveLength(2);
    for (const each of server.seen) expect(each).toMatchObject({ body: '{"changed":true}', headers: { "x-mark": "1" } });
    await chain.getConsensusBlock();
    expect(server.seen[2]).toMatchObject({ body: "{}" });
    expect(server.seen[2]?.headers).not.toHaveProperty("x-mark");
  });

  test("keeps other members of its request", async () => {
    const seen: string[] = [];
    const fetch = async (request: Request) => {
      seen.push(request.cache, request.headers.get("x-own") ?? "");
      return Response.json(success);
    };
    const { raw } = createClient({ baseUrl: "http://node.invalid", fetch });
    await raw.GET("/api/v2/getMasterchainInfo", { cache: "no-store", headers: { "x-own": "1" } });
    expect(seen).toEqual(["no-store", "1"]);
  });

  test("fails with the same errors, and obeys its signal", async () => {
    await using server = await startFaultServer(hang);
    const { raw } = createClient({ baseUrl: server.url, ...shortTimeouts });
    expect(await failureOf(raw.GET("/api/v2/getMasterchainInfo"))).toMatchObject({
      code: "TIMEOUT",
      operation: "/api/v2/getMasterchainInfo",
      attempts: 2,
    });
    const signal = AbortSignal.abort("enough");
    expect(await failureOf(raw.GET("/api/v2/getMasterchainInfo", { signal }))).toMatchObject({
      code: "ABORTED",
      cause: "enough",
    });
  });
});
