import { statSync } from "node:fs";
import { ChainStoreError } from "@chain-query/format/store";
import { type Database, open, type RootDatabase } from "lmdb";
import { checkDiskSpace } from "./lmdb-file.ts";
import { textKey } from "./records.ts";
import { reasonOf } from "./store-error.ts";

/** Bits of the longest prefix of a shard. */
export const MAX_DEPTH = 4;

/**
 * Versions of the keys and records. A change that older programs would misread takes the next number. Format 5 has the same records as
 * format 3, but shards that split and merge, a configuration that changes, steps with any number of blocks of a shard, or libraries in the
 * state of the masterchain. Format 4 had no libraries, and its shard blocks referred to the newest masterchain block.
 */
const [FORMAT, CHANGING_FORMAT] = [3, 5];
const FORMAT_KEY: Buffer = textKey("format");

/** A named LMDB database. */
export type Table = Database<Uint8Array, Uint8Array>;

const NAMES = [
  /** "format", "genesis", "head" */
  "meta",
  /** account, lt → transaction */
  "transactions",
  /** account, masterchain seqno → the account after that block; see also `blockVersionKey` */
  "versions",
  /** account → its newest ShardAccount, for the producer */
  "accounts",
  /** workchain, shard, seqno → header */
  "blocks",
  /** workchain, shard, seqno → bag of cells; a zero state has seqno 0 */
  "blockData",
  /** workchain, shard, seqno → bag of cells: the state after the block without its large parts */
  "states",
  /** workchain, shard, end lt → seqno */
  "blocksByLt",
  /** workchain, shard, time, seqno → seqno */
  "blocksByTime",
  /** source, destination, created lt → lts of producer and consumer */
  "messages",
  /** hash of a cell → bag of cells: code and initial states, which many accounts share */
  "cells",
  /** the producer's state: see producer-state.ts */
  "producer",
] as const;
type Name = (typeof NAMES)[number];
type Mode = "read" | "write" | "create";

/** The part of a table that steps are written with. */
export interface StepTable {
  get(key: Uint8Array): Uint8Array | undefined;
  doesExist(key: Uint8Array): boolean;
  putSync(key: Uint8Array, value: Uint8Array): unknown;
  removeSync(key: Uint8Array): unknown;
}

/** The tables that steps are written to. */
export type StepTables = Readonly<Record<Exclude<Name, "meta">, StepTable>>;

/** The LMDB environment and its databases. */
export type Tables = Readonly<Record<Name, Table>> & { readonly root: RootDatabase<Uint8Array, Uint8Array> };

/**
 * Opens the LMDB file of a chain.
 *
 * @throws ChainStoreError if it cannot be opened, or holds the records of another program or another version.
 */
export function openTables(file: string, mode: Mode): Tables {
  checkDiskSpace(file);
  const environment = mode === "create" ? undefined : environmentOf(file, mode);
  if (mode === "write" && environment?.isReadOnly) {
    throw new ChainStoreError(`${file} is open for reading in this process; close its readers before you open it for writing`);
  }
  const root = openRoot(file, mode);
  if (environment) environments.set(root, environment);
  try {
    const meta = openTable(root, "meta", file, mode);
    if (mode === "create") root.transactionSync(() => meta.putSync(FORMAT_KEY, formatRecord(FORMAT)));
    checkFormat(meta, file);
    const tables = Object.fromEntries(NAMES.map((name) => [name, openTable(root, name, file, mode)]));
    return { ...(tables as Record<Name, Table>), root };
  } catch (cause) {
    void root.close();
    if (cause instanceof ChainStoreError) throw cause;
    throw new ChainStoreError(`${file} is damaged: ${reasonOf(cause)}`, { cause });
  }
}

interface Environment {
  /** Device and inode of its file. */
  readonly inode: string;
  readonly isReadOnly: boolean;
}

const environments = new Map<RootDatabase<Uint8Array, Uint8Array>, Environment>();

/** lmdb gives all who open a file in one process the same environment, which can write only if it was first opened for writing. */
function environmentOf(file: string, mode: Mode): Environment {
  for (const root of environments.keys()) if ("status" in root && root.status === "closed") environments.delete(root);
  const { dev, ino } = statSync(file);
  const inode = `${dev}:${ino}`;
  return [...environments.values()].find((open) => open.inode === inode) ?? { inode, isReadOnly: mode === "read" };
}

function openRoot(file: string, mode: Mode): RootDatabase<Uint8Array, Uint8Array> {
  try {
    return open<Uint8Array, Uint8Array>({
      path: file,
      readOnly: mode === "read",
      encoding: "binary",
      keyEncoding: "binary",
      maxDbs: NAMES.length + 1,
      // A commit returns after fsync, so a head that readers have seen survives a crash.
      overlappingSync: false,
    });
  } catch (cause) {
    throw new ChainStoreError(`${file} cannot be opened: ${reasonOf(cause)}`, { cause });
  }
}

function openTable(root: RootDatabase<Uint8Array, Uint8Array>, name: Name, file: string, mode: Mode): Table {
  const create = mode === "create";
  const table: Table | undefined = root.openDB({ name, encoding: "binary", keyEncoding: "binary", ...{ create } });
  if (!table) throw new ChainStoreError(`${file} is not the file of a chain: it has no table "${name}"`);
  return table;
}

/** Marks a new chain as one that programs refuse which expect states of format 3. */
export function putChangingFormat({ meta }: Tables): void {
  meta.putSync(FORMAT_KEY, formatRecord(CHANGING_FORMAT));
}

/** Has the same bytes in every format: four, without a checksum. */
function formatRecord(format: number): Buffer {
  const record = Buffer.alloc(4);
  record.writeUInt32BE(format);
  return record;
}

function checkFormat(meta: Table, file: string): void {
  const record = meta.get(FORMAT_KEY);
  if (record?.length !== 4) throw new ChainStoreError(`${file} is not the file of a chain: it has no format number`);
  const format = Buffer.from(record).readUInt32BE();
  if (format === FORMAT || format === CHANGING_FORMAT) return;
  const remedy = '"chain-query-local-chain init" makes a new chain';
  throw new ChainStoreError(
    `${file} has format ${format}; this version reads formats ${FORMAT} and ${CHANGING_FORMAT}: ${remedy} in another folder`,
  );
}

/** The value as a plain Uint8Array; LMDB returns a Buffer. */
export function plainBytes(value: Uint8Array | undefined): Uint8Array | undefined {
  return value && new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** The number of records, from LMDB's statistics. */
export function countOf(table: Table): number {
  const stats: { readonly entryCount?: number } = table.getStats();
  return stats.entryCount ?? 0;
}

/** Finds the record of a table that is nearest to a key. */
export interface Seek {
  /** The first record at or after `start`, before `end`. */
  upwards(start: Uint8Array, end: Uint8Array): Uint8Array | undefined;
  /** The last record at or before `start`, after `end`. */
  downwards(start: Uint8Array, end: Uint8Array): Uint8Array | undefined;
}

/**
 * lmdb allocates native objects for every `getRange`, which would be most of a reader's memory. So each table has one range for each
 * direction, and its options are changed before each use.
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
