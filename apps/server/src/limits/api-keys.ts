/** API keys, which have a public id and a secret, of which stores hold only the hash; and the file that keeps them on one machine. */
import { hash as hashText, randomBytes, timingSafeEqual } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, StartError } from "../failure.ts";

/** The limits of a key. */
interface Plan {
  /** Requests per second; 0 for no limit. */
  readonly rate: number;
  /** The network that the key is for; any network if absent. */
  readonly network?: string;
}

/** A key as it is stored and listed. */
export interface ApiKeyRecord extends Plan {
  /** 12 hexadecimal digits, the public part of the key; may be listed and logged. */
  readonly id: string;
  /** A name that the operator gave the owner of the key. */
  readonly owner: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Finds keys. */
export interface ApiKeyFinder {
  /**
   * Undefined if there is no such key. Rejects with an HttpError if the keys cannot be read.
   *
   * @param beforeRead - Called before a key is read from a database for a caller who is not known to have its secret. Throws an HttpError if
   * the caller has sent too many unknown keys.
   * @param signal - Of the request.
   */
  find(text: string, beforeRead: () => void, signal: AbortSignal): ApiKeyRecord | undefined | Promise<ApiKeyRecord | undefined>;
  close?(): void;
}

/** The result of revoking a key; "unknown" also for one that was revoked before, if the store deletes revoked keys. */
type Revocation = "revoked" | "revoked before" | "unknown";

/** Adds, revokes and lists keys. */
export interface ApiKeyEditor {
  /** Adds a key. Its text cannot be read again. */
  add(owner: string, plan: Plan): Promise<{ readonly text: string; readonly record: ApiKeyRecord }>;
  revoke(id: string): Promise<Revocation>;
  /** Oldest first. */
  list(): readonly ApiKeyRecord[] | Promise<readonly ApiKeyRecord[]>;
  close?(): Promise<void>;
}

/** Reads the keys in a folder. A change is visible to all processes from their next request on. */
interface ApiKeyReader {
  /** The record of a key; undefined if the key was never added or has been revoked. */
  find(text: string): ApiKeyRecord | undefined;
  list(): ApiKeyRecord[];
}

/** Reads and changes the keys in a folder. */
export type ApiKeyStore = ApiKeyReader & ApiKeyEditor;

/** A key in the file. */
interface StoredKey extends ApiKeyRecord {
  /** SHA-256 of the secret, as base64. */
  readonly hash: string;
}

const keyForm = /^cq_([0-9a-f]{12})_([\w-]{43})$/;
const unknownHash = hashOf("");

/** The id of a key, undefined if the text is not one, and the hash of its secret. */
export function readApiKey(text: string): { readonly id: string | undefined; readonly hash: Uint8Array } {
  const [, id, secret = ""] = keyForm.exec(text) ?? [];
  return { id, hash: hashOf(secret) };
}

/** Makes a key. Its text is not stored. */
export function makeApiKey(): { readonly id: string; readonly hash: Uint8Array; readonly text: string } {
  const id = randomBytes(6).toString("hex");
  const secret = randomBytes(32).toString("base64url");
  return { id, hash: hashOf(secret), text: `cq_${id}_${secret}` };
}

/**
 * Whether a hash is the stored one. The comparison takes the same time for any secret. Ids are public: whether a store has one may show
 * in the time of a refusal, since an id that no copy has is read from the database.
 */
export function isSameSecret(sent: Uint8Array, stored: Uint8Array | undefined): boolean {
  return timingSafeEqual(sent, stored ?? unknownHash) && stored !== undefined;
}

/** SHA-256 of the secret. It has 256 random bits, so a slow password hash would add no protection. */
function hashOf(secret: string): Uint8Array {
  return hashText("sha256", secret, "buffer");
}

const format = 1;
const dataFile = "keys.json";
const [newFile, lockFile] = [`${dataFile}.new`, `${dataFile}.lock`];
/** Milliseconds between two attempts to lock the file. */
const lockInterval = 10;

/**
 * Opens the keys in a folder for reading, and writes nothing: the disk may be read-only. A folder that is absent or empty has no keys.
 *
 * @throws StartError if the folder holds something else, or a damaged file.
 */
export function openApiKeyReader(directory: string): ApiKeyReader {
  let known = load(directory);
  const current = (): ReadonlyMap<string, StoredKey> => {
    const stats = statSync(join(directory, dataFile), { bigint: true, throwIfNoEntry: false });
    if (versionOf(stats) !== known.version) known = load(directory);
    return known.keys;
  };
  return {
    find(text) {
      const { id, hash } = readApiKey(text);
      const stored = id === undefined ? undefined : current().get(id);
      return isSameSecret(hash, stored && Buffer.from(stored.hash, "base64")) && stored ? recordOf(stored) : undefined;
    },
    list: () => Array.from(current().values(), recordOf).sort((a, b) => a.created - b.created),
  };
}

/**
 * Opens the keys in a folder, which is created if absent.
 *
 * @throws StartError if the folder holds something else, or a damaged file.
 */
export function openApiKeyStore(directory: string): ApiKeyStore {
  const reader = openApiKeyReader(directory);
  withReason(directory, () => makeFolder(directory));
  return {
    ...reader,
    async add(owner, plan) {
      const { id, hash, text } = makeApiKey();
      const record = { id, owner, created: Math.floor(Date.now() / 1000), ...plan };
      await change(directory, (keys) => keys.set(id, { ...record, hash: Buffer.from(hash).toString("base64") }));
      return { text, record };
    },
    async revoke(id) {
      return (await change(directory, (keys) => keys.delete(id))) ? "revoked" : "unknown";
    },
  };
}

function recordOf({ hash: _, ...record }: StoredKey): ApiKeyRecord {
  return record;
}

interface Loaded {
  /** Undefined without a file. */
  readonly version: string | undefined;
  readonly keys: Map<string, StoredKey>;
}

function load(directory: string): Loaded {
  return withReason(directory, () => {
    const file = join(directory, dataFile);
    let fd: number;
    try {
      fd = openSync(file, "r");
    } catch (error) {
      checkFolder(directory);
      if (existsSync(file)) throw error;
      return { version: undefined, keys: new Map() };
    }
    try {
      return { version: versionOf(fstatSync(fd, { bigint: true })), keys: parseKeys(readFileSync(fd, "utf8")) };
    } finally {
      closeSync(fd);
    }
  });
}

/** Changes at each write, which makes another file. */
function versionOf(stats: BigIntStats | undefined): string | undefined {
  return stats && `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
}

/** @throws Error with the problem. */
function parseKeys(text: string): Map<string, StoredKey> {
  let contents: { format?: unknown; keys?: unknown } | null;
  try {
    contents = JSON.parse(text);
  } catch {
    throw new Error(`${dataFile} is not JSON`);
  }
  if (contents?.format !== format)
    throw new Error(`${dataFile}: expected format ${format}, found ${JSON.stringify(contents?.format)}`);
  if (!Array.isArray(contents.keys) || !contents.keys.every(isStoredKey))
    throw new Error(`${dataFile}: expected keys with id, hash, owner, rate and created`);
  return new Map(contents.keys.map((key) => [key.id, key]));
}

function isStoredKey(key: Partial<Record<keyof StoredKey, unknown>> | null): key is StoredKey {
  const { id, hash, owner, rate, created, network } = key ?? {};
  return (
    [id, hash, owner, network ?? ""].every((text) => typeof text === "string") &&
    [rate, created].every((value) => typeof value === "number" && value >= 0)
  );
}

/** Changes the keys. The lock is one of the OS, so it ends with the process; the file is replaced whole. */
async function change<Result>(directory: string, edit: (keys: Map<string, StoredKey>) => Result): Promise<Result> {
  const { tryLock } = await import("fs-native-extensions");
  const [file, next] = [join(directory, dataFile), join(directory, newFile)];
  const lock = withReason(directory, () => openSync(join(directory, lockFile), "a", 0o600));
  try {
    while (!tryLock(lock)) await sleep(lockInterval);
    const { keys } = load(directory);
    const result = edit(keys);
    withReason(directory, () => {
      // A process that was killed may have left one.
      rmSync(next, { force: true });
      writeFileSync(next, `${JSON.stringify({ format, keys: [...keys.values()] }, null, 2)}\n`, { mode: 0o600, flush: true });
      renameSync(next, file);
    });
    return result;
  } finally {
    closeSync(lock);
  }
}

function withReason<Result>(directory: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`keys ${directory}: ${messageOf(error)}`);
  }
}

/** @throws StartError unless a folder is absent, or holds no more than a write that was interrupted. */
function checkFolder(directory: string): void {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw new StartError(`keys ${directory}: expected a folder, found a file`);
  const other = readdirSync(directory).find((name) => ![dataFile, newFile, lockFile].includes(name));
  if (other === undefined) return;
  throw new StartError(
    `keys ${directory}: the folder holds ${other} and no keys; expected ${dataFile}, or an empty or new folder`,
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
