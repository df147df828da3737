import { describe, expect, test } from "vitest";
import { CellBuilder } from "../../src/cells/cell-builder.ts";

describe("CellBuilder.digest", () => {
  test("is that of the cell, whether or not its references were hashed before", () => {
    const written = (value: number) => {
      const leaf = new CellBuilder().uint(value, 16).cell();
      const reference = new CellBuilder().uint(value, 32).ref(leaf).cell();
      return new CellBuilder().uint(value, 48).ref(reference);
    };
    const cell = written(7).cell();
    expect(cell.refs[0]?.hash).toHaveLength(32);
    expect(Buffer.from(written(7).digest().hash)).toEqual(Buffer.from(cell.hash));
  });
});
