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

/** A value with how it is written by us and by @ton/core, and how it is read again. */
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
  test("write what @ton/core writes, and read it again", () => {
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
      }),
    );
  });

  test("refuse what does not fit", () => {
    const refused: Record<string, () => unknown> = {
      "8 is no unsigned integer of 3 bits": () => new CellBuilder().uint(8, 3),
      "-1 is no unsigned integer of 3 bits": () => new CellBuilder().uint(-1, 3),
      "0.5 is no unsigned integer of 3 bits": () => new CellBuilder().uint(0.5, 3),
      "4 is no signed integer of 3 bits": () => new CellBuilder().int(4, 3),
      "-1 is no unsigned integer of 64 bits": () => new CellBuilder().bigUint(-1n, 64),
      "18446744073709551616 is no unsigned integer of 64 bits": () => new CellBuilder().bigUint(2n ** 64n, 64),
      "16 is no unsigned integer of 4 bits": () => new CellBuilder().coins(2n ** 120n),
      "a cell holds 1023 bits at most": () => new CellBuilder().bytes(new Uint8Array(127)).uint(0, 8),
      "a cell holds four references at most": () => {
        const leaf = new CellBuilder().cell();
        const builder = new CellBuilder();
        for (let i = 0; i < 5; i++) builder.ref(leaf);
      },
    };
    for (const [message, refuse] of Object.entries(refused)) expect(refuse).toThrow(new RangeError(message));
  });

  test("give the digest of a cell whose branches are digests, but not the cell", () => {
    const leaf = new CellBuilder().uint(7, 32).cell();
    const whole = new CellBuilder().uint(1, 5).ref(leaf).maybeRef(undefined).cell();
    const short = () => new CellBuilder().uint(1, 5).ref({ hash: leaf.hash, depth: leaf.depth }).maybeRef(undefined);
    expect(short().digest()).toEqual({ hash: whole.hash, depth: whole.depth });
    expect(() => short().cell()).toThrow(new TypeError("a branch of this cell is known by its digest only"));
  });

  test("end where a cell ends", () => {
    const reader = () => new CellReader(new CellBuilder().uint(5, 3).cell());
    expect(() => reader().uint(4)).toThrow(new CellError("a cell ends 1 bits before what it should hold"));
    expect(() => reader().skip(3).bit()).toThrow(CellError);
    expect(() => reader().bytes(1)).toThrow(CellError);
    expect(() => reader().ref()).toThrow(new CellError("a cell has no further reference"));
    expect(reader().skip(1).remainingBits).toBe(2);
    expect(reader().remainingRefs).toBe(0);
  });
});
