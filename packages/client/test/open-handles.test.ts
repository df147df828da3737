import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  closedUrl,
  drip,
  failure,
  hang,
  resetBeforeHeaders,
  resetInBody,
  stallInBody,
  startFaultServer,
  succeed,
  text,
} from "./fault-server.ts";

const source = new URL("../src/index.ts", import.meta.url).href;

/** Runs a program of its own that calls a deployment, and gives what it prints once it has ended by itself. */
async function program(baseUrl: string, lines: string): Promise<string> {
  const code = `
    import { createClient, createLimiter } from ${JSON.stringify(source)};
    process.on("unhandledRejection", (reason) => console.log("unhandled", reason));
    const options = { baseUrl: ${JSON.stringify(baseUrl)}, rateLimit: { requests: 5, perMs: 5 }, timeoutMs: 200, retry: { baseDelayMs: 1 } };
    const chain = createClient(options);
    ${lines}
    console.log(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length, "timers");
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
  return stdout;
}

describe("process", () => {
  test.for<[name: string, answer: Answer | undefined, printed: RegExp]>([
    ["succeeds", succeed, /^undefined\n/],
    ["is refused", undefined, /^CONNECTION\n/],
    ["is reset", resetBeforeHeaders, /^CONNECTION\n/],
    ["is reset in mid-body", resetInBody, /^CONNECTION\n/],
    ["hangs", hang, /^TIMEOUT\n/],
    ["stalls in mid-body", stallInBody, /^TIMEOUT\n/],
    ["drips", drip, /^TIMEOUT\n/],
    ["fails", failure(503, "busy"), /^SERVER\n/],
    ["is told to wait too long", failure(429, "slow down", { "retry-after": "3600" }), /^RATE_LIMIT\n/],
    ["answers HTML", text(502, "<html>"), /^PARSE\n/],
  ])("ends by itself, with no timer left, after a call that %s", async ([, answer, printed]) => {
    await using server = await startFaultServer(answer ?? hang);
    const baseUrl = answer ? server.url : await closedUrl();
    const stdout = await program(baseUrl, "console.log((await chain.getMasterchainInfo().safe()).error?.code);");
    expect(stdout).toMatch(printed);
    expect(stdout).not.toContain("unhandled");
    expect(stdout).toMatch(/\n0 timers\n$/);
  });

  test.for<[string, string]>([
    ["consumes the body", "({ request }) => request.text().then(() => {})"],
    ["gives another body that is consumed", "async ({ request }) => { await request.text(); return request; }"],
    ["throws", "() => { throw Object.assign(new Error(), { code: 'THEIRS' }); }"],
  ])("ends by itself after a POST whose middleware %s", async ([, onRequest]) => {
    await using server = await startFaultServer(succeed);
    const stdout = await program(
      server.url,
      `
      const theirs = createClient({ ...options, timeoutMs: Infinity, middleware: [{ onRequest: ${onRequest} }] });
      for (const deadlineMs of [Infinity, 60_000]) {
        const error = await theirs.getConsensusBlock({ deadlineMs }).catch((error) => error);
        console.log(error.code, error.message, error.attempts);
      }
    `,
    );
    const line = onRequest.includes("THEIRS")
      ? "THEIRS  undefined\n"
      : "INVALID_ARGUMENT getConsensusBlock: middleware has consumed the request's body; it may read a clone 0\n";
    expect(stdout).toBe(`${line}${line}0 timers\n`);
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
      await createClient({ ...options, timeoutMs: Infinity, fetch }).getMasterchainInfo();
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
