import { describe, expect, test } from "vitest";
import { forgetOutputs, lastLines, showIfFailed, until } from "../src/until.ts";

describe("until", () => {
  test("returns the first value that fulfils the condition", async () => {
    let reads = 0;
    expect(
      await until(
        () => ++reads,
        (value) => value > 2,
      ),
    ).toBe(3);
    expect(await until(() => (++reads > 5 ? "text" : undefined))).toBe("text");
    const counted = await until(
      () => [++reads],
      ([count]) => expect(count).toBeGreaterThan(8),
    );
    expect(counted).toEqual([9]);
  });

  test("names the condition and the last value when the time is over", async () => {
    const never = (value: string[]) => value.length > 2;
    await expect(until(() => ["a", "b"], never, 1)).rejects.toThrow(
      /^not reached in 0\.001 s: expected .*value\.length > 2.*\nlast value: \[ 'a', 'b' \]\nread by /,
    );
    await expect(
      until(
        () => "a",
        (value) => expect(value).toBe("b"),
        1,
      ),
    ).rejects.toThrow(/expected 'a' to be 'b'/);
  });

  test("names a read that does not end", async () => {
    const waiting = until(() => new Promise(() => {}), Boolean, -5_000);
    await expect(waiting).rejects.toThrow("the read does not end");
  });

  test("throws errors of the read at once", async () => {
    await expect(until(() => Promise.reject(new Error("the process ended")))).rejects.toThrow("the process ended");
  });
});

test("the last lines of the newest programs are printed", () => {
  forgetOutputs();
  showIfFailed("the indexer", () => "one\ntwo\n");
  showIfFailed("the service", () => Array.from({ length: 99 }, (_, index) => `line ${index}`).join("\n"));
  const lines = lastLines();
  expect(lines).toContain("last lines of the indexer:\none\ntwo\n");
  expect(lines).toContain("last lines of the service:\nline 87\n");
  forgetOutputs();
  expect(lastLines()).toBe("");
});
