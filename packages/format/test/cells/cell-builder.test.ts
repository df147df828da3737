import { beginCell } from "@ton/core";
import {
  type Arbitrary,
  array,
  bigInt,
  boolean,
  assert as check,
  integer,
  oneof,
  property,
  tuple,
  uint8Array,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { CellError, CellReader } from "../../src/cells/cell-reader.ts";
import { toCoreCell } from "../core-cell.ts";

/** A value, how our builder and that of `@ton/core` write it, and how it is read back. */
interface Step {
  readonly write: (builder: CellBuilder) => unknown;
  readonly store: (builder: ReturnType<typeof beginCell>) => unknown;
  readonly read: (reader: CellReader) => unknown;
  readonly value: unknown;
}

const steps: Arbitrary<Step> = oneof(
  boolean().map(
    (value): Step => ({ value, write: (b) => b.bit(value), store: (b) => b.storeBit(value), read: (r) => r.bit() }),
  ),
  tuple(integer({ min: 1, max: 48 }), integer({ min: 0, max: 2 ** 48 - 1 })).map(([bits, any]): Step => {
    const value = any % 2 ** bits;
    return { value, write: (b) => b.uint(value, bits), store: (b) => b.storeUint(value, bits), read: (r) => r.uint(bits) };
  }),
  tuple(integer({ min: 2, max: 48 }), integer({ min: 0, max: 2 ** 48 - 1 })).map(([bits, any]): Step => {
    const value = (any % 2 ** bits) - 2 ** (bits - 1);
    return { value, write: (b) => b.int(value, bits), store: (b) => b.storeInt(value, bits), read: (r) => r.int(bits) };
  }),
  tuple(integer({ min: 1, max: 250 }), bigInt({ min: 0n, max: 2n ** 256n - 1n })).map(([bits, any]): Step => {
    const value = any & ((1n << BigInt(bits)) - 1n);
    return {
      value,
      write: (b) => b.bigUint(value, bits),
      store: (b) => b.storeUint(value, bits),
      read: (r) => r.bigUint(bits),
    };
  }),
  bigInt({ min: 0n, max: 2n ** 120n - 1n }).map(
    (value): Step => ({ value, write: (b) => b.coins(value), store: (b) => b.storeCoins(value), read: (r) => r.coins() }),
  ),
  bigInt({ min: 0n, max: 2n ** 248n - 1n }).map(
    (value): Step => ({
      value,
      write: (b) => b.varUint(value, 5),
      store: (b) => b.storeVarUint(value, 5),
      read: (r) => r.varUint(5),
    }),
  ),
  uint8Array({ maxLength: 20 }).map(
    (value): Step => ({
      value,
      write: (b) => b.bytes(value),
      store: (b) => b.storeBuffer(Buffer.from(value)),
      read: (r) => r.bytes(value.length),
    }),
  ),
);

describe("CellBuilder and CellReader", () => {
  test("write the same cells as @ton/core, and read them back", () => {
    check(
      property(array(steps, { maxLength: 4 }), (all) => {
        const ours = new CellBuilder();
        const theirs = beginCell();
        for (const { write, store } of all) {
          write(ours);
          store(theirs);
        }
        const cell = ours.cell();
        expect(toCoreCell(cell).toString()).toBe(theirs.endCell().toString());
        const reader = new CellReader(cell);
        for (const { read, value } of all) expect(read(reader)).toEqual(value);
        expect(reader.remainingBits).toBe(0);
        const [first, ...others] = all;
        const part = new CellReader(cell);
        if (first) expect(first.read(part)).toEqual(first.value);
        const rest = new CellReader(part.rest());
        for (const { read, value } of others) expect(read(rest)).toEqual(value);
      }),
      { seed: 1 },
    );
  });

  test("write the lowest and the highest signed integer", () => {
    for (const value of [-4, 3]) expect(new CellReader(new CellBuilder().int(value, 3).cell()).int(3)).toBe(value);
  });

  test("reject values that do not fit", () => {
    const refused: Record<string, () => unknown> = {
      "8 does not fit in 3 bits unsigned": () => new CellBuilder().uint(8, 3),
      "-1 does not fit in 3 bits unsigned": () => new CellBuilder().uint(-1, 3),
      "0.5 does not fit in 3 bits unsigned": () => new CellBuilder().uint(0.5, 3),
      "4 does not fit in 3 bits signed": () => new CellBuilder().int(4, 3),
      "-5 does not fit in 3 bits signed": () => new CellBuilder().int(-5, 3),
      "-1 does not fit in 64 bits unsigned": () => new CellBuilder().bigUint(-1n, 64),
      "18446744073709551616 does not fit in 64 bits unsigned": () => new CellBuilder().bigUint(2n ** 64n, 64),
      "16 does not fit in 4 bits unsigned": () => new CellBuilder().coins(2n ** 120n),
      "a cell has at most 1023 bits": () => new CellBuilder().bytes(new Uint8Array(127)).uint(0, 8),
      "a cell has at most four references": () => {
        const leaf = new CellBuilder().cell();
        const builder = new CellBuilder();
        for (let i = 0; i < 5; i++) builder.ref(leaf);
      },
    };
    for (const [message, refuse] of Object.entries(refused)) expect(refuse).toThrow(new RangeError(message));
  });

  test("give the digest of a cell with digests as references, but not the cell", () => {
    const leaf = new CellBuilder().uint(7, 32).cell();
    const whole = new CellBuilder().uint(1, 5).ref(leaf).maybeRef(undefined).cell();
    const short = () => new CellBuilder().uint(1, 5).ref({ hash: leaf.hash, depth: leaf.depth }).maybeRef(undefined);
    expect(short().digest()).toEqual({ hash: whole.hash, depth: whole.depth });
    expect(() => short().cell()).toThrow(new TypeError("a reference of this cell is a digest: only `digest()` is possible"));
  });

  test("give the same digest whether or not references were hashed before", () => {
    const written = (value: number) => {
      const leaf = new CellBuilder().uint(value, 16).cell();
      const reference = new CellBuilder().uint(value, 32).ref(leaf).cell();
      return new CellBuilder().uint(value, 48).ref(reference);
    };
    const cell = written(7).cell();
    expect(cell.refs[0]?.hash).toHaveLength(32);
    expect(Buffer.from(written(7).digest().hash)).toEqual(Buffer.from(cell.hash));
  });

  test("throw past the end of a cell", () => {
    const reader = () => new CellReader(new CellBuilder().uint(5, 3).cell());
    expect(() => reader().uint(4)).toThrow(new CellError("a cell ends 1 bits too early"));
    expect(() => reader().skip(3).bit()).toThrow(CellError);
    expect(() => reader().bytes(1)).toThrow(CellError);
    expect(() => reader().ref()).toThrow(new CellError("a cell has no more references"));
    expect(reader().skip(1).remainingBits).toBe(2);
    expect(reader().remainingRefs).toBe(0);
  });
});
