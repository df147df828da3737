import { describe, expect, test, vi } from "vitest";
import { AbortedError, type CallOptions, type ClientOptions, createClient } from "../../src/index.ts";
import { failure, failureOf, hang, type Reply, stallInBody, startFaultServer, succeed, success } from "../fault-server.ts";

const reason = new Error("the user left");

/** Calls, aborts when `when` resolves, and returns the outcome. */
async function abortedCall(reply: Reply, options: Partial<ClientOptions>, when: (seen: unknown[]) => Promise<unknown>) {
  const controller = new AbortController();
  await using server = await startFaultServer(reply);
  const chain = createClient({ baseUrl: server.url, rateLimit: false, ...options });
  const call = failureOf(chain.getMasterchainInfo({ signal: controller.signal }));
  await when(server.seen);
  controller.abort(reason);
  return { error: await call, server };
}

const asked = (seen: unknown[]) => expect.poll(() => seen.length).toBe(1);

describe("signal", () => {
  test("ends a call before it starts, with nothing sent and no key asked for", async () => {
    await using server = await startFaultServer(succeed);
    let asked = 0;
    const apiKey = () => `key${asked++}`;
    for (const rateLimit of [false, { requests: 1, perMs: 1 }] as const) {
      const chain = createClient({ baseUrl: server.url, apiKey, rateLimit });
      const error = await failureOf(chain.getMasterchainInfo({ signal: AbortSignal.abort(reason) }));
      expect(error).toBeInstanceOf(AbortedError);
      expect(error).toMatchObject({ cause: reason, attempts: 0, code: "ABORTED" });
    }
    expect(server.seen).toEqual([]);
    expect(asked).toBe(0);
  });

  test.for<[string, Reply]>([
    ["before the headers", hang],
    ["in mid-body", stallInBody],
  ])("ends a request %s", async ([, reply]) => {
    let retries = 0;
    const hooks = { onRetry: () => void retries++ };
    const { error, server } = await abortedCall(reply, { hooks }, asked);
    expect(retries).toBe(0);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: reason, attempts: 1 });
    await expect.poll(() => server.cutOff).toBe(1);
  });

  test("ends the wait for a retry", async () => {
    let waiting = () => {};
    const waits = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const options = { retry: { baseDelayMs: 1 }, hooks: { onRetry: () => waiting() } };
    const { error, server } = await abortedCall(failure(503, "busy", { "retry-after": "30" }), options, () => waits);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: reason, attempts: 1 });
    expect(server.seen).toHaveLength(1);
  });

  test("ends the wait in the limiter's queue and frees the place there", async () => {
    let answer = () => {};
    const holds: Reply = (response, request) => {
      answer = () => succeed(response, request);
    };
    await using server = await startFaultServer(holds, succeed);
    const chain = createClient({ baseUrl: server.url, rateLimit: { requests: 10, perMs: 1, maxConcurrency: 1 } });
    const first = chain.getMasterchainInfo();
    await asked(server.seen);
    const controller = new AbortController();
    const queued = failureOf(chain.getConsensusBlock({ signal: controller.signal }));
    const behind = chain.getOutMsgQueueSize();
    setTimeout(() => controller.abort(reason), 10);
    expect(await queued).toMatchObject({ code: "ABORTED", cause: reason, attempts: 0 });
    answer();
    await first;
    await behind;
    expect(server.seen.map(({ url }) => url)).toEqual(["/api/v2/getMasterchainInfo", "/api/v2/getOutMsgQueueSize"]);
  });

  test("ends the wait for a key", async () => {
    await using server = await startFaultServer(succeed);
    const chain = createClient({ baseUrl: server.url, apiKey: () => new Promise<string>(() => {}) });
    const controller = new AbortController();
    const call = failureOf(chain.getMasterchainInfo({ signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 10);
    expect(await call).toMatchObject({ code: "ABORTED", cause: reason, attempts: 0 });
  });

  test("sends nothing with a key that comes after the abort", async () => {
    const controller = new AbortController();
    const fetch = vi.fn(async () => Response.json(success));
    const apiKey = async () => {
      controller.abort(reason);
      return "late";
    };
    const chain = createClient({ baseUrl: "http://node.invalid", apiKey, fetch });
    const error = await failureOf(chain.getMasterchainInfo({ signal: controller.signal }));
    expect(error).toMatchObject({ code: "ABORTED", attempts: 0 });
    await new Promise((resolve) => setTimeout(resolve));
    expect(fetch).not.toHaveBeenCalled();
  });

  test("from onRetry ends the wait before it begins", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const fetch = async () => Response.json({}, { status: 503, headers: { "retry-after": "30" } });
    const hooks = { onRetry: () => controller.abort(reason) };
    const call = createClient({ baseUrl: "http://node.invalid", fetch, hooks }).getMasterchainInfo({
      signal: controller.signal,
    });
    expect(await failureOf(call)).toMatchObject({ code: "ABORTED", cause: reason, attempts: 1 });
    vi.useRealTimers();
  });

  test("of React Native has no reason and gets one", async () => {
    const signal = { aborted: true, addEventListener() {}, removeEventListener() {} } as unknown as AbortSignal;
    const error = await failureOf(createClient({ baseUrl: "http://node.invalid" }).getMasterchainInfo({ signal }));
    expect(error).toMatchObject({ code: "ABORTED", cause: new Error("aborted") });
  });

  test("carries any reason, and the platform's default reason otherwise", async () => {
    const chain = createClient({ baseUrl: "http://node.invalid" });
    const cause = async (options: CallOptions) => ((await failureOf(chain.getMasterchainInfo(options))) as Error).cause;
    expect(await cause({ signal: AbortSignal.abort("text") })).toBe("text");
    expect(await cause({ signal: AbortSignal.abort() })).toMatchObject({ name: "AbortError" });
    expect(await cause({ signal: AbortSignal.timeout(0) })).toBeInstanceOf(Error);
  });

  test.for<[AbortSignal, string]>([
    [AbortSignal.timeout(0), "The operation was aborted due to timeout"],
    [AbortSignal.abort(reason), "the user left"],
    [AbortSignal.abort("enough"), "enough"],
    [AbortSignal.abort(), "This operation was aborted"],
  ])("is named with its reason in the message", async ([signal, why]) => {
    const apiKey = () => new Promise<string>(() => {});
    const error = await failureOf(createClient({ baseUrl: "http://node.invalid", apiKey }).getMasterchainInfo({ signal }));
    expect(error).toMatchObject({ message: `getMasterchainInfo: aborted by its signal: ${why}` });
  });

  test("keeps no listener after the end of a call", async () => {
    await using server = await startFaultServer(succeed);
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--;
      removeEventListener.apply(signal, args);
    };
    await createClient({ baseUrl: server.url }).getMasterchainInfo({ signal });
    expect(listeners).toBe(0);
  });

  test("changes nothing once the call is over", async () => {
    await using server = await startFaultServer(succeed);
    const controller = new AbortController();
    const call = createClient({ baseUrl: server.url }).getMasterchainInfo({ signal: controller.signal });
    const result = await call;
    controller.abort(reason);
    expect(await call).toBe(result);
  });
});
