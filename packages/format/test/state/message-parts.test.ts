import { describe, expect, test } from "vitest";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { CellError } from "../../src/cells/cell-reader.ts";
import { readMessageParts } from "../../src/state/message-parts.ts";

const HASH = Uint8Array.from({ length: 32 }, (_, i) => i);

/** A message from outside to an address that `write` writes. */
function messageTo(write: (builder: CellBuilder) => CellBuilder) {
  const builder = write(new CellBuilder().uint(0b10, 2).uint(0b01, 2).uint(12, 9).uint(0xabc, 12));
  return readMessageParts(builder.coins(0n).uint(0, 2).cell());
}

describe("readMessageParts", () => {
  test("reads an address, whatever its form", () => {
    const plain = messageTo((builder) => builder.uint(0b100, 3).int(-1, 8).bytes(HASH));
    expect(plain).toMatchObject({ kind: "external-in", source: undefined, destination: { workchain: -1, hash: HASH } });
    const long = messageTo((builder) => builder.uint(0b110, 3).uint(256, 9).int(-5, 32).bytes(HASH));
    expect(long.destination).toEqual({ workchain: -5, hash: HASH });
  });

  test("puts the bits that an address is rewritten with into their place", () => {
    const rewritten = messageTo((builder) => builder.uint(0b101, 3).uint(10, 5).uint(0b1010101011, 10).int(0, 8).bytes(HASH));
    expect(Buffer.from(rewritten.destination?.hash ?? []).toString("hex", 0, 4)).toBe("aac10203");
    const cleared = Uint8Array.from(HASH).fill(0xff, 0, 2);
    const other = messageTo((builder) => builder.uint(0b101, 3).uint(12, 5).uint(0b101010101100, 12).int(0, 8).bytes(cleared));
    expect(Buffer.from(other.destination?.hash ?? []).toString("hex", 0, 4)).toBe("aacf0203");
  });

  test("refuses an address of another length", () => {
    const short = () =>
      messageTo((builder) => builder.uint(0b110, 3).uint(100, 9).int(0, 32).uint(0, 40).uint(0, 40).uint(0, 20));
    expect(short).toThrow(new CellError("an address of 100 bits is not one of an account: 256 bits"));
  });
});
