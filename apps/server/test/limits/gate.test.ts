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
const request = { key: "unknown", client: () => "192.0.2.1", isOperation: true, signal };

test("a caller who guesses keys is refused before the database is asked, also without Redis", async () => {
  let reads = 0;
  const gate = createGate({
    ...base,
    keys: {
      find(_, beforeRead) {
        const confirm = async () => {
          beforeRead();
          reads++;
          return { record: undefined, waited: 0 };
        };
        return { likely: undefined, confirmed: confirm() };
      },
    },
  });
  const statuses: number[] = [];
  for (let round = 0; round < 30; round++) await gate(request)?.catch(({ status }) => statuses.push(status));
  // The eleventh guess shows that there are too many.
  expect(reads).toBe(11);
  expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(20).fill(429)]);
});

test("a key that this process did not know is counted in the time that its look-up left of Redis'", async () => {
  const waited: (number | undefined)[] = [];
  const gate = createGate({
    ...base,
    createLimiter: () => ({
      async take(_, milliseconds) {
        waited.push(milliseconds);
        return { allowed: true, remaining: 1, renewal: 1 };
      },
    }),
    keys: {
      find(id) {
        const record = { id, owner: "alice", rate: 5, created: 0 };
        return { likely: id === "known" ? record : undefined, confirmed: Promise.resolve({ record, waited: 30 }) };
      },
    },
  });
  await gate({ ...request, key: "known" });
  await gate({ ...request, key: "new" });
  expect(waited).toEqual([undefined, 30]);
});
