/** The keys that were handed out, in a small store of the server's own. It holds no secret, only hashes. */
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Database, open, type RootDatabase } from "lmdb";
import { hashOf, isSecretOf, keyIn, newKey } from "./key.ts";
import { isWholeStore } from "./store-file.ts";

/** What a key allows. */
export interface Plan {
  /** Requests per second; 0 for no limit. */
  readonly rate: number;
  /** The network that it is for; any where absent. */
  readonly network?: string;
}

/** A key as it is kept and listed. */
export interface KeyRecord extends Plan {
  readonly id: string;
  /** Whose it is, in the operator's words. */
  readonly owner: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Why keys cannot be read or written, as one line for the operator. */
export class KeyStoreError extends Error {
  override readonly name = "KeyStoreError";
}

/** The keys. What one process writes, all others see with their next request. */
export interface KeyStore {
  /** The record of a key, where it was handed out and not revoked. */
  find(text: string): KeyRecord | undefined;
  /** Makes a key. The text is never to be had again. */
  add(owner: string, plan: Plan): Promise<{ readonly text: string; readonly record: KeyRecord }>;
  list(): KeyRecord[];
  /** Whether there was such a key. */
  revoke(id: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Stored {
  readonly hash: Uint8Array;
  readonly record: KeyRecord;
}

const format = 1;
const dataFile = "data.mdb";
const nobody = hashOf("");

/**
 * Opens the keys in a folder, which is made where it is absent.
 *
 * @throws KeyStoreError where the folder holds something else, or a damaged store.
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
      const parts = keyIn(text);
      const stored = parts === undefined ? undefined : keys.get(parts.id);
      // Compared even where there is nothing to compare with: how long a refusal takes tells nothing of the name.
      const isRight = isSecretOf(parts?.secret ?? "", stored?.hash ?? nobody);
      return isRight ? stored?.record : undefined;
    },
    async add(owner, plan) {
      const { id, secret, text } = newKey();
      const record = { id, owner, created: Math.floor(Date.now() / 1000), ...plan };
      await keys.put(id, { hash: hashOf(secret), record });
      return { text, record };
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
    // Another process may be making the same store at this moment; one that holds something is no new one.
    if (found === undefined && root.getKeysCount({ limit: 1 }) > 0) throw notOurs(directory);
    if (found === undefined) root.putSync("format", format);
    else if (found !== format)
      throw new KeyStoreError(`keys ${directory}: format ${String(found)} was found, ${format} is accepted`);
    return root;
  } catch (error) {
    if (error instanceof KeyStoreError) throw error;
    throw new KeyStoreError(`keys ${directory}: ${error instanceof Error ? error.message : error}`);
  }
}

function checkFolder(directory: string): void {
  if (!existsSync(directory)) return;
  if (!statSync(directory).isDirectory()) throw new KeyStoreError(`keys ${directory}: a file is there, a folder is expected`);
  const file = join(directory, dataFile);
  if (!existsSync(file)) {
    const [stranger] = readdirSync(directory);
    if (stranger === undefined) return;
    throw new KeyStoreError(`keys ${directory}: the folder holds ${stranger} and no keys; an empty or a new one is accepted`);
  }
  if (!isWholeStore(file)) throw notOurs(directory);
}

function notOurs(directory: string): KeyStoreError {
  return new KeyStoreError(`keys ${directory}: ${dataFile} is no key store, or a damaged one`);
}

/** Node's own way to make a folder with its parents never ends where a file system, as that of /proc, takes no folders. */
function makeFolder(directory: string): void {
  if (existsSync(directory)) return;
  makeFolder(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(directory)) throw error;
  }
}
