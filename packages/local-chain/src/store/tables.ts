import { type Database, open, type RootDatabase } from "lmdb";
import { textKey } from "./keys.ts";
import { checkDiskSpace } from "./lmdb-file.ts";
import { ByteReader } from "./records/byte-reader.ts";
import { ByteWriter } from "./records/byte-writer.ts";
import { ChainStoreError, reasonOf } from "./store-error.ts";

/** The layout of the store. A change of keys or records that older programs would misread takes the next number. */
const FORMAT = 1;
const FORMAT_KEY: Buffer = textKey("format");

export type Table = Database<Uint8Array, Uint8Array>;

const NAMES = [
  /** "format", "genesis", "head" */
  "meta",
  /** account, lt → transaction */
  "transactions",
  /** account, masterchain seqno → the account as that block left it */
  "versions",
  /** account → its newest ShardAccount, for the producer to go on from */
  "accounts",
  /** workchain, shard, seqno → header */
  "blocks",
  /** workchain, shard, seqno → bag of cells; of a zero state under seqno 0 */
  "blockData",
  /** workchain, shard, end lt → seqno */
  "blocksByLt",
  /** workchain, shard, time, seqno → seqno */
  "blocksByTime",
  /** source, destination, created lt → lts of producer and consumer */
  "messages",
  /** hash of a cell → bag of cells: code and initial states, which are the same for many */
  "cells",
  /** the producer's own */
  "producer",
] as const;
type Name = (typeof NAMES)[number];
type Mode = "read" | "write" | "create";

/** Bytes of a table as no other kind of array than readers are promised. */
export function plainBytes(value: Uint8Array | undefined): Uint8Array | undefined {
  return value && new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** How many records a table has, without looking at them. */
export function countOf(table: Table): number {
  const stats: { readonly entryCount?: number } = table.getStats();
  return stats.entryCount ?? 0;
}

/** The store's tables, and the environment that they are in. */
export type Tables = Readonly<Record<Name, Table>> & { readonly root: RootDatabase<Uint8Array, Uint8Array> };

/**
 * Opens the file of a chain.
 *
 * @throws ChainStoreError where it cannot be opened, or holds another program's or another version's records.
 */
export function openTables(file: string, mode: Mode): Tables {
  checkDiskSpace(file);
  const root = openRoot(file, mode);
  try {
    const meta = openTable(root, "meta", file, mode);
    if (mode === "create") root.transactionSync(() => meta.putSync(FORMAT_KEY, new ByteWriter(4).u32(FORMAT).finish()));
    checkFormat(meta, file);
    const tables = Object.fromEntries(NAMES.map((name) => [name, openTable(root, name, file, mode)]));
    return { ...(tables as Record<Name, Table>), root };
  } catch (cause) {
    void root.close();
    if (cause instanceof ChainStoreError) throw cause;
    throw new ChainStoreError(`${file} is damaged: ${reasonOf(cause)}`, { cause });
  }
}

function openRoot(file: string, mode: Mode): RootDatabase<Uint8Array, Uint8Array> {
  try {
    return open<Uint8Array, Uint8Array>({
      path: file,
      readOnly: mode === "read",
      encoding: "binary",
      keyEncoding: "binary",
      maxDbs: NAMES.length + 1,
      // A step is on disk when its commit returns: a head that was shown is never taken back.
      overlappingSync: false,
    });
  } catch (cause) {
    throw new ChainStoreError(`${file} cannot be opened: ${reasonOf(cause)}`, { cause });
  }
}

function openTable(root: RootDatabase<Uint8Array, Uint8Array>, name: Name, file: string, mode: Mode): Table {
  const create = mode === "create";
  const table: Table | undefined = root.openDB({ name, encoding: "binary", keyEncoding: "binary", ...{ create } });
  if (!table) throw new ChainStoreError(`${file} is no chain's file: it has no table "${name}"`);
  return table;
}

function checkFormat(meta: Table, file: string): void {
  const record = meta.get(FORMAT_KEY);
  if (!record) throw new ChainStoreError(`${file} is no chain's file: it does not name its format`);
  const format = new ByteReader(record).u32();
  if (format !== FORMAT) throw new ChainStoreError(`${file} has format ${format}; this version reads format ${FORMAT}`);
}
