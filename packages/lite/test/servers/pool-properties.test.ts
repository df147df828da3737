import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Hedges } from "../../src/servers/choice.ts";
import { MAX_IN_FLIGHT } from "../../src/servers/server-limits.ts";
import { type Behaviour, elapse, SimulatedNetwork, TIME, useVirtualClock } from "./simulated-network.ts";

useVirtualClock();

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.record({ delay: fc.integer({ min: 1, max: 4_000 }) }),
  fc.record({ delay: fc.integer({ min: 1, max: 4_000 }), code: fc.constantFrom(-400, 651, 652, -503, 228, 621, 602, 500) }),
  fc.constantFrom({ isStalled: true }, { isFalse: true }, { isDown: true }),
);

test("no read ends after its deadline, no server gets more than its limit, and no answer is wrong", async () => {
  const reads = fc.array(
    fc.record({ after: fc.integer({ min: 0, max: 300 }), deadline: fc.integer({ min: 1, max: 12_000 }) }),
    {
      minLength: 1,
      maxLength: 120,
    },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(behaviour, { minLength: 1, maxLength: 4 }),
      reads,
      fc.constantFrom(5, 40, 1_000),
      async (all, list, rate) => {
        const network = new SimulatedNetwork(all, { rate });
        const ended = list.map(async ({ after, deadline }, i) => {
          await vi.advanceTimersByTimeAsync(0);
          await new Promise((resolve) => setTimeout(resolve, after * i * 0.1));
          const asked = performance.now();
          const result = await network.time(deadline, i + 1).catch((error: unknown) => error);
          return { took: performance.now() - asked, deadline, result };
        });
        for (const { took, deadline, result } of await elapse(Promise.all(ended))) {
          expect(took).toBeLessThanOrEqual(deadline);
          if (result !== TIME) expect(result).toMatchObject({ name: "LiteError" });
        }
        expect(network.mostInFlight).toBeLessThanOrEqual(MAX_IN_FLIGHT);
        await network.close();
        expect(network.servers.map(({ limit }) => limit.inFlight)).toEqual(all.map(() => 0));
        expect(vi.getTimerCount()).toBe(0);
      },
    ),
    { numRuns: 25, seed: 1 },
  );
});

test("a server has 32 queries at a time, its own one for the newest block among them, and the others wait", async () => {
  const network = new SimulatedNetwork([{ delay: 100 }]);
  const reads = Array.from({ length: 200 }, (_, i) => network.time(10_000, i + 1));
  expect(await elapse(Promise.all(reads))).toEqual(reads.map(() => TIME));
  expect(network.mostInFlight).toBe(MAX_IN_FLIGHT);
});

test("second servers are asked for 1 query in 20, and 10 at once", async () => {
  const hedges = new Hedges();
  let seconds = 0;
  for (let i = 0; i < 200; i++) {
    const first = new Promise<void>((resolve) => setTimeout(resolve, 2_000));
    // A function that was not called before has no usual time.
    const race = hedges.race(`function ${i}`, first, () => {
      seconds += 1;
      return first;
    });
    await elapse(race);
  }
  expect(seconds).toBeGreaterThan(10);
  expect(seconds).toBeLessThanOrEqual(10 + 200 / 20);
});

test("waiting reads are sent as soon as the rate allows, in their order", async () => {
  const rate = 20;
  const network = new SimulatedNetwork([{ delay: 5 }], { rate });
  await vi.advanceTimersByTimeAsync(5_000);
  const started = performance.now();
  const order: number[] = [];
  const reads = Array.from({ length: 200 }, async (_, i) => {
    await network.time(60_000, i + 1);
    order.push(i);
  });
  await elapse(Promise.all(reads));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  // 20 of a full bucket at once, the others 20 a second, less the server's own queries for its newest block.
  const seconds = (performance.now() - started) / 1000;
  expect(seconds).toBeGreaterThan((200 - rate) / rate - 0.5);
  expect(seconds).toBeLessThan((200 - rate) / rate + 1);
});
