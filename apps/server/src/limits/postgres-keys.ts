/** API keys in PostgreSQL, for any number of instances. */
import { type ApiKeyRow, type Databases, openApiKeys, type PostgresReader } from "@chain-query/postgres-store";
import { LRUCache } from "lru-cache";
import { setWaitingFor } from "../deadline.ts";
import { HttpError, messageOf } from "../failure.ts";
import type { SharedRedis } from "../redis/connection.ts";
import { copyLifetime, copyName, copyOf, type KnownKey, keyIn, markRevoked, revokedMark } from "./key-copies.ts";
import { isSameSecret, makeKey, readKey } from "./key-form.ts";
import type { FoundKey, KeyEditor, KeyFinder, KeyRecord } from "./keys.ts";

/** Options of {@link PostgresKeys}. */
interface PostgresKeysOptions {
  readonly databases: Pick<Databases, "readAny">;
  readonly redis: SharedRedis | undefined;
  /** Called with the reason when keys cannot be read from PostgreSQL, and with undefined when they can again. */
  readonly onChange: (problem: string | undefined) => void;
  /** Milliseconds for which a key needs no confirmation while Redis is unavailable, and for which copies are used while polls fail. */
  readonly maxAge?: number;
}

interface CachedKey extends KnownKey {
  /** The text of the copy in Redis. */
  readonly copy: string;
  /** The time when PostgreSQL or Redis last confirmed the key, of `performance.now()`. */
  confirmedAt: number;
}

const maxCached = 20_000;
const defaultMaxAge = 3_000;
/** Milliseconds between two polls for revoked keys, and the seconds that a poll covers: longer than copies live. */
const [pollInterval, pollCovers] = [1_000, 2 * copyLifetime] as const;

const unavailable = new HttpError(503, "API keys cannot be checked now; try again", { "retry-after": "1" });

/**
 * Finds keys in PostgreSQL. A key that this process knows is confirmed by its copy in Redis for each request; without Redis it is read
 * again after three seconds. Revoked keys are also polled every second, for revocations that Redis did not receive; if polls fail for three
 * seconds, no copy is used.
 */
export class PostgresKeys implements KeyFinder {
  readonly #options: PostgresKeysOptions;
  readonly #cached = new LRUCache<string, CachedKey>({ max: maxCached });
  #revoked: ReadonlySet<string> = new Set();
  /** Keys that are revoked in Redis, with the time, until a poll of PostgreSQL finds them. */
  readonly #marked = new Map<string, number>();
  /** All revocations until then are known. */
  #polledAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #problem: string | undefined;
  #isClosed = false;

  constructor(options: PostgresKeysOptions) {
    this.#options = options;
    void this.#poll();
  }

  find(text: string, beforeRead: () => void, signal: AbortSignal): FoundKey | undefined {
    const { id, hash } = readKey(text);
    if (id === undefined) return undefined;
    const cached = this.#cached.get(id);
    const isLikely = isSameSecret(hash, cached?.hash);
    const sentAt = performance.now();
    const confirmed = this.#copyOf(id).then(async (copy) => {
      const waited = performance.now() - sentAt;
      const key = await this.#current(id, cached, copy, isLikely ? undefined : beforeRead, signal);
      const isValid = isSameSecret(hash, key?.hash) && !this.#isRevoked(id);
      return { record: isValid ? key?.record : undefined, waited };
    });
    return { likely: isLikely ? cached?.record : undefined, confirmed };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #isRevoked(id: string): boolean {
    return this.#revoked.has(id) || this.#marked.has(id);
  }

  /**
   * @param copy - As of `#copyOf`.
   * @param beforeRead - Undefined if the secret is that of the cached key.
   */
  async #current(
    id: string,
    cached: CachedKey | undefined,
    copy: string | null | undefined,
    beforeRead: (() => void) | undefined,
    signal: AbortSignal,
  ): Promise<CachedKey | undefined> {
    if (copy === revokedMark) {
      this.#cached.delete(id);
      if (!this.#revoked.has(id)) this.#marked.set(id, performance.now());
    }
    if (this.#isRevoked(id)) return undefined;
    if (typeof copy === "string" && this.#isRecent(this.#polledAt)) {
      // Redis may lack a revocation that no poll has found yet.
      if (copy === cached?.copy) {
        cached.confirmedAt = Math.max(cached.confirmedAt, this.#polledAt);
        return cached;
      }
      const key = keyIn(copy, id);
      if (key !== undefined) return this.#cache(id, key, this.#polledAt);
    }
    const isFresh = cached !== undefined && this.#isRecent(cached.confirmedAt);
    if (copy === undefined && isFresh) return cached;
    beforeRead?.();
    try {
      return await this.#stored(id, signal);
    } catch {
      signal.throwIfAborted();
      if (isFresh) return cached;
      throw unavailable;
    }
  }

  /** Null if there is no copy; undefined if Redis is unavailable. */
  async #copyOf(id: string): Promise<string | null | undefined> {
    const { redis } = this.#options;
    if (redis === undefined || !redis.isReady) return undefined;
    try {
      return await redis.read(copyName(id));
    } catch {
      return undefined;
    }
  }

  /** Reads a key from PostgreSQL. */
  async #stored(id: string, signal: AbortSignal): Promise<CachedKey | undefined> {
    const { redis } = this.#options;
    const begun = performance.now();
    setWaitingFor(signal, "the database of API keys");
    // Goes on if the caller is gone, so that a look-up of an unknown key is counted.
    const row = await this.#read((reader) => reader.findKey(id));
    if (row === undefined) {
      this.#cached.delete(id);
      return undefined;
    }
    const key = this.#cache(id, { hash: new Uint8Array(row.secretHash), record: recordOf(row) }, begun);
    // Not over the mark of a key that was revoked since it was read.
    redis?.run(() => redis.client.set(copyName(id), key.copy, "EX", copyLifetime, "NX"), "write").catch(() => {});
    return key;
  }

  #cache(id: string, key: KnownKey, confirmedAt: number): CachedKey {
    const cached = { ...key, copy: copyOf(key), confirmedAt };
    this.#cached.set(id, cached);
    return cached;
  }

  async #poll(): Promise<void> {
    const begun = performance.now();
    const missed = Math.ceil((begun - this.#polledAt) / 1000);
    try {
      this.#revoked = new Set(await this.#read((reader) => reader.revokedKeys(pollCovers + missed)));
      this.#polledAt = begun;
      for (const [id, seenAt] of this.#marked) if (seenAt < begun) this.#marked.delete(id);
    } catch {
      // Reported. The next poll covers this one.
    }
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#poll(), pollInterval);
    this.#timer.unref();
  }

  /** Reads from a database, and reports when no database can be read, and when one can again. */
  async #read<Value>(read: (reader: PostgresReader) => Promise<Value>): Promise<Value> {
    try {
      const value = await this.#options.databases.readAny(read);
      this.#report(undefined);
      return value;
    } catch (error) {
      this.#report(messageOf(error));
      throw error;
    }
  }

  #isRecent(time: number): boolean {
    return performance.now() - time <= (this.#options.maxAge ?? defaultMaxAge);
  }

  #report(problem: string | undefined): void {
    if ((problem === undefined) === (this.#problem === undefined) || this.#isClosed) return;
    this.#problem = problem;
    this.#options.onChange(problem);
  }
}

/** Where running instances see a revocation at once. */
interface RevocationOptions {
  /** Their Redis, if they share one. */
  readonly redis: string | undefined;
  readonly warn: (line: string) => void;
}

/** Opens the keys for a command line. */
export function openPostgresKeys(url: string, options?: RevocationOptions): KeyEditor {
  const table = openApiKeys({ url }, "writer");
  return {
    async add(owner, plan) {
      const { id, hash, text } = makeKey();
      const row = await table.add({ id, secretHash: hash, owner, ...plan });
      return { text, record: recordOf(row) };
    },
    async revoke(id) {
      const revocation = await table.revoke(id);
      // One that was revoked before may lack its mark.
      if (revocation !== "unknown" && options?.redis !== undefined)
        await markRevoked(options.redis, id).catch(() =>
          options.warn("the key is revoked, but Redis cannot be reached: running instances refuse it within 5 seconds"),
        );
      return revocation;
    },
    list: async () => (await table.list()).map(recordOf),
    close: () => table.close(),
  };
}

function recordOf({ secretHash: _, ...record }: ApiKeyRow): KeyRecord {
  return record;
}
