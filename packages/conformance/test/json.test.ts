import { describe, expect, test } from "vitest";
import { validateService } from "../src/index.ts";
import { parseJson } from "../src/json.ts";
import { envelope, page } from "./body/sample-bodies.ts";
import { conformingService } from "./fake-service/conforming.ts";
import { serve } from "./fake-service/serve.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

describe("parseJson", () => {
  test("accepts 64 levels and rejects more", () => {
    expect(parseJson(bytesOf(nested(64)))).toHaveProperty("value");
    expect(parseJson(bytesOf(nested(65)))).toEqual({ problem: "JSON nested deeper than 64 levels" });
    expect(parseJson(bytesOf("[".repeat(4_000_000)))).toEqual({ problem: "JSON nested deeper than 64 levels" });
  });

  test("does not count brackets and commas in strings", () => {
    const text = `${"[".repeat(100)}\\"${",".repeat(600_000)}`;
    expect(parseJson(bytesOf(`["${text}", 1]`))).toEqual({ value: [`${"[".repeat(100)}"${",".repeat(600_000)}`, 1] });
    expect(parseJson(bytesOf('"\\'))).toEqual({ problem: 'the text "\\"\\\\"' });
  });

  test("rejects more than 16 MiB, and more than 500,000 values", () => {
    expect(parseJson(new Uint8Array(16 * 2 ** 20 + 1))).toEqual({ problem: "JSON of more than 16777216 bytes" });
    expect(parseJson(bytesOf(`[${"0,".repeat(500_000)}0]`))).toEqual({ problem: "JSON with more than 500000 values" });
  });
});

describe("a service with hostile responses is validated within seconds", () => {
  const manyEmpty = JSON.stringify(envelope(page(Array.from({ length: 10_000 }, () => ({})))));

  test.each([
    ["deeply nested JSON", nested(200_000), "responses/json"],
    ["a page of 10,000 empty transactions", manyEmpty, "responses/schema"],
  ])("%s", async (_, body, failing) => {
    const finish = conformingService().finish;
    await using service = await serve({
      ...conformingService(),
      finish: (reply, call) =>
        call.operation === "getTransactionsStd" ? { ...reply, status: 200, body } : finish(reply, call),
    });
    const { results } = await validateService({ baseUrl: service.url, only: ["getTransactionsStd"], fuzz: 0, seed: 1 });
    expect(results.filter(({ outcome }) => outcome === "failed").map(({ id }) => id)).toContain(failing);
  });
});
