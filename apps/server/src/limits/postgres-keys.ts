/** API keys in PostgreSQL, for any number of instances. */
import { type ApiKeyRow, type ApiKeyTable, openApiKeys } from "@chain-query/postgres-store";
import { LRUCache } from "lru-cache";
import { Refusal } from "../failure.ts";
import type { SharedRedis } from "../redis/connection.ts";
import { copyLifetime, copyName, copyOf, type KnownKey, keyIn, markRevoked, revokedMark } from "./key-copies.ts";
import { isSameSecret, makeKey, readKey } from "./key-form.ts";
import type { KeyCaller, KeyEditor, KeyFinder, KeyRecord } from "./keys.ts";

/** What finding keys needs. */
export interface PostgresKeysOptions {
  readonly table: Pick<ApiKeyTable, "find" | "revokedWithin" | "close">;
  readonly redis: SharedRedis | undefined;
  /** Called with the reason when PostgreSQL cannot be asked for keys, and with undefined when it can again. */
  readonly onChange: (problem: string | undefined) => void;
}

interface CachedKey extends KnownKey {
  /** The text of the copy in Redis. */
  readonly copy: string;
  /** When PostgreSQL or Redis last said that the key is valid, of `performance.now()`. */
  confirmedAt: number;
}

const maxCached = 20_000;
/** Milliseconds for which a key needs no confirmation if Redis cannot be asked. */
const maxAge = 3_000;
/** Milliseconds between two questions which keys were revoked, and the seconds that one covers: longer than copies live. */
const [pollInterval, pollCovers] = [2_000, 2 * copyLifetime] as const;
/** Milliseconds that a request waits for PostgreSQL. */
const readTimeout = 1_000;

const unavailable = new Refusal(503, "API keys cannot be checked now; try again", { "retry-after": "1" });

/**
 * Finds keys in PostgreSQL. A key that this process knows is confirmed by its copy in Redis for each request; without Redis it is read
 * again after three seconds. Which keys were revoked is asked every two seconds besides, for revocations that Redis did not receive.
 */
export class PostgresKeys implements KeyFinder {
  readonly #options: PostgresKeysOptions;
  readonly #cached = new LRUCache<string, CachedKey>({ max: maxCached });
  readonly #reading = new Map<string, Promise<CachedKey | undefined>>();
  #revoked: ReadonlySet<string> = new Set();
  /** Keys that Redis said are revoked, and when, until PostgreSQL says so too. */
  readonly #marked = new Map<string, number>();
  /** Reads that were given up and may still have an answer. */
  #lateReads = 0;
  #polledAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #problem: string | undefined;
  #isClosed = false;

  constructor(options: PostgresKeysOptions) {
    this.#options = options;
    void this.#poll();
  }

  find(text: string, caller: KeyCaller): undefined | Promise<KeyRecord | undefined> {
    const { id, hash } = readKey(text);
    if (id === undefined) return undefined;
    const cached = this.#cached.get(id);
    const isLikely = isSameSecret(hash, cached?.hash);
    if (cached !== undefined && isLikely) caller.onLikely(cached.record);
    return this.#current(id, cached, isLikely ? undefined : caller).then((key) =>
      isSameSecret(hash, key?.hash) && !this.#isRevoked(id) ? key?.record : undefined,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#options.table.close();
  }

  #isRevoked(id: string): boolean {
    return this.#revoked.has(id) || this.#marked.has(id);
  }

  /** @param stranger - The caller, unless the secret is that of the cached key. */
  async #current(id: string, cached: CachedKey | undefined, stranger: KeyCaller | undefined): Promise<CachedKey | undefined> {
    const copy = await this.#copyOf(id);
    if (copy === revokedMark) {
      this.#cached.delete(id);
      if (!this.#revoked.has(id)) this.#marked.set(id, performance.now());
    }
    if (this.#isRevoked(id)) return undefined;
    if (cached !== undefined && copy === cached.copy) {
      cached.confirmedAt = performance.now();
      return cached;
    }
    const key = typeof copy === "string" ? keyIn(copy, id) : undefined;
    if (key !== undefined) return this.#cache(id, key);
    const isFresh = cached !== undefined && performance.now() - cached.confirmedAt <= maxAge;
    if (copy === undefined && isFresh) return cached;
    stranger?.beforeRead();
    try {
      return await this.#read(id);
    } catch {
      if (isFresh) return cached;
      throw unavailable;
    }
  }

  /** Null if there is no copy; undefined if Redis cannot be asked. */
  async #copyOf(id: string): Promise<string | null | undefined> {
    const { redis } = this.#options;
    if (redis === undefined || !redis.isReady) return undefined;
    try {
      return await redis.read(copyName(id));
    } catch {
      return undefined;
    }
  }

  /** Reads a key from PostgreSQL, once for all requests that wait for it. */
  #read(id: string): Promise<CachedKey | undefined> {
    const reading = this.#reading.get(id) ?? this.#readRow(id).finally(() => this.#reading.delete(id));
    this.#reading.set(id, reading);
    return reading;
  }

  async #readRow(id: string): Promise<CachedKey | undefined> {
    const { table, redis } = this.#options;
    const row = await this.#within(() => table.find(id));
    if (row === undefined) {
      this.#cached.delete(id);
      return undefined;
    }
    const key = this.#cache(id, { hash: new Uint8Array(row.secretHash), record: recordOf(row) });
    // Not over the mark of a key that was revoked since it was read.
    redis?.run(() => redis.client.set(copyName(id), key.copy, "EX", copyLifetime, "NX")).catch(() => {});
    return key;
  }

  #cache(id: string, key: KnownKey): CachedKey {
    const cached = { ...key, copy: copyOf(key), confirmedAt: performance.now() };
    this.#cached.set(id, cached);
    return cached;
  }

  async #poll(): Promise<void> {
    const begun = performance.now();
    const missed = Math.ceil((begun - this.#polledAt) / 1000);
    try {
      this.#revoked = new Set(await this.#within(() => this.#options.table.revokedWithin(pollCovers + missed)));
      this.#polledAt = begun;
      for (const [id, seenAt] of this.#marked) if (seenAt < begun) this.#marked.delete(id);
    } catch {
      // Reported. What was revoked meanwhile is in the next answer.
    }
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#poll(), pollInterval);
    this.#timer.unref();
  }

  /**
   * Limits the time of a read, and reports when reads fail and when they work again. While one that was given up has no answer, no other one
   * is sent: they would wait in memory for a database that is frozen.
   */
  async #within<Value>(read: () => Promise<Value>): Promise<Value> {
    if (this.#lateReads > 0) throw new Error("PostgreSQL has not answered an earlier read");
    const reading = read();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#lateReads++;
        const settled = (): void => void this.#lateReads--;
        reading.then(settled, settled);
        reject(new Error(`PostgreSQL: no answer in ${readTimeout} ms`));
      }, readTimeout);
    });
    try {
      const value = await Promise.race([reading, late]);
      this.#report(undefined);
      return value;
    } catch (error) {
      this.#report(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #report(problem: string | undefined): void {
    if ((problem === undefined) === (this.#problem === undefined) || this.#isClosed) return;
    this.#problem = problem;
    this.#options.onChange(problem);
  }
}

/** Where running instances see a revocation at once. */
export interface RevocationOptions {
  /** Their Redis, if they share one. */
  readonly redis: string | undefined;
  readonly warn: (line: string) => void;
}

/** Opens the keys for a command line. */
export function openPostgresKeys(url: string, revocation?: RevocationOptions): KeyEditor {
  const table = openApiKeys({ url }, "writer");
  return {
    async add(owner, plan) {
      const { id, hash, text } = makeKey();
      const row = await table.add({ id, secretHash: hash, owner, ...plan });
      return { text, record: recordOf(row) };
    },
    async revoke(id) {
      const existed = await table.revoke(id);
      if (existed && revocation?.redis !== undefined)
        await markRevoked(revocation.redis, id).catch(() =>
          revocation.warn("the key is revoked, but Redis cannot be reached: running instances refuse it within 5 seconds"),
        );
      return existed;
    },
    list: async () => (await table.list()).map(recordOf),
    close: () => table.close(),
  };
}

function recordOf({ secretHash: _, ...record }: ApiKeyRow): KeyRecord {
  return record;
}
