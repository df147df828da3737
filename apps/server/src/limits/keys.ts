/** API keys, and the LMDB store that keeps them on one machine. */
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { LMDB_LOCK_SUFFIX, waitForLmdbFile } from "@chain-query/local-chain/lmdb-file";
import { type Database, open, type RootDatabase } from "lmdb";
import { StartError } from "../failure.ts";
import { isSameSecret, makeKey, readKey } from "./key-form.ts";

/** The limits of a key. */
interface Plan {
  /** Requests per second; 0 for no limit. */
  readonly rate: number;
  /** The network that the key is for; any network if absent. */
  readonly network?: string;
}

/** A key as it is stored and listed. */
export interface KeyRecord extends Plan {
  /** 12 hexadecimal digits, the public part of the key; may be listed and logged. */
  readonly id: string;
  /** A name that the operator gave the owner of the key. */
  readonly owner: string;
  /** Unix seconds. */
  readonly created: number;
}

/** A key that may be valid. */
export interface FoundKey {
  /** The record that this process has cached; the key may have been revoked since. */
  readonly likely: KeyRecord | undefined;
  /** Rejects with an HttpError if the store is unavailable. */
  readonly confirmed: Promise<ConfirmedKey>;
}

/** The reply of the store. */
interface ConfirmedKey {
  /** Undefined if the key was never added or has been revoked. */
  readonly record: KeyRecord | undefined;
  /** Milliseconds spent waiting for Redis. */
  readonly waited: number;
}

/** Finds keys. */
export interface KeyFinder {
  /**
   * Undefined if the text cannot be a key that was added and not revoked.
   *
   * @param beforeRead - Called before a key that this process has not cached is read from the database. Throws an HttpError if the caller has
   * sent too many unknown keys.
   * @param signal - Of the request.
   */
  find(text: string, beforeRead: () => void, signal: AbortSignal): KeyRecord | FoundKey | undefined;
  close(): Promise<void>;
}

/** The result of revoking a key; "unknown" also for one that was revoked before, if the store deletes revoked keys. */
type Revocation = "revoked" | "revoked before" | "unknown";

/** Adds, revokes and lists keys. */
export interface KeyEditor {
  /** Adds a key. Its text cannot be read again. */
  add(owner: string, plan: Plan): Promise<{ readonly text: string; readonly record: KeyRecord }>;
  revoke(id: string): Promise<Revocation>;
  /** Oldest first. */
  list(): readonly KeyRecord[] | Promise<readonly KeyRecord[]>;
  close(): Promise<void>;
}

/** Reads the keys in a folder. A change is visible to all processes from their next request on. */
interface KeyReader {
  /** The record of a key; undefined if the key was never added or has been revoked. */
  find(text: string): KeyRecord | undefined;
  list(): KeyRecord[];
  close(): Promise<void>;
}

/** Reads and changes the keys in a folder. */
export type KeyStore = KeyReader & KeyEditor;

interface Stored {
  readonly hash: Uint8Array;
  readonly record: KeyRecord;
}

type KeyTable = Database<Stored, string>;

const format = 1;
const dataFile = "data.mdb";
const tableName = "keys";

/**
 * Opens the keys in a folder for reading, and writes nothing: the disk may be read-only. A folder that is absent or empty has no keys; it is
 * checked again for each key until it has some.
 *
 * @throws StartError if the folder holds something else, or a damaged store.
 *
 * @example
 * ```ts
 * const keys = openKeyReader("my-chain.keys");
 * keys.find("cq_4453aa152052_…")?.owner; // "alice"
 * ```
 */
export function openKeyReader(directory: string): KeyReader {
  let opened = openExisting(directory);
  const table = (): KeyTable | undefined => {
    opened ??= openExisting(directory);
    return opened?.table;
  };
  return readerOf(table, async () => opened?.root.close());
}

/**
 * Opens the keys in a folder, which is created if absent.
 *
 * @throws StartError if the folder holds something else, or a damaged store.
 *
 * @example
 * ```ts
 * const keys = openKeyStore("my-chain.keys");
 * const { text } = await keys.add("alice", { rate: 50 });
 * keys.find(text)?.owner; // "alice"
 * ```
 */
export function openKeyStore(directory: string): KeyStore {
  const root = openOrCreate(directory);
  const keys: KeyTable = root.openDB({ name: tableName });
  return {
    ...readerOf(
      () => keys,
      () => root.close(),
    ),
    async add(owner, plan) {
      const { id, hash, text } = makeKey();
      const record = { id, owner, created: Math.floor(Date.now() / 1000), ...plan };
      await keys.put(id, { hash, record });
      return { text, record };
    },
    async revoke(id) {
      return keys.doesExist(id) && (await keys.remove(id)) ? "revoked" : "unknown";
    },
  };
}

function readerOf(table: () => KeyTable | undefined, close: () => Promise<void>): KeyReader {
  return {
    find(text) {
      const { id, hash } = readKey(text);
      const keys = table();
      // LMDB keeps a read transaction, and so its snapshot, until the next tick of the event loop, which may come late.
      keys?.resetReadTxn();
      const stored = id === undefined ? undefined : keys?.get(id);
      return isSameSecret(hash, stored?.hash) ? stored?.record : undefined;
    },
    list() {
      const stored = [...(table()?.getRange() ?? [])];
      return stored.map(({ value }) => value.record).sort((a, b) => a.created - b.created);
    },
    close,
  };
}

/** Opens a store for reading; undefined if no key was ever added. */
function openExisting(directory: string): { readonly root: RootDatabase; readonly table: KeyTable } | undefined {
  return withReason(directory, () => {
    if (!holdsStore(directory)) return undefined;
    const root = open({ path: join(directory, dataFile), maxDbs: 2, readOnly: true });
    let table: KeyTable | undefined;
    try {
      // Another process may be creating the store right now.
      if (hasFormat(root, directory)) table = root.openDB({ name: tableName });
    } finally {
      if (table === undefined) void root.close();
    }
    return table && { root, table };
  });
}

function openOrCreate(directory: string): RootDatabase {
  return withReason(directory, () => {
    if (!holdsStore(directory)) makeFolder(directory);
    const root = open({ path: join(directory, dataFile), maxDbs: 2, mapSize: 64 * 2 ** 20 });
    if (!hasFormat(root, directory)) root.putSync("format", format);
    return root;
  });
}

function withReason<Result>(directory: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`keys ${directory}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Whether a store has the format of this version; false if it is empty. */
function hasFormat(root: RootDatabase, directory: string): boolean {
  const found: unknown = root.get("format");
  if (found === format) return true;
  if (found !== undefined) throw new StartError(`keys ${directory}: expected format ${format}, found ${String(found)}`);
  if (root.getKeysCount({ limit: 1 }) > 0) throw new StartError(`keys ${directory}: ${dataFile} is not a key store`);
  return false;
}

/** Whether a folder holds an LMDB file; false if the folder is absent or empty. */
function holdsStore(directory: string): boolean {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw new StartError(`keys ${directory}: expected a folder, found a file`);
  const file = join(directory, dataFile);
  if (existsSync(file)) {
    waitForLmdbFile(file);
    return true;
  }
  const other = readdirSync(directory).find((name) => name !== `${dataFile}${LMDB_LOCK_SUFFIX}`);
  if (other === undefined) return false;
  throw new StartError(
    `keys ${directory}: the folder holds ${other} and no keys; expected a key store, or an empty or new folder`,
  );
}

/** `mkdirSync` with `recursive` never returns on file systems that allow no new folders, such as /proc. */
function makeFolder(directory: string): void {
  if (existsSync(directory)) return;
  makeFolder(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(directory)) throw error;
  }
}
