import { expect, onTestFinished, test } from "vitest";
import { createGate } from "../../src/limits/gate.ts";
import { openKeyReader, openKeyStore } from "../../src/limits/keys.ts";
import { memoryLimiter, rememberRefusals } from "../../src/limits/limiter.ts";
import { temporaryFolder } from "../fixtures/service.ts";

test("only requests that may be admitted read the shared head", async () => {
  using folder = temporaryFolder();
  const store = openKeyStore(folder.path);
  const [limited, unlimited] = [await store.add("a", { rate: 2 }), await store.add("b", { rate: 0 })];
  await store.close();
  const keys = openKeyReader(folder.path);
  onTestFinished(() => keys.close());
  let reads = 0;
  const { signal } = new AbortController();
  const gate = createGate({
    keys,
    createLimiter: (...setting) => rememberRefusals(memoryLimiter(...setting)),
    createPageLimiter: memoryLimiter,
    keylessRate: 3,
    network: "chain",
    refreshHead: async () => void reads++,
    onRefusal: () => {},
    limiterEvents: { onOutage: () => {}, onLocalCount: () => {} },
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
