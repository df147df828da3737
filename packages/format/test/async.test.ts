import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { coalesced } from "../src/async.ts";

/** A read that the test ends. */
function heldRead(): { readonly read: () => Promise<number>; readonly begun: PromiseWithResolvers<number>[] } {
  const begun: PromiseWithResolvers<number>[] = [];
  const read = coalesced(() => {
    const one = Promise.withResolvers<number>();
    begun.push(one);
    return one.promise;
  });
  return { read, begun };
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await nextTick();
}

test("callers that arrive during a read share the next one, and no caller gets a read that began before its call", async () => {
  const { read, begun } = heldRead();
  const first = read();
  await ticks(3);
  const [second, third] = [read(), read()];
  await ticks(3);
  expect(begun).toHaveLength(1);
  begun[0]?.resolve(1);
  expect(await first).toBe(1);
  await ticks(3);
  expect(begun).toHaveLength(2);
  const fourth = read();
  begun[1]?.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await ticks(3);
  begun[2]?.resolve(3);
  expect(await fourth).toBe(3);
});

test("a single caller does not wait for others", () => {
  const { read, begun } = heldRead();
  void read();
  expect(begun).toHaveLength(1);
});

test("callers of one event-loop tick, and of consecutive ticks after it, share one read", async () => {
  const { read, begun } = heldRead();
  const first = Array.from({ length: 10 }, () => read());
  begun[0]?.resolve(0);
  await ticks(1);
  begun[1]?.resolve(1);
  expect(await Promise.all(first)).toEqual([0, ...Array.from({ length: 9 }, () => 1)]);
  const calls = [read(), read()];
  await nextTick();
  calls.push(read());
  expect(begun).toHaveLength(2);
  await ticks(5);
  expect(begun).toHaveLength(3);
  begun[2]?.resolve(2);
  expect(await Promise.all(calls)).toEqual([2, 2, 2]);
});

test("with many repeated callers, one half gets its value while the read of the other half is in flight", async () => {
  const [callers, rounds] = [64, 50];
  let reads = 0;
  let inFlight = 0;
  let answeredMeanwhile = 0;
  const read = coalesced(async () => {
    reads++;
    inFlight++;
    await ticks(4);
    inFlight--;
  });
  const call = async (): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      await read();
      if (inFlight > 0) answeredMeanwhile++;
      await nextTick();
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  expect(reads).toBeGreaterThanOrEqual(rounds);
  expect(reads).toBeLessThanOrEqual(2 * rounds + 10);
  expect(answeredMeanwhile).toBeGreaterThan(0.8 * callers * rounds);
});

test("a read begins although each tick brings more callers", async () => {
  let count = 0;
  const read = coalesced(async () => ++count);
  const calls: Promise<number>[] = [];
  while (count < 2) {
    calls.push(read());
    await nextTick();
  }
  expect((await Promise.all(calls)).at(-1)).toBeGreaterThanOrEqual(2);
});

test("with callers at any time, no value is older than its call", async () => {
  let value = 0;
  const read = coalesced(async () => {
    const seen = value;
    await ticks(2);
    return seen;
  });
  const calls: Promise<void>[] = [];
  const call = async (): Promise<void> => {
    const before = value;
    expect(await read()).toBeGreaterThanOrEqual(before);
  };
  for (let tick = 0; tick < 300; tick++) {
    if (tick % 3 !== 1) calls.push(call());
    value += 1;
    if (tick % 7 < 4) await nextTick();
    else await Promise.resolve();
    calls.push(call());
  }
  await Promise.all(calls);
});

test("a read that fails is not shared with later callers", async () => {
  let count = 0;
  const read = coalesced(async () => {
    count += 1;
    if (count === 1) throw new Error("lost");
    return count;
  });
  const first = expect(read()).rejects.toThrow("lost");
  await ticks(2);
  const second = read();
  await first;
  expect(await second).toBe(2);
  expect(await read()).toBe(3);
});
