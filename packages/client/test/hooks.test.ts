import { describe, expect, test } from "vitest";
import { type Call, type ClientOptions, createClient, type Hooks, loggingHooks } from "../src/index.ts";
import {
  failure,
  failureOf,
  longTimeouts,
  rawAddress,
  resetBeforeHeaders,
  startFaultServer,
  succeed,
  success,
} from "./fault-server.ts";

/** Hooks that record their events. */
function recorder() {
  const events: [name: string, event: { call: Call } & Record<string, unknown>][] = [];
  const hooks: Hooks = Object.fromEntries(
    (["onCall", "onRequest", "onResponse", "onRetry", "onSettled"] as const).map((name) => [
      name,
      (event: { call: Call }) => void events.push([name, { ...event }]),
    ]),
  );
  return { events, hooks, names: () => events.map(([name]) => name) };
}

const quickRetries: Omit<ClientOptions, "baseUrl"> = { ...longTimeouts, retry: { baseDelayMs: 1 } };

describe("hooks", () => {
  test("receive each step in order, with one object for one call", async () => {
    await using server = await startFaultServer(failure(503, "busy"), resetBeforeHeaders, succeed);
    const { events, hooks, names } = recorder();
    await createClient({ baseUrl: server.url, ...quickRetries, hooks }).getTransactionsStd({ address: rawAddress });
    const attempts = ["onRequest", "onResponse", "onRetry", "onRequest", "onRetry", "onRequest", "onResponse"];
    expect(names()).toEqual(["onCall", ...attempts, "onSettled"]);
    expect(new Set(events.map(([, { call }]) => call)).size).toBe(1);
    expect(events[1]?.[1]).toMatchObject({ method: "GET", url: `${server.url}/api/v2/getTransactionsStd` });
    expect(events[2]?.[1]).toMatchObject({ status: 503, durationMs: expect.any(Number) });
    expect(events[3]?.[1]).toMatchObject({ status: 503, delayMs: expect.any(Number) });
    expect(events[5]?.[1]).toMatchObject({ error: { code: "CONNECTION" }, delayMs: expect.any(Number) });
    expect(events.at(-1)?.[1]).toMatchObject({
      call: { operation: "getTransactionsStd", attempts: 3 },
      durationMs: expect.any(Number),
      error: undefined,
    });
  });

  test("receive the error of a failed call", async () => {
    await using server = await startFaultServer(failure(404, "no"));
    const { events, hooks, names } = recorder();
    const error = await failureOf(createClient({ baseUrl: server.url, ...quickRetries, hooks }).getMasterchainInfo());
    expect(names()).toEqual(["onCall", "onRequest", "onResponse", "onSettled"]);
    expect(events.at(-1)?.[1]["error"]).toBe(error);
  });

  const throws = () => {
    throw new Error("broken hook");
  };

  test.for<[string, () => void]>([
    ["throws", throws],
    ["rejects", async () => throws()],
  ])("change nothing where one %s", async ([, broken]) => {
    await using server = await startFaultServer(failure(503, "busy"), succeed);
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", onUnhandled);
    const own = { onCall: broken, onRequest: broken, onResponse: broken, onRetry: broken, onSettled: broken };
    const hooks = [own, loggingHooks({ debug: broken, warn: broken })];
    expect(await createClient({ baseUrl: server.url, ...quickRetries, hooks }).getMasterchainInfo()).toEqual(success.result);
    // Node.js reports unhandled rejections after the microtasks have run.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", onUnhandled);
    expect(unhandled).toEqual([]);
  });

  test("keep their own this", async () => {
    await using server = await startFaultServer(succeed);
    class Counter implements Hooks {
      count = 0;
      onSettled() {
        this.count++;
      }
    }
    const hooks = new Counter();
    await createClient({ baseUrl: server.url, hooks }).getMasterchainInfo();
    expect(hooks.count).toBe(1);
  });
});

describe("loggingHooks", () => {
  test("write a line for each response and each retry", async () => {
    await using server = await startFaultServer(failure(503, "busy"), resetBeforeHeaders, succeed);
    const lines: string[] = [];
    const logger = { debug: (line: string) => lines.push(`debug ${line}`), warn: (line: string) => lines.push(`warn ${line}`) };
    await createClient({ baseUrl: server.url, ...quickRetries, hooks: [{}, loggingHooks(logger)] }).getMasterchainInfo();
    expect(lines.map((line) => line.replace(/\d+ ms/, "_ ms"))).toEqual([
      "debug getMasterchainInfo (attempt 1): 503 in _ ms",
      "warn getMasterchainInfo (attempt 1): 503, trying again in _ ms",
      "warn getMasterchainInfo (attempt 2): CONNECTION, trying again in _ ms",
      "debug getMasterchainInfo (attempt 3): 200 in _ ms",
    ]);
  });
});
