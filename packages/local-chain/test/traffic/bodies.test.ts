import { writeBoc } from "@chain-query/format/cells";
import { readComment } from "@chain-query/format/messages";
import { Cell } from "@ton/core";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../src/random.ts";
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
