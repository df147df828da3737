import { describe, expect, test, vi } from "vitest";
import { withDeadline } from "../../src/servers/deadline.ts";
import { isBehind, isMissing, isMissingSomewhere } from "../../src/servers/fault.ts";
import { queries } from "../../src/wire/tl/queries.ts";
import { type Behaviour, block, elapse, SimulatedNetwork, TIME, useVirtualClock } from "./simulated-network.ts";

let network: SimulatedNetwork;

function start(...[behaviours, options]: ConstructorParameters<typeof SimulatedNetwork>): SimulatedNetwork {
  network = new SimulatedNetwork(behaviours, options);
  return network;
}

useVirtualClock();

describe("one faulty server beside an honest one", () => {
  const faults: Readonly<Record<string, Behaviour>> = {
    stalled: { isStalled: true },
    "with false answers": { isFalse: true },
    down: { isDown: true },
    ...Object.fromEntries([-400, 651, 652, -503, 228, 429, 621, 602, 500, 0].map((code) => [`code ${code}`, { code }])),
  };
  test.each(Object.entries(faults))("%s: every answer is right", async (_, fault) => {
    start([fault, {}]);
    for (let i = 1; i <= 20; i++) expect(await elapse(network.time(10_000, i))).toBe(TIME);
  });
});

describe("one faulty server alone", () => {
  test.each([
    ["stalled", { isStalled: true }, { kind: "timeout" }],
    ["with false answers", { isFalse: true }, { kind: "unavailable" }],
    ["down", { isDown: true }, { kind: "unavailable" }],
    ["refusing", { code: -400 }, { kind: "refused", code: -400 }],
    ["behind", { code: 651, text: "not in db (last known masterchain block: 7)" }, { kind: "unavailable", code: 651 }],
    ["without the block", { code: 651, text: "ltdb: block not found" }, { kind: "refused", code: 651 }],
    ["without the state", { code: 602, text: "cannot load state : state already gc'd" }, { kind: "refused", code: 602 }],
    ["with an internal error", { code: 602, text: "internal error" }, { kind: "unavailable", code: 602 }],
    ["slow inside", { code: -503 }, { kind: "timeout", code: -503 }],
    ["over its limit", { code: 228 }, { kind: "unavailable", code: 228 }],
    ["of another version", { code: 621 }, { kind: "unavailable", code: 621 }],
  ] as const)("%s: a typed error within the deadline", async (_, behaviour, error) => {
    start([behaviour]);
    const asked = performance.now();
    await expect(elapse(network.time(10_000))).rejects.toMatchObject({ name: "LiteError", ...error });
    expect(performance.now() - asked).toBeLessThanOrEqual(10_000 + 100);
  });
});

const GONE = { code: 602, text: "cannot load state for (-1,8000000000000000,1) : state already gc'd" };

test("a refusal is final at once when all servers refuse, with different codes too", async () => {
  start([GONE, { code: 651, text: "state not in db" }, { code: -400 }]);
  await vi.advanceTimersByTimeAsync(100);
  const asked = performance.now();
  await expect(elapse(network.time(10_000, 1))).rejects.toMatchObject({ kind: "refused" });
  // No pause of a server that may have the block later.
  expect(performance.now() - asked).toBeLessThan(200);
});

test.each([1, 100, 2_900, 4_000])(
  "two servers of five that refuse at once cause no refusal, if the others take %i ms",
  async (delay) => {
    start([GONE, GONE, { delay }, { delay }, { delay }].map((each) => ({ delay: 1, ...each })));
    for (let i = 1; i <= 30; i++) {
      const result = await elapse(network.time(60_000, i).catch((error: unknown) => error));
      if (delay < 3_000) expect(result).toBe(TIME);
      else expect(result).toMatchObject({ kind: expect.stringMatching(/^(timeout|unavailable)$/) });
    }
  },
);

test("servers that refuse what others answer are counted, and asked less often", async () => {
  start([{ ...GONE, delay: 1 }, { delay: 50 }, { delay: 50 }]);
  for (let i = 1; i <= 200; i++) expect(await elapse(network.time(10_000, i))).toBe(TIME);
  const overruled = network.events.filter(({ type }) => type === "overruled");
  expect(overruled[0]).toMatchObject({ server: "s0", function: "getTime", reason: expect.stringContaining("gc'd") });
  const [refusing = 0, ...others] = network.calls.map(({ length }) => length);
  expect(overruled).toHaveLength(refusing);
  expect(refusing).toBeLessThan(Math.min(...others) / 4);
});

test("a refusal is not final while another server that may have the answer cannot be asked", async () => {
  start([{ delay: 1_000 }, { delay: 1_000 }, { code: -400, delay: 100 }]);
  await elapse(network.time());
  const refused = network.time(10_000, 5).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(200);
  network.end(0);
  network.end(1);
  expect(await elapse(refused)).toMatchObject({
    kind: "unavailable",
    message: expect.stringMatching(/; \d others? may have it/),
  });
  // A server that does not answer for ten minutes may not exist any more.
  await vi.advanceTimersByTimeAsync(600_000);
  expect(await elapse(network.time(10_000, 6).catch((error: unknown) => error))).toMatchObject({ kind: "refused" });
});

test("a server that is asked while its connection ends has not refused", async () => {
  start([{ code: -400, delay: 1 }, { code: -400, delay: 1 }, { delay: 1_000 }]);
  await elapse(network.time());
  const read = network.time(10_000, 5).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(500);
  expect(network.calls.at(-1)?.length).toBeGreaterThan(1);
  network.end(2);
  expect(await elapse(read)).toMatchObject({ kind: "unavailable", message: expect.stringMatching(/; 1 other may have it/) });
});

test.each([1, 500])("a server that refuses a question after %i ms does not hide that others lack the data", async (delay) => {
  start([
    { code: -400, text: "invalid BlockIdExt", delay },
    { ...GONE, delay: 100 },
    { ...GONE, delay: 100 },
  ]);
  for (let i = 1; i <= 20; i++) {
    const error = await elapse(network.time(10_000, i).catch((reason: unknown) => reason));
    expect(isMissing(error)).toBe(true);
  }
});

test.each([
  ["is down", { isDown: true }],
  ["does not answer", { isStalled: true }],
  ["gives false answers", { isFalse: true }],
  ["has an internal error", { code: 602, text: "internal error" }],
])("a server that %s makes a refusal not final, and archival servers may be asked", async (_, ill) => {
  start([{}, GONE, GONE]);
  await elapse(network.time());
  network.behaviours[0] = ill;
  if ("isDown" in ill) network.end(0);
  const error = await elapse(network.time(30_000, 1).catch((reason: unknown) => reason));
  expect([isMissing(error), isMissingSomewhere(error)]).toEqual([false, true]);
});

test("a question that no server answers is the fault of none, and is reported", async () => {
  start([{ isFalse: true }, { isFalse: true }, { isFalse: true }]);
  for (let i = 1; i <= 20; i++) await expect(elapse(network.time(10_000, i))).rejects.toMatchObject({ kind: "unavailable" });
  expect(network.servers.map(({ state }) => state)).toEqual(["ready", "ready", "ready"]);
  const unproved = network.events.filter(({ type }) => type === "unproved");
  expect(unproved[0]).toMatchObject({
    reason: "the time is wrong",
    query: expect.stringMatching(/./),
    answer: "0d0053e901000000",
  });
  network.behaviours.fill({});
  expect(await elapse(network.time(10_000, 21))).toBe(TIME);
});

test("what only one server is asked for, as the client itself does, is its fault", async () => {
  start([{ isFalse: true }]);
  await expect(elapse(network.time(10_000, 1, { server: "s0" }))).rejects.toMatchObject({ kind: "unavailable" });
  expect(network.servers[0]?.state).toBe("quarantined");
});

test("a server with a false answer goes to quarantine for 10 minutes, with the evidence in one event", async () => {
  start([{ isFalse: true }, {}]);
  for (let i = 1; i <= 50; i++) await elapse(network.time(10_000, i));
  const quarantines = network.events.filter(({ type }) => type === "quarantine");
  expect(quarantines).toHaveLength(1);
  expect(quarantines[0]).toMatchObject({ server: "s0", reason: "the time is wrong" });
  expect(quarantines[0]).toHaveProperty("query", expect.stringMatching(/^[0-9a-f]{8,}$/));
  expect(quarantines[0]).toHaveProperty("answer", "0d0053e901000000");
  expect(network.servers[0]?.status.state).toBe("quarantined");
  network.behaviours[0] = {};
  await vi.advanceTimersByTimeAsync(590_000);
  expect(network.servers[0]?.status.state).toBe("quarantined");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(network.servers[0]?.status.state).toBe("ready");
});

test("a server that is down is tried again, with pauses up to a minute, indefinitely", async () => {
  start([{ isDown: true }, {}]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  // One event for the class of errors, whose texts are ever new.
  expect(network.events.filter(({ type }) => type === "server-down")).toHaveLength(1);
  network.behaviours[0] = {};
  await vi.advanceTimersByTimeAsync(61_000);
  expect(network.servers[0]?.status.state).toBe("ready");
});

test("a read that was lost because others failed is sent again, and is no failure of the server", async () => {
  start([{ isStalled: true }]);
  await elapse(network.time(1).catch(() => {}));
  network.events.length = 0;
  const late = Array.from({ length: 3 }, (_, i) => network.time(10_000, i + 1).catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(2_000);
  const lost = network.time(10_000, 9);
  await vi.advanceTimersByTimeAsync(0);
  network.behaviours[0] = {};
  expect(await elapse(lost)).toBe(TIME);
  await Promise.all(late);
  const outcomes = network.events.flatMap((event) => (event.type === "answer" ? [event.outcome] : []));
  expect(new Set(outcomes)).toEqual(new Set(["timeout", "cancelled", "ok"]));
});

test("a read waits for the connection after one that ended because answers were late", async () => {
  start([{ isStalled: true }, { isStalled: true }]);
  const late = Array.from({ length: 6 }, (_, i) => network.time(3_050, i + 1, { server: `s${i % 2}` }).catch(() => {}));
  await vi.advanceTimersByTimeAsync(3_020);
  expect(network.servers.map(({ state }) => state)).toEqual(["failing", "failing"]);
  network.behaviours.fill({});
  expect(await elapse(network.time(10_000, 9))).toBe(TIME);
  await Promise.all(late);
});

test("a read fails at once if that connection fails too", async () => {
  start([{ isStalled: true }]);
  const late = Array.from({ length: 3 }, (_, i) => network.time(3_050, i + 1).catch(() => {}));
  await vi.advanceTimersByTimeAsync(3_020);
  network.behaviours.fill({ isDown: true });
  const asked = performance.now();
  await expect(elapse(network.time(10_000, 9))).rejects.toMatchObject({ kind: "unavailable" });
  expect(performance.now() - asked).toBeLessThanOrEqual(1_100);
  await Promise.all(late);
});

test("the slower of two servers is asked less", async () => {
  start([{ delay: 200 }, { delay: 10 }, { delay: 10 }]);
  for (let i = 1; i <= 200; i++) await elapse(network.time(10_000, i));
  const [slow = 0, ...others] = network.calls.map(({ length }) => length);
  expect(slow).toBeLessThan(Math.min(...others) / 2);
});

test("a verification ends with its read, and its server is not to blame", async () => {
  const { pool, servers, events } = start([{}]);
  let ended: unknown;
  const check = (_: unknown, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      const end = (): void => {
        ended = signal.reason;
        reject(signal.reason);
      };
      signal.addEventListener("abort", end, { once: true });
    });
  const reading = withDeadline(1_000, undefined, (signal) => pool.ask({ query: queries.getTime(), check }, signal));
  await expect(elapse(reading)).rejects.toThrow("no answer within 1000 ms");
  await vi.advanceTimersByTimeAsync(100);
  expect(ended).toMatchObject({ message: "no caller waits for the answer" });
  expect(events.flatMap((event) => (event.type === "answer" ? event.outcome : []))).toEqual(["cancelled"]);
  expect([servers[0]?.state, events.filter(({ type }) => type === "server-down")]).toEqual(["ready", []]);
});

test("a second server is asked when the first takes long, and the slower one is cancelled", async () => {
  start([{ isStalled: true }, { delay: 10 }]);
  for (let i = 1; i <= 10; i++) await elapse(network.time(10_000, i));
  const answers = network.events.filter((event) => event.type === "answer");
  expect(answers.some(({ outcome, isHedge }) => outcome === "ok" && isHedge)).toBe(true);
  expect(answers.some(({ outcome, isHedge }) => outcome === "cancelled" && !isHedge)).toBe(true);
  expect(network.servers.map(({ limit }) => limit.inFlight)).toEqual([1, 1]);
});

test("a reader that leaves does not end the read of the others", async () => {
  start([{ delay: 500 }]);
  const [early, late] = [network.time(100).catch((error: unknown) => error), network.time(2_000)];
  expect(await elapse(early)).toMatchObject({ kind: "timeout" });
  expect(await elapse(late)).toBe(TIME);
});

test("servers that do not have the block are asked only if no server has it, and wait for it", async () => {
  start([{}, {}]);
  await vi.advanceTimersByTimeAsync(100);
  network.tips[1] = block(5);
  await vi.advanceTimersByTimeAsync(5_000);
  for (let i = 1; i <= 10; i++) await elapse(network.time(10_000, i, { seqno: 5 }));
  expect(network.calls.map(({ length }) => length)).toEqual([0, 10]);
  setTimeout(() => {
    network.tips[1] = block(7);
  }, 1_000);
  expect(await elapse(network.time(10_000, 20, { seqno: 7 }))).toBe(TIME);
});

test("servers that do not have the shard blocks of their newest block yet are asked to wait for them", async () => {
  start([{}, {}, {}]);
  await elapse(network.time());
  const shardsAt = performance.now() + 3_500;
  network.behaviours.fill({ shardsAt });
  expect(await elapse(network.time(10_000, 1, { seqno: 1 }))).toBe(TIME);
  // As soon as one has them.
  expect(performance.now()).toBeLessThan(shardsAt + 300);
});

test("a read that waits for a block does not fail with an equal one that does not wait", async () => {
  start([{}]);
  await elapse(network.time());
  network.behaviours.fill({ shardsAt: performance.now() + 2_000, delay: 100 });
  const read = (isOnce: boolean) => network.time(10_000, 1, { seqno: 1 }, { isOnce }).catch((error: unknown) => error);
  const once = read(true);
  await vi.advanceTimersByTimeAsync(50);
  const waits = read(false);
  expect(isBehind(await elapse(once))).toBe(true);
  expect(await elapse(waits)).toBe(TIME);
});

test("archival servers are asked only if they may be, and then first", async () => {
  start([{}, {}], { archival: [1] });
  await vi.advanceTimersByTimeAsync(100);
  for (let i = 1; i <= 10; i++) await elapse(network.time(10_000, i));
  expect(network.calls.map(({ length }) => length)).toEqual([10, 0]);
  for (let i = 1; i <= 10; i++) await elapse(network.time(10_000, i, { archival: true }));
  expect(network.calls.map(({ length }) => length)).toEqual([10, 10]);
});

test("waits for servers that are not connected yet, and fails at once if all are down", async () => {
  start([{ isDown: true }, { isDown: true }]);
  const asked = performance.now();
  await expect(elapse(network.time())).rejects.toMatchObject({ kind: "unavailable" });
  expect(performance.now() - asked).toBeLessThan(1_500);
});

test("a server that ends a wait at once and names no newer block is asked again after a pause", async () => {
  start([{}], { rate: 40 });
  await vi.advanceTimersByTimeAsync(100);
  const [server] = network.servers;
  // The wait for its newest block succeeds, but it reports an older block.
  network.named = block(1);
  network.tips[0] = block(2);
  const before = network.infoCalls;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(network.infoCalls - before).toBeLessThanOrEqual(21);
  expect(server?.block?.seqno).toBe(1);
  // As many blocks of one number as are asked for.
  let chain = 2;
  network.named = () => block(1, chain++);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(chain).toBeLessThanOrEqual(24);
  network.named = undefined;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(server?.block?.seqno).toBe(2);
});

test("cached results do not exceed their limit of memory", async () => {
  start([{}]);
  // 1,000 objects for 8 bytes of an answer, in a cache of 1 MiB.
  const read = (salt: number) =>
    network.pool.ask(
      {
        query: { ...queries.getTime(), bytes: queries.getBlock({ id: block(salt) }).bytes },
        check: () => Array.from({ length: 900 }, (_, i) => ({ i })),
        isImmutable: true,
      },
      new AbortController().signal,
    );
  for (let i = 1; i <= 20; i++) await elapse(read(i));
  const kept = () => network.events.filter(({ type }) => type === "cached").length;
  await elapse(read(20));
  expect(kept()).toBe(1);
  await elapse(read(1));
  expect(kept()).toBe(1);
});

test("reads that yield come last while all servers are at their limits, and are not lost", async () => {
  start([{}], { rate: 5 });
  await elapse(network.time());
  const ended: string[] = [];
  const read = (name: string, salt: number, yields: boolean) =>
    network.time(10_000, salt, {}, { yields }).then(() => ended.push(name));
  const numbers = Array.from({ length: 10 }, (_, i) => i + 1);
  const reads = [...numbers.map((i) => read("yields", i, true)), ...numbers.map((i) => read("comes first", i + 10, false))];
  await elapse(Promise.all(reads));
  const sent = network.calls.flat().length;
  const equal = [true, false, true].map((yields) => network.time(10_000, 99, {}, { yields }));
  expect(await elapse(Promise.all(equal))).toEqual([TIME, TIME, TIME]);
  // A read that comes first does not share one that yields, but the other way round.
  expect(network.calls.flat().length - sent).toBe(2);
  // Five were sent at once, since the servers were free.
  expect([ended.length, ended.slice(-5)]).toEqual([20, Array(5).fill("yields")]);
});
