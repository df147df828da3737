import { expect, test } from "vitest";
import { withDeadline } from "../../src/servers/deadline.ts";

function standStill(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    // Busy.
  }
}

test("time in which this process stands still does not count: an answer that arrived meanwhile is taken", async () => {
  const late = withDeadline(50, undefined, () => new Promise((resolve) => setTimeout(resolve, 60, "the answer")));
  standStill(300);
  expect(await late).toBe("the answer");
});

test("a deadline that passed while this process stood still ends what goes on without an answer", async () => {
  const late = withDeadline(50, undefined, () => new Promise(() => {}));
  standStill(300);
  await expect(late).rejects.toMatchObject({ kind: "timeout", message: "no answer within 50 ms" });
});
