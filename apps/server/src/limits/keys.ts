/** API keys and the LMDB store that keeps them. A key is a public id and a secret; the store holds only the hash of the secret. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { waitForLmdbFile } from "@chain-query/local-chain/lmdb-file";
import { type Database, open, type RootDatabase } from "lmdb";
import { StartError } from "../failure.ts";

/** What a key allows. */
export interface Plan {
  /** Requests per second; 0 for no limit. */
  readonly rate: number;
  /** The network that the key is for; any network if absent. */
  readonly network?: string;
}

/** A key as it is stored and listed. */
export interface KeyRecord extends Plan {
  /** 12 hexadecimal digits, the public part of the key; may be listed and logged. */
  readonly id: string;
  /** Whose key it is, in the operator's words. */
  readonly owner: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Why keys cannot be read or written. */
export class KeyStoreError extends StartError {
  override readonly name = "KeyStoreError";
}

/** The keys in a folder. A change is visible to all processes from their next request on. */
export interface KeyStore {
  /** The record of a key; undefined if the key was never added or has been revoked. */
  find(text: string): KeyRecord | undefined;
  /** Adds a key. Its text cannot be read again. */
  add(owner: string, plan: Plan): Promise<{ readonly text: string; readonly record: KeyRecord }>;
  list(): KeyRecord[];
  /** Removes a key. Returns whether it existed. */
  revoke(id: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Stored {
  readonly hash: Uint8Array;
  readonly record: KeyRecord;
}

const format = 1;
const dataFile = "data.mdb";
const keyForm = /^cq_([0-9a-f]{12})_([\w-]{43})$/;
const unknownHash = hashOf("");

/**
 * Opens the keys in a folder, which is created if absent.
 *
 * @throws KeyStoreError if the folder holds something else, or a damaged store.
 *
 * @example
 * ```ts
 * const keys = openKeyStore("my-chain.keys");
 * const { text } = await keys.add("alice", { rate: 50 });
 * keys.find(text)?.owner; // "alice"
 * ```
 */
export function openKeyStore(directory: string): KeyStore {
  const root = openStore(directory);
  const keys: Database<Stored, string> = root.openDB({ name: "keys" });
  return {
    find(text) {
      const [, id, secret = ""] = keyForm.exec(text) ?? [];
      const stored = id === undefined ? undefined : keys.get(id);
      // Compares even if there is no such key, so that the time of a refusal does not tell whether the id exists.
      const isRight = timingSafeEqual(hashOf(secret), stored?.hash ?? unknownHash);
      return isRight ? stored?.record : undefined;
    },
    async add(owner, plan) {
      const id = randomBytes(6).toString("hex");
      const secret = randomBytes(32).toString("base64url");
      const record = { id, owner, created: Math.floor(Date.now() / 1000), ...plan };
      await keys.put(id, { hash: hashOf(secret), record });
      return { text: `cq_${id}_${secret}`, record };
    },
    list: () => [...keys.getRange()].map(({ value }) => value.record).sort((a, b) => a.created - b.created),
    async revoke(id) {
      return keys.doesExist(id) && (await keys.remove(id));
    },
    close: () => root.close(),
  };
}

function openStore(directory: string): RootDatabase {
  try {
    checkFolder(directory);
    makeFolder(directory);
    const root = open({ path: join(directory, dataFile), maxDbs: 2, mapSize: 64 * 2 ** 20 });
    const found: unknown = root.get("format");
    // Another process may be creating the same store right now; a store with entries but no format is not ours.
    if (found === undefined && root.getKeysCount({ limit: 1 }) > 0)
      throw new KeyStoreError(`keys ${directory}: ${dataFile} is not a key store`);
    if (found === undefined) root.putSync("format", format);
    else if (found !== format) throw new KeyStoreError(`keys ${directory}: expected format ${format}, found ${String(found)}`);
    return root;
  } catch (error) {
    if (error instanceof KeyStoreError) throw error;
    throw new KeyStoreError(`keys ${directory}: ${error instanceof Error ? error.message : error}`);
  }
}

function checkFolder(directory: string): void {
  if (!existsSync(directory)) return;
  if (!statSync(directory).isDirectory()) throw new KeyStoreError(`keys ${directory}: expected a folder, found a file`);
  const file = join(directory, dataFile);
  if (!existsSync(file)) {
    const [other] = readdirSync(directory);
    if (other === undefined) return;
    throw new KeyStoreError(
      `keys ${directory}: the folder holds ${other} and no keys; expected a key store, or an empty or new folder`,
    );
  }
  waitForLmdbFile(file);
}

/** `mkdirSync` with `recursive` never returns on file systems that take no folders, such as /proc. */
function makeFolder(directory: string): void {
  if (existsSync(directory)) return;
  makeFolder(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(directory)) throw error;
  }
}

/** SHA-256 of the secret. It has 256 random bits, so a slow password hash would add no protection. */
function hashOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}
