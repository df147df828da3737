import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Breaker } from "../../src/redis/breaker.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const isOutage = (error: unknown): boolean => !String(error).includes("WRONGTYPE");

/** A server that replies after `delay` milliseconds; never if that is undefined. */
function protectedServer() {
  const changes: (string | undefined)[] = [];
  const server = {
    delay: 1 as number | undefined,
    calls: 0,
    reconnects: 0,
    probes: 0,
    changes,
    reply(): Promise<string> {
      server.calls++;
      const { delay } = server;
      return new Promise((resolve) => {
        if (delay !== undefined) setTimeout(() => resolve("reply"), delay);
      });
    },
  };
  const probe = (): Promise<string> => {
    server.probes++;
    return server.reply();
  };
  const breaker = new Breaker({
    replyTimeout: 150,
    probe,
    onChange: (problem) => changes.push(problem),
    onFailure: () => {},
    isOutage,
    reconnect: () => server.reconnects++,
  });
  breaker.connected();
  return { server, breaker };
}

/** The outcome of a command, and after how many milliseconds. */
async function outcome(running: Promise<unknown>): Promise<readonly [string, number]> {
  const started = performance.now();
  const settled = running.then(String, (error: Error) => error.message);
  let text: string | undefined;
  void settled.then((one) => {
    text = one;
  });
  while (text === undefined) await vi.advanceTimersByTimeAsync(1);
  return [text, Math.round(performance.now() - started)];
}

test("reports a long text of the server in 200 printable characters", async () => {
  const { server, breaker } = protectedServer();
  breaker.disconnected(`\u001b[2J${"x".repeat(1 << 20)}`);
  expect(server.changes.at(-1)).toMatch(/^\?\[2Jx{95}…x{100}$/);
});

test("passes replies on", async () => {
  const { server, breaker } = protectedServer();
  expect(await outcome(breaker.run(server.reply, "read"))).toEqual(["reply", 1]);
  expect(server.changes).toEqual([undefined]);
});

test("lets no command wait longer than the oldest one, and sends none until a probe has a reply", async () => {
  const { server, breaker } = protectedServer();
  server.delay = undefined;
  const first = outcome(breaker.run(server.reply, "read"));
  await vi.advanceTimersByTimeAsync(100);
  const [text, waited] = await outcome(breaker.run(server.reply, "read"));
  expect(text).toBe("no reply in 150 ms");
  expect(waited).toBeLessThan(60);
  await first;
  const { calls } = server;
  expect(await outcome(breaker.run(server.reply, "read"))).toEqual(["Redis is unavailable", 1]);
  expect(server.calls).toBe(calls);
  server.delay = 1;
  await vi.advanceTimersByTimeAsync(110);
  expect(server.probes).toBe(1);
  expect(await outcome(breaker.run(server.reply, "read"))).toEqual(["reply", 1]);
  // One pause is not an outage.
  expect(server.changes).toEqual([undefined]);
});

test("reports an outage once, after three failures, and its end", async () => {
  const { server, breaker } = protectedServer();
  server.delay = undefined;
  await outcome(breaker.run(server.reply, "read"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.changes).toEqual([undefined, "no reply in 150 ms"]);
  expect(server.probes).toBeLessThan(30);
  server.delay = 1;
  await vi.advanceTimersByTimeAsync(910);
  expect(await outcome(breaker.run(server.reply, "read"))).toEqual(["reply", 1]);
  expect(server.changes).toEqual([undefined, "no reply in 150 ms", undefined]);
});

test("ends what waits when the connection is lost, and goes on with the next one", async () => {
  const { server, breaker } = protectedServer();
  server.delay = undefined;
  const waiting = breaker.run(server.reply, "read");
  breaker.disconnected("connection refused");
  expect(await outcome(waiting)).toEqual(["connection refused", 1]);
  expect(breaker.problem).toBe("connection refused");
  expect(breaker.isReady).toBe(false);
  breaker.disconnected("connection refused again");
  server.delay = 1;
  breaker.connected();
  expect(await outcome(breaker.run(server.reply, "read"))).toEqual(["reply", 1]);
  expect(server.changes).toEqual([undefined, "connection refused", undefined]);
});

test("reports a server that refuses every command, though it replies to probes", async () => {
  const { server, breaker } = protectedServer();
  const refuse = (): Promise<never> => Promise.reject(new Error("READONLY"));
  for (let round = 0; round < 9; round++) {
    await outcome(breaker.run(refuse, "read"));
    await vi.advanceTimersByTimeAsync(800);
  }
  expect(server.changes).toEqual([undefined, "READONLY"]);
});

test("reports a server that refuses writes, though reads have replies, until a write has one", async () => {
  const { server, breaker } = protectedServer();
  const refuse = (): Promise<never> => Promise.reject(new Error("OOM"));
  for (let round = 0; round < 6; round++) {
    await outcome(breaker.run(refuse, "write"));
    await vi.advanceTimersByTimeAsync(800);
    await outcome(breaker.run(server.reply, "read"));
  }
  // A read that fails says nothing about writes, nor does one that has a reply after it.
  for (const fail of [refuse, () => new Promise<never>(() => {})]) {
    await outcome(breaker.run(fail, "read"));
    await vi.advanceTimersByTimeAsync(800);
    await outcome(breaker.run(server.reply, "read"));
  }
  expect(server.changes).toEqual([undefined, "OOM"]);
  expect([breaker.isReady, breaker.isWritable]).toEqual([true, false]);
  expect(await outcome(breaker.run(server.reply, "write"))).toEqual(["reply", 1]);
  expect(server.changes).toEqual([undefined, "OOM", undefined]);
});

test("sends other commands after a reply that concerns one key only", async () => {
  const { server, breaker } = protectedServer();
  const refuse = (): Promise<never> => Promise.reject(new Error("WRONGTYPE"));
  for (let round = 0; round < 5; round++) expect((await outcome(breaker.run(refuse, "write")))[0]).toBe("WRONGTYPE");
  expect(await outcome(breaker.run(server.reply, "write"))).toEqual(["reply", 1]);
  expect(server.changes).toEqual([undefined]);
});

test("counts a command that throws as one that rejects, and does not wait for it", async () => {
  const { server, breaker } = protectedServer();
  const broken = (): never => {
    throw new Error("WRONGTYPE");
  };
  await outcome(breaker.run(broken, "read"));
  await vi.advanceTimersByTimeAsync(110);
  server.delay = 140;
  expect((await outcome(breaker.run(server.reply, "read")))[0]).toBe("reply");
  expect(server.changes).toEqual([undefined]);
});

test("is writable as soon as a probe has a reply after commands without one, also if none is sent", async () => {
  const { server, breaker } = protectedServer();
  server.delay = undefined;
  await outcome(breaker.run(server.reply, "write"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect([breaker.problem, breaker.isWritable]).toEqual(["no reply in 150 ms", false]);
  server.delay = 1;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(breaker.isWritable).toBe(true);
});

test("replaces the connection after six commands without a reply, and not after commands that are refused", async () => {
  const { server, breaker } = protectedServer();
  for (let round = 0; round < 9; round++) {
    await outcome(breaker.run(() => Promise.reject(new Error("OOM")), "read"));
    await vi.advanceTimersByTimeAsync(800);
  }
  expect(server.reconnects).toBe(0);
  breaker.connected();
  server.delay = undefined;
  await outcome(breaker.run(server.reply, "read"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(server.reconnects).toBe(0);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(server.reconnects).toBe(1);
});
