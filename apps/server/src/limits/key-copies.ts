/** Copies of API keys in Redis, from which all instances learn at once that a key is revoked. */
import { Redis } from "ioredis";
import { databaseOf, selectDatabase } from "../redis/database.ts";
import type { KeyRecord } from "./keys.ts";

/** A key as a process knows it. */
export interface KnownKey {
  readonly hash: Uint8Array;
  readonly record: KeyRecord;
}

/** The value of a key that was revoked. It outlives all copies, and copies never replace it. */
export const revokedMark = "revoked";
/** Seconds. */
export const copyLifetime = 60;
const markLifetime = 3 * copyLifetime;
/** Bytes of SHA-256. */
const hashLength = 32;

/** The name of a copy. Redis keeps names with the same text in braces together: the copy and the limits of a key. */
export function copyName(id: string): string {
  return `key:{${id}}`;
}

/** A key as the text of a copy. */
export function copyOf({ hash, record }: KnownKey): string {
  return JSON.stringify({ hash: Buffer.from(hash).toString("base64"), record });
}

/** The key in the copy of an id; undefined for any other text, so that the key is read from the database. */
export function keyIn(copy: string, id: string): KnownKey | undefined {
  try {
    const { hash, record }: { hash: unknown; record: Readonly<Record<keyof KeyRecord, unknown>> } = JSON.parse(copy);
    const { owner, rate, network, created } = record;
    if (record.id !== id || typeof hash !== "string" || typeof owner !== "string" || typeof created !== "number")
      return undefined;
    if (typeof rate !== "number" || !Number.isSafeInteger(rate) || rate < 0) return undefined;
    if (network !== undefined && typeof network !== "string") return undefined;
    const bytes = Buffer.from(hash, "base64");
    if (bytes.length !== hashLength) return undefined;
    return { hash: bytes, record: { id, owner, rate, created, ...(network === undefined ? {} : { network }) } };
  } catch {
    return undefined;
  }
}

/** Milliseconds that a command line waits for Redis. */
const waitLimit = 2_000;

/** Marks a key as revoked for all instances. Rejects if Redis cannot be reached. */
export async function markRevoked(url: string, id: string): Promise<void> {
  const { server, number } = databaseOf(url);
  const redis = new Redis(server, {
    lazyConnect: true,
    connectTimeout: waitLimit,
    commandTimeout: waitLimit,
    retryStrategy: null,
  });
  redis.on("error", () => {});
  try {
    await redis.connect();
    await selectDatabase(redis, number);
    await redis.set(copyName(id), revokedMark, "EX", markLifetime);
  } finally {
    redis.disconnect();
  }
}
