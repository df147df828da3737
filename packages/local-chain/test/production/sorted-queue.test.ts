import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sortedQueue } from "../../src/production/sorted-queue.ts";

describe("sortedQueue", () => {
  test("returns the smallest item, and equal ones in order of insertion", () => {
    const actions = fc.array(fc.oneof(fc.nat({ max: 9 }), fc.constant("shift" as const)));
    fc.assert(
      fc.property(actions, (list) => {
        const queue = sortedQueue<{ readonly key: number; readonly order: number }>(({ key }) => BigInt(key));
        let waiting: { readonly key: number; readonly order: number }[] = [];
        for (const [order, action] of list.entries()) {
          if (action !== "shift") {
            const item = { key: action, order };
            waiting.push(item);
            queue.add(item);
            continue;
          }
          const smallest = waiting.toSorted((a, b) => a.key - b.key || a.order - b.order)[0];
          waiting = waiting.filter((item) => item !== smallest);
          expect(queue.shift()).toBe(smallest);
        }
      }),
      { seed: 1 },
    );
  });
});
