import { writeBoc } from "@chain-query/format/cells";
import { readComment } from "@chain-query/format/messages";
import { Cell } from "@ton/core";
import { describe, expect, test } from "vitest";
import { pick, seededBytes, seededRandom } from "../../src/random.ts";
import { encryptedComment, rawPayload, textComment } from "../../src/traffic/messages.ts";

describe("textComment", () => {
  test.each([0, 1, 122, 123, 124, 250, 251, 1_000])("of %i bytes round-trips", (length) => {
    const text = "x".repeat(length);
    const comment = readComment(textComment(text));
    expect(comment).toMatchObject({ encrypted: false });
    expect(Buffer.from(comment?.bytes ?? []).toString("utf8")).toBe(text);
  });
});

describe("encryptedComment", () => {
  test("is an encrypted comment", () => {
    expect(readComment(encryptedComment(seededRandom(1n, "test")))).toMatchObject({ encrypted: true });
  });
});

describe("rawPayload", () => {
  test("is not a comment", () => {
    const random = seededRandom(1n, "test");
    for (let i = 0; i < 20; i++) {
      const body = rawPayload(random);
      expect(readComment(body)).toBeUndefined();
      expect(
        Cell.fromBoc(Buffer.from(writeBoc(body)))[0]
          ?.beginParse()
          .loadUint(32),
      ).toBeGreaterThanOrEqual(0x1000_0000);
    }
  });
});

describe("seededRandom", () => {
  test("gives the same numbers for the same seed and purpose, and others otherwise", () => {
    const drawn = (seed: bigint, purpose: string) => {
      const random = seededRandom(seed, purpose);
      return Array.from({ length: 40 }, () => random.below(1_000));
    };
    expect(drawn(1n, "traffic")).toEqual(drawn(1n, "traffic"));
    expect(drawn(1n, "traffic")).not.toEqual(drawn(2n, "traffic"));
    expect(drawn(1n, "traffic")).not.toEqual(drawn(1n, "balances"));
  });

  test("stays below its limit and reaches all values", () => {
    const random = seededRandom(3n, "limit");
    const drawn = new Set(Array.from({ length: 300 }, () => random.below(7)));
    expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(["a", "b"]).toContain(pick(random, ["a", "b"]));
  });

  test("gives bytes beyond one hash", () => {
    const bytes = seededRandom(3n, "bytes").bytes(100);
    expect(bytes).toHaveLength(100);
    expect(Buffer.from(bytes.subarray(32, 64))).not.toEqual(Buffer.from(bytes.subarray(64, 96)));
  });
});

describe("seededBytes", () => {
  // These bytes must never change: a seed always gives the same chain.
  test("are SHA-256 of the seed and the purpose with slashes between", () => {
    expect(Buffer.from(seededBytes(1n, "block", 0, 5)).toString("hex")).toBe(
      "076d9ac0ecc63da6a6ad3c6a287262c8cd46d034b099b9778c0acc9d2494624f",
    );
  });
});
