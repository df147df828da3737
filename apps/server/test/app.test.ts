/** The app with stubs for its gate, log and pages: limits before every route, unexpected errors, timeouts, docs. */

import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ChainReader } from "@chain-query/format/store";
import { until } from "@chain-query/testing/until";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AppOptions } from "../src/app.ts";
import { HttpError } from "../src/failure.ts";
import { budgetOf, QueryBudgets } from "../src/query-budget.ts";
import { appWith, pages } from "./fixtures/app.ts";
import { knownChain, rawAddress } from "./fixtures/chain.ts";
import { temporaryFolder } from "./fixtures/service.ts";

test("a request has a budget of its operation, and one without a key that of its address", async () => {
  const seen: unknown[] = [];
  const findReceiver: ChainReader["findReceiver"] = (_message, _at, signal) => {
    const { operation, client } = budgetOf(signal) ?? expect.unreachable();
    seen.push([operation, client]);
    return undefined;
  };
  const ended: unknown[] = [];
  const onEnd = (...counted: unknown[]) => void ended.push(counted);
  const budgets = new QueryBudgets({ rate: () => 10, hasShares: true, onEnd, onRefusal: () => {} });
  const app = appWith({ budgets }, { findReceiver });
  const address = `0:${"ab".repeat(32)}`;
  const url = `/api/v2/tryLocateResultTx?source=${address}&destination=${address}&created_lt=1`;
  for (const headers of [{}, { "x-api-key": "one" }]) {
    const { statusCode } = await app.inject({ url, headers, remoteAddress: "2001:db8:0:1::7" });
    expect(statusCode).toBe(404);
  }
  await app.inject("/healthz");
  expect(seen).toEqual([
    ["tryLocateResultTx", "2001:db8:0:1::/64"],
    ["tryLocateResultTx", undefined],
  ]);
  expect(ended).toEqual(seen.map(() => ["tryLocateResultTx", 0, false]));
});

test("long pages are read in turns of their callers: keys, and addresses without one", async () => {
  const { reader, histories } = knownChain();
  const [held, read] = [Promise.withResolvers<void>(), new Set<string>()];
  const history: ChainReader["history"] = async (account, range, limit) => {
    read.add(rawAddress(account));
    await held.promise;
    return reader.history(account, range, limit);
  };
  let begun = 0;
  const addTelemetry: AppOptions["addTelemetry"] = (one) => one.addHook("preHandler", async () => void begun++);
  const app = appWith({ addTelemetry }, { history });
  const [one, other] = [{ remoteAddress: "192.0.2.1" }, { remoteAddress: "192.0.2.2" }];
  const key = { ...one, headers: { "x-api-key": "one" } };
  const pages = [one, one, one, other, key].map((caller, index) => {
    const [newest = expect.unreachable()] = histories[index] ?? [];
    const [address, { lt, hash }] = [rawAddress(newest.account), newest.id];
    const query = { address, lt: `${lt}`, hash: Buffer.from(hash).toString("base64"), limit: "101", archival: "true" };
    return { address, answer: app.inject({ ...caller, url: "/api/v2/getTransactionsStd", query }) };
  });
  await until(() => begun === pages.length);
  held.resolve();
  const answers = await Promise.all(pages.map(({ answer }) => answer));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(pages.map(() => 200));
  expect([...read]).toEqual([0, 3, 4, 1, 2].map((index) => pages[index]?.address));
});

test("every route is behind the limits, and so are unrouted requests", async () => {
  using site = temporaryFolder();
  const routes: { method: string; url: string }[] = [];
  const app = appWith({
    gate: async () => {
      throw new HttpError(429, "rate limit exceeded");
    },
    pages: { ...pages, docs: site.path },
    addTelemetry: (one) =>
      one.addHook("onRoute", ({ method, url }) => {
        for (const single of [method].flat()) routes.push({ method: single, url: url.replace("*", "index.html") });
      }),
  });
  await app.ready();
  expect(routes.length).toBeGreaterThan(25);
  const others = [
    { method: "GET", url: "/nowhere" },
    { method: "DELETE", url: "/api/v2/lookupBlock" },
    { method: "GET", url: "/api/%zz" },
    { method: "PROPFIND", url: "/" },
    { method: "QUERY", url: "/api/v2/lookupBlock" },
  ];
  const responses = [];
  for (const { method, url } of [...routes, ...others]) {
    const { statusCode } = await app.inject({ method: method as "GET", url });
    responses.push([method, url, statusCode]);
  }
  expect(responses.filter(([, , status]) => status !== 429)).toEqual([]);
});

describe("an unexpected error", () => {
  const fail = () => {
    throw new Error("cannot open /srv/secret/chain.mdb");
  };

  test("is logged with its stack, and the response carries only the request id", async () => {
    const lines = new PassThrough();
    const app = appWith({ log: pino({ level: "info" }, lines) }, { head: fail });
    const { statusCode, headers, body } = await app.inject({ method: "GET", url: "/api/v2/getMasterchainInfo" });
    expect(statusCode).toBe(500);
    const { error } = JSON.parse(body);
    expect(error).toMatch(/^internal error; the service's log has the details under request \w+-1$/);
    lines.end();
    const logged = JSON.parse(await text(lines));
    expect(logged.err.stack).toContain("cannot open /srv/secret/chain.mdb");
    expect(error).toContain(logged.request);
    expect(headers["x-request-id"]).toBe(logged.request);
    expect(headers["access-control-expose-headers"]).toContain("X-Request-Id");
  });

  test("has the contract's envelope even if logging fails", async () => {
    const full = () => {
      throw new Error("ENOSPC: no space left on device, write");
    };
    const app = appWith({ log: pino({ level: "info" }, { write: full }) }, { head: fail });
    const { statusCode, body } = await app.inject("/api/v2/getMasterchainInfo");
    expect([statusCode, JSON.parse(body)]).toEqual([
      500,
      { ok: false, error: "internal error", code: 500, reason: "internal" },
    ]);
  });
});

test("a connection is closed if it is idle, or if its request does not end", async () => {
  const timeouts = { headers: 100, request: 200, keepAlive: 1000, idle: 1000, checkInterval: 50 };
  const app = appWith({ timeouts });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const [idle, slow] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  const closed = [idle, slow].map((socket) => once(socket.on("error", () => {}).resume(), "close"));
  slow.write("GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\nx-slow: ");
  const drip = setInterval(() => slow.write("x"), 20);
  await Promise.all(closed);
  clearInterval(drip);
});

describe("the docs", () => {
  const withSite = (): FastifyInstance => {
    const site = temporaryFolder();
    onTestFinished(() => site[Symbol.dispose]());
    mkdirSync(join(site.path, "guides"));
    writeFileSync(join(site.path, "index.html"), "<h1>Docs</h1>");
    writeFileSync(join(site.path, "404.html"), '<base href="/published/" /><h1>No such page</h1>');
    mkdirSync(join(site.path, "playground"));
    writeFileSync(join(site.path, "playground", "service.json"), "{}");
    writeFileSync(join(site.path, "guides", "style.css"), "h1 {}");
    return appWith({ pages: { ...pages, docs: site.path } });
  };

  test("are served below /docs/, with a relative redirect and a link from the status page", async () => {
    const app = withSite();
    const redirect = await app.inject("/docs");
    expect([redirect.statusCode, redirect.headers.location]).toEqual([308, "docs/"]);
    const page = await app.inject("/docs/");
    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.body).toBe("<h1>Docs</h1>");
    expect((await app.inject("/docs/guides/style.css")).statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      "content-security-policy": "frame-ancestors 'self'",
      "x-content-type-options": "nosniff",
    });
    expect((await app.inject("/")).body).toContain('href="docs/"');
    expect((await appWith({}).inject("/")).body).not.toContain('href="docs/"');
  });

  test("list their methods, and serve no file outside the site", async () => {
    const app = withSite();
    for (const url of ["/docs", "/docs/", "/docs/index.html"]) {
      const { statusCode, headers } = await app.inject({ method: "OPTIONS", url });
      expect([url, statusCode, headers["allow"]]).toEqual([url, 204, "GET, HEAD, OPTIONS"]);
    }
    for (const path of ["../package.json", "..%2f..%2fpackage.json", "%2e%2e/%2e%2e/package.json"]) {
      const { statusCode, body } = await app.inject(`/docs/${path}`);
      expect([statusCode, body.includes("chain-query")]).toEqual([404, false]);
    }
  });

  test("respond to an unknown address with their own page, and other methods in the envelope", async () => {
    const app = withSite();
    const unknown = [
      ["none.html", "./"],
      ["no-such-page/?a=/b", "../"],
      ["guides/", "../"],
      ["a/b%2fc/d", "../../"],
    ];
    for (const [path, base] of unknown) {
      const { statusCode, headers, body } = await app.inject(`/docs/${path}`);
      expect([statusCode, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      expect([path, body]).toEqual([path, `<base href="${base}" /><h1>No such page</h1>`]);
    }
    const posted = await app.inject({ method: "POST", url: "/docs/no-such-page/" });
    expect([posted.statusCode, posted.json()]).toMatchObject([404, { ok: false, code: 404 }]);
    expect((await app.inject("/api/v2/nothing")).json()).toMatchObject({ ok: false, code: 404 });
  });

  test("name this service as the one of the site's playground and samples", async () => {
    const { headers, body } = await withSite().inject("/docs/playground/service.json");
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const { baseUrl } = JSON.parse(body) as { baseUrl: string };
    const there = "https://example.org/chain/docs/playground/service.json";
    expect(new URL(baseUrl, there).href).toBe("https://example.org/chain/");
  });
});

test("the log of requests has no secret of a key, also if it is percent-encoded", async () => {
  const log = new PassThrough();
  const app = appWith({ log: pino({ level: "info" }, log), logRequests: true });
  const secret = "s".repeat(43);
  for (const key of [`cq_0123456789ab_${secret}`, `cq%5F0123456789ab%5f${secret}`, `%63q_0123456789a%62_%73${secret}`]) {
    await app.inject(`/api/v2/${key}`);
  }
  log.end();
  const lines = (await text(log)).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(Array(3).fill("/api/v2/cq_0123456789ab_…"));
});
