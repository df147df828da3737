/** Copies of API keys in Redis, from which all instances learn at once that a key is revoked. */
import { Redis } from "ioredis";
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

/** The name of a copy. A cluster places it by what is in braces, with the limits of the same key. */
export function copyName(id: string): string {
  return `key:{${id}}`;
}

/** A key as the text of a copy. */
export function copyOf({ hash, record }: KnownKey): string {
  return JSON.stringify({ hash: Buffer.from(hash).toString("base64"), record });
}

/** The key in a copy; undefined for any other text. */
export function keyIn(copy: string): KnownKey | undefined {
  try {
    const { hash, record }: { hash: string; record: KeyRecord } = JSON.parse(copy);
    return { hash: Buffer.from(hash, "base64"), record };
  } catch {
    return undefined;
  }
}

/** Milliseconds that a command line waits for Redis. */
const waitLimit = 2_000;

/** Marks a key as revoked for all instances. Rejects if Redis cannot be reached. */
export async function markRevoked(url: string, id: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: waitLimit,
    commandTimeout: waitLimit,
    retryStrategy: null,
  });
  redis.on("error", () => {});
  try {
    await redis.connect();
    await redis.set(copyName(id), revokedMark, "EX", markLifetime);
  } finally {
    redis.disconnect();
  }
}
