import type { Table } from "./tables.ts";

/** Finds the record of a table that lies nearest to a key. */
export interface Seek {
  /** The first record from `start` on, before `end`. */
  upwards(start: Uint8Array, end: Uint8Array): Uint8Array | undefined;
  /** The first record from `start` back, after `end`. */
  downwards(start: Uint8Array, end: Uint8Array): Uint8Array | undefined;
}

/**
 * The library makes objects outside of the heap for every range that it is asked for, which would be most of a reader's memory.
 * So each table has one range for each direction, and its ends are set anew.
 */
export function seekIn(table: Table): Seek {
  return { upwards: nearest(table, false), downwards: nearest(table, true) };
}

function nearest(table: Table, reverse: boolean): (start: Uint8Array, end: Uint8Array) => Uint8Array | undefined {
  const options: { start?: Uint8Array; end?: Uint8Array; reverse: boolean; limit: number } = { reverse, limit: 1 };
  const range = table.getRange(options);
  return (start, end) => {
    options.start = start;
    options.end = end;
    for (const { value } of range) return value;
    return undefined;
  };
}
