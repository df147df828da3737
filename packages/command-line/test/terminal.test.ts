import { describe, expect, test } from "vitest";
import { progressBar } from "../src/terminal.ts";

/** A stream that records its output. */
function recorder(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return {
    written,
    isTTY,
    columns,
    write: (text: string | Uint8Array) => {
      written.push(String(text));
      return true;
    },
  };
}

describe("progressBar", () => {
  test("fills a bar on a terminal, on one line that it clears", () => {
    const stream = recorder(true);
    const bar = progressBar(stream, 10);
    bar.show(5, "20/s");
    bar.show(10, "20/s");
    bar.clear();
    const lines = stream.written.join("").split("\r\u001b[K");
    expect(lines).toEqual(["", `[${"#".repeat(15).padEnd(30)}] 5/10  20/s`, `[${"#".repeat(30)}] 10/10  20/s`, ""]);
  });

  test("stays within the width of the terminal", () => {
    const stream = recorder(true, 20);
    progressBar(stream, 3).show(3, "a long note");
    expect(stream.written.every((text) => text.length < 20)).toBe(true);
  });

  test("writes nothing if the stream is not a terminal", () => {
    const stream = recorder(false);
    const bar = progressBar(stream, 10);
    bar.show(10);
    bar.clear();
    expect(stream.written).toEqual([]);
  });
});
