import { expect, test } from "vitest";
import { createGate, type GateOptions } from "../../src/limits/gate.ts";
import { memoryLimiter } from "../../src/limits/limiter.ts";

const base: Omit<GateOptions, "keys"> = {
  createLimiter: memoryLimiter,
  keylessRate: 1,
  network: "chain",
  onRefusal: () => {},
  limiterEvents: { onLocalCount: () => {} },
};
const { signal } = new AbortController();
const request = { key: "unknown", client: "192.0.2.1", deadline: { signal } };

test("a caller who guesses keys is refused before the database is asked", async () => {
  let reads = 0;
  const gate = createGate({
    ...base,
    keys: {
      async find(_, beforeRead) {
        beforeRead();
        reads++;
        return undefined;
      },
    },
  });
  const statuses: number[] = [];
  for (let round = 0; round < 30; round++) await gate(request, true)?.catch(({ status }) => statuses.push(status));
  // The eleventh guess shows that there are too many.
  expect(reads).toBe(11);
  expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(20).fill(429)]);
});
