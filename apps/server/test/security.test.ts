/** What nobody may get at, and nobody may get around. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { describe, expect, inject, test } from "vitest";
import { type AppParts, createApp } from "../src/app.ts";
import type { ChainSource } from "../src/chain-source.ts";
import { Refusal } from "../src/failure.ts";
import { historyOf } from "../src/history.ts";
import { messagesOf } from "../src/messages.ts";
import { createMetrics } from "../src/operating/metrics.ts";
import { localChainSource } from "../src/sources/local-chain.ts";
import { ask } from "./ask.ts";
import { run, start, until } from "./processes/command.ts";
import { temporaryFolder } from "./service.ts";

const cacheBytes = 2 ** 20;
/** Where everybody on the machine may read what a process was started with. */
const processFiles = process.platform === "linux" ? ["cmdline", "environ"] : [];

/** An app without a socket, of which parts can be others than usual. */
function appOf(source: ChainSource, parts: Partial<AppParts>): FastifyInstance {
  return createApp({
    context: {
      source,
      history: historyOf(source, cacheBytes),
      messages: messagesOf(source, cacheBytes),
      blockType: "chain.blockIdExt",
    },
    gate: () => undefined,
    metrics: createMetrics(async () => undefined),
    log: pino({ level: "silent" }),
    node: 0,
    trustedProxies: [],
    logRequests: false,
    pages: { troubleNow: async () => undefined, metricsText: async () => "", status: async () => ({ time: 0 }) },
    addTelemetry: undefined,
    ...parts,
  });
}

describe("every route", () => {
  test("is behind the limits, and so is what no route is of", async () => {
    const routes: { method: string; url: string }[] = [];
    const source = localChainSource(inject("chain"));
    const app = appOf(source, {
      gate: async () => {
        throw new Refusal(429, "rate limit exceeded");
      },
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
    const answers = [];
    for (const { method, url } of [...routes, ...others]) {
      const { statusCode } = await app.inject({ method: method as "GET", url });
      answers.push([method, url, statusCode]);
    }
    expect(answers.filter(([, , status]) => status !== 429)).toEqual([]);
    await app.close();
    await source.close();
  });
});

describe("a failure that nobody expected", () => {
  test("tells the caller nothing of the inside, and the operator everything", async () => {
    const lines = new PassThrough();
    const failing = () => {
      throw new Error("cannot open /srv/secret/chain.mdb");
    };
    const real = localChainSource(inject("chain"));
    const source = {
      ...real,
      head: failing,
      account: failing,
      block: failing,
      consensus: failing,
      locate: failing,
      shards: failing,
    };
    const app = appOf(source, { log: pino({ level: "info" }, lines) });
    const { statusCode, body } = await app.inject({ method: "GET", url: "/api/v2/getMasterchainInfo" });
    expect(statusCode).toBe(500);
    const { error } = JSON.parse(body);
    expect(error).toMatch(/^the service failed; its log knows this request as 0-\w+-1$/);
    await app.close();
    await real.close();
    lines.end();
    const logged = JSON.parse(await text(lines));
    expect(logged.err.stack).toContain("cannot open /srv/secret/chain.mdb");
    expect(error).toContain(logged.request);
  });
});

describe("a key", () => {
  test("is in no log, metric, error, process list, environment or file", async () => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    const key = (await run("keys", "add", "alice", "--rate", "3", "--keys", keys)).stdout.trim();
    const flags = ["--port", "0", "--chain", inject("chain"), "--no-produce", "--keys", keys, "--workers", "2"];
    await using command = start(...flags, "--log-level", "debug", "--log-requests");
    const url = await command.url;
    const seen: string[] = [];
    const headers = { "x-api-key": key };
    for (let turn = 0; turn < 6; turn++) seen.push(JSON.stringify((await ask(url, "lookupBlock", {}, headers)).body));
    // Callers put it into the wrong places as well.
    for (const path of [`/nowhere?key=${key}`, `/api/v2/getMasterchainInfo?api_key=${key}`]) {
      seen.push(await (await fetch(url + path, { headers })).text());
    }
    seen.push(
      await until(async () => {
        const response = await fetch(`${url}/metrics`);
        return response.ok ? response.text() : undefined;
      }),
    );
    const workers = command.log().flatMap(({ msg, pid }) => (msg === "a worker answers" ? [Number(pid)] : []));
    expect(workers.length).toBe(2);
    for (const pid of [command.child.pid, ...workers]) {
      for (const file of processFiles) seen.push(readFileSync(`/proc/${pid}/${file}`, "latin1"));
    }
    command.child.kill("SIGTERM");
    await command.ended;
    expect(command.log().filter(({ msg }) => msg === "answered").length).toBeGreaterThan(5);
    seen.push(command.stderr(), ...readdirSync(keys).map((name) => readFileSync(join(keys, name), "latin1")));
    const secret = key.slice(-43);
    expect(seen.filter((one) => one.includes(secret.slice(0, 16)) || one.includes(secret.slice(-16)))).toEqual([]);
    expect(seen.length).toBeGreaterThan(9);
  });
});
