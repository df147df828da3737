import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  closedUrl,
  drip,
  failure,
  hang,
  type Reply,
  resetBeforeHeaders,
  resetInBody,
  stallInBody,
  startFaultServer,
  succeed,
  text,
} from "../fault-server.ts";

const source = new URL("../../src/index.ts", import.meta.url).href;

/** Runs a program in its own process and returns its output after it has ended by itself. */
async function program(baseUrl: string, lines: string): Promise<string> {
  const code = `
    import { createClient, createLimiter } from ${JSON.stringify(source)};
    process.on("unhandledRejection", (reason) => console.log("unhandled", reason));
    const options = { baseUrl: ${JSON.stringify(baseUrl)}, rateLimit: { requests: 5, perMs: 5 }, timeoutMs: 60_000, deadlineMs: Infinity, retry: { baseDelayMs: 1 } };
    const chain = createClient(options);
    ${lines}
    console.log(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length, "timers");
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
  return stdout;
}

describe("a process", () => {
  const endings: [reply: Reply, code: string][] = [
    [succeed, "undefined"],
    [resetBeforeHeaders, "CONNECTION"],
    [resetInBody, "CONNECTION"],
    [hang, "TIMEOUT"],
    [stallInBody, "TIMEOUT"],
    [drip, "TIMEOUT"],
    [failure(503, "busy"), "SERVER"],
    [failure(429, "slow down", { "retry-after": "3600" }), "RATE_LIMIT"],
    [text(502, "<html>"), "SERVER"],
    [text(200, "<html>"), "PARSE"],
  ];

  test("ends by itself, without a timer, after every kind of end of a call", async () => {
    // The first part of a path is the number of the ending.
    await using server = await startFaultServer((response, request) =>
      endings[Number(request.url?.split("/")[1])]?.[0](response, request),
    );
    // Only requests that never end have a short timeout.
    const timeouts = [...endings.map(([, code]) => (code === "TIMEOUT" ? 200 : 60_000)), 60_000];
    const urls = [...endings.map((_, index) => `${server.url}/${index}`), await closedUrl()];
    const targets = urls.map((baseUrl, index) => ({ baseUrl, timeoutMs: timeouts[index] }));
    const stdout = await program(
      server.url,
      `for (const target of ${JSON.stringify(targets)}) {
        const one = createClient({ ...options, ...target });
        console.log((await one.getMasterchainInfo().safe()).error?.code);
      }`,
    );
    expect(stdout).toBe([...endings.map(([, code]) => code), "CONNECTION", "0 timers", ""].join("\n"));
  });

  test("ends by itself after POSTs of raw whose middleware consumes the body or throws", async () => {
    await using server = await startFaultServer(succeed);
    const stdout = await program(
      server.url,
      `
      const middlewares = [
        ({ request }) => request.text().then(() => {}),
        async ({ request }) => { await request.text(); return request; },
        () => { throw Object.assign(new Error(), { code: "THEIRS" }); },
      ];
      for (const onRequest of middlewares) {
        const { raw } = createClient({ ...options, timeoutMs: Infinity });
        raw.use({ onRequest });
        const error = await raw.POST("/api/v2/getConsensusBlock", { body: {} }).catch((error) => error);
        console.log(error.name, error.code);
      }
    `,
    );
    expect(stdout).toBe(`${"TypeError undefined\n".repeat(2)}Error THEIRS\n0 timers\n`);
    expect(server.seen).toEqual([]);
  });

  test("ends by itself after a call without a timeout", async () => {
    await using server = await startFaultServer(succeed);
    const stdout = await program(
      server.url,
      `
      const fetch = async (request) => {
        console.log(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length, "in flight");
        return Response.json({ ok: true, result: 5 });
      };
      await createClient({ ...options, timeoutMs: Infinity, deadlineMs: Infinity, fetch }).getMasterchainInfo();
    `,
    );
    expect(stdout).toBe("0 in flight\n0 timers\n");
  });

  test("ends by itself after aborts in the queue, in a wait and in a request", async () => {
    await using server = await startFaultServer(failure(429, "slow down", { "retry-after": "50" }), hang);
    const stdout = await program(
      server.url,
      `
      const signal = AbortSignal.timeout(100);
      const slow = createClient({ ...options, rateLimit: { requests: 1, perMs: 60_000 }, timeoutMs: 60_000, deadlineMs: 60_000 });
      const free = createClient({ ...options, rateLimit: false, timeoutMs: 60_000 });
      const calls = [slow.getMasterchainInfo({ signal }), slow.getConsensusBlock({ signal }), free.getConsensusBlock({ signal })];
      for (const { reason } of await Promise.allSettled(calls)) console.log(reason.code);
    `,
    );
    expect(stdout).toBe("ABORTED\nABORTED\nABORTED\n0 timers\n");
  });
});
