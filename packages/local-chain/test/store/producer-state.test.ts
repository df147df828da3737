import { describe, expect, test } from "vitest";
import { decodeJson, encodeJson } from "../../src/store/producer-state.ts";

describe("encodeJson", () => {
  test("round-trips bigints, bytes, text and undefined", () => {
    const value = {
      lt: 2n ** 63n,
      negative: -5n,
      bytes: new Uint8Array([0, 255, 7]),
      seqno: 4,
      list: [1n, { text: "n" }],
      n: "12",
      missing: undefined,
    };
    const read = decodeJson<typeof value>(encodeJson({ ...value, bytes: Buffer.from(value.bytes) }));
    expect(read).toEqual(value);
    expect(read.bytes).toBeInstanceOf(Uint8Array);
  });
});
