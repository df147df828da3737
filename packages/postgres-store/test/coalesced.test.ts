import { expect, test } from "vitest";
import { coalesced } from "../src/coalesced.ts";

test("callers that arrive during a read share the next one, and no caller gets a read that began before its call", async () => {
  const begun: PromiseWithResolvers<number>[] = [];
  const read = coalesced(() => {
    const one = Promise.withResolvers<number>();
    begun.push(one);
    return one.promise;
  });
  const first = read();
  const [second, third] = [read(), read()];
  expect(begun).toHaveLength(1);
  begun[0]?.resolve(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(begun).toHaveLength(2);
  const fourth = read();
  begun[1]?.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await Promise.resolve();
  begun[2]?.resolve(3);
  expect(await fourth).toBe(3);
});

test("a read that fails is not shared with later callers", async () => {
  let count = 0;
  const read = coalesced(async () => {
    count += 1;
    if (count === 1) throw new Error("lost");
    return count;
  });
  const first = read();
  const second = read();
  await expect(first).rejects.toThrow("lost");
  expect(await second).toBe(2);
  expect(await read()).toBe(3);
});
