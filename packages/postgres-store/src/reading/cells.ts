import { type CellOf, cellRecord } from "@chain-query/format/store";
import { LRUCache } from "lru-cache";
import { selectCell } from "../database/statements.ts";
import { PostgresStoreError } from "../types.ts";
import type { Connection } from "./connection.ts";

/** Bytes of cached cells: code and initial states, which few of serve many accounts. */
const CACHE_BYTES = 16 * 2 ** 20;
const ENTRY_OVERHEAD = 300;

/** The cells that records refer to. A cell never changes, so it is cached. */
export class Cells {
  readonly #cache: LRUCache<string, Uint8Array, number>;

  constructor(reads: Connection) {
    this.#cache = new LRUCache({
      maxSize: CACHE_BYTES,
      sizeCalculation: ({ length }) => length + ENTRY_OVERHEAD,
      // The cells of a record exist as of any head that has the record.
      fetchMethod: async (key, _, { context: at }) => {
        const [record] = await reads.records(selectCell, [Buffer.from(key, "latin1")], at);
        // A copy: a view would keep the whole result in memory.
        return record && new Uint8Array(cellRecord.decode(record));
      },
    });
  }

  /** Decodes a record as of a head. Cells that are not in memory are read, and then the record is decoded again. */
  async complete<Value>(at: number, decode: (cellOf: CellOf) => Value): Promise<Value> {
    const known = new Map<string, Uint8Array>();
    const missing = new Set<string>();
    const cellOf: CellOf = (hash) => {
      const key = keyOf(hash);
      const cell = known.get(key) ?? this.#cache.get(key);
      if (cell === undefined) missing.add(key);
      else known.set(key, cell);
      return cell ?? hash;
    };
    const value = decode(cellOf);
    if (missing.size === 0) return value;
    for (const key of missing) {
      const cell = await this.#cache.fetch(key, { context: at });
      if (cell === undefined) throw missingCell(key);
      known.set(key, cell);
    }
    return decode(cellOf);
  }
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1");
}

function missingCell(key: string): PostgresStoreError {
  const name = Buffer.from(key, "latin1").toString("hex");
  return new PostgresStoreError("damaged", `the index is damaged: cell ${name} is missing`);
}
