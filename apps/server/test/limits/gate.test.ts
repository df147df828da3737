import { expect, onTestFinished, test } from "vitest";
import { createGate, type GateOptions } from "../../src/limits/gate.ts";
import { openKeyReader, openKeyStore } from "../../src/limits/keys.ts";
import { memoryLimiter, rememberRefusals } from "../../src/limits/limiter.ts";
import { temporaryFolder } from "../fixtures/service.ts";

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

test("only requests that may be admitted read the shared head", async () => {
  using folder = temporaryFolder();
  const store = openKeyStore(folder.path);
  const [limited, unlimited] = [await store.add("a", { rate: 2 }), await store.add("b", { rate: 0 })];
  await store.close();
  const keys = openKeyReader(folder.path);
  onTestFinished(() => keys.close());
  let reads = 0;
  const gate = createGate({
    ...base,
    keys,
    createLimiter: (...setting) => rememberRefusals(memoryLimiter(...setting)),
    keylessRate: 3,
    refreshHead: async () => void reads++,
  });
  const call = async (count: number, key: string | undefined, isOperation = true): Promise<number> => {
    reads = 0;
    const calls = Array.from({ length: count }, async () => gate({ key, client: () => "one", isOperation, signal }));
    await Promise.allSettled(calls);
    await Promise.allSettled([gate({ key, client: () => "one", isOperation, signal })]);
    return reads;
  };
  // The first refusal is not known before.
  expect(await call(4, undefined)).toBe(4);
  expect(await call(50, undefined)).toBe(0);
  expect(await call(3, limited.text)).toBe(3);
  expect(await call(50, limited.text)).toBe(0);
  expect(await call(5, unlimited.text)).toBe(6);
  expect(await call(5, "unknown")).toBe(0);
  expect(await call(5, undefined, false)).toBe(0);
});
