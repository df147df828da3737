import fc from "fast-check";
import { expect, vi } from "vitest";
import { MAX_IN_FLIGHT } from "../../src/servers/server-limits.ts";
import { type Behaviour, elapse, SimulatedNetwork, TIME } from "./simulated-network.ts";

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.record({ delay: fc.integer({ min: 1, max: 4_000 }) }),
  fc.record({ delay: fc.integer({ min: 1, max: 4_000 }), code: fc.constantFrom(-400, 651, 652, -503, 228, 621, 602, 500) }),
  fc.constantFrom({ isStalled: true }, { isFalse: true }, { isDown: true }),
);

/** Reads from servers that behave in any way, in simulated time. */
export async function checkReads(runs: number): Promise<void> {
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
    { numRuns: runs, seed: 1 },
  );
}
