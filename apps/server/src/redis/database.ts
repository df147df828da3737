/** The database in the URL of a Redis server. */
import type { Redis } from "ioredis";

/** A server, and the number of a database of it. */
interface RedisDatabase {
  /** The URL of the server alone. */
  readonly server: string;
  readonly number: number;
}

const form = /^(rediss?:\/\/[^/?#]*)(?:\/(\d{0,9}))?$/;

/** Splits a URL; undefined if it has anything else behind the server than a database number. */
export function parseRedisUrl(url: string): RedisDatabase | undefined {
  const [, server, number = ""] = form.exec(url) ?? [];
  return server === undefined ? undefined : { server, number: Number(number) };
}

/** @throws RangeError if the URL is wrong; it is not part of the message, since it may hold a password. */
export function databaseOf(url: string): RedisDatabase {
  const parsed = parseRedisUrl(url);
  if (parsed === undefined) throw new RangeError("the URL of Redis must be redis://host:port/number, with a number or none");
  return parsed;
}

/**
 * Selects a database. Rejects if the server has none of that number. That is found out by a copy of nothing: of a refused SELECT the library
 * remembers the number, and repeats it after the next connection without a handler for the error.
 */
export async function selectDatabase(client: Redis, number: number): Promise<void> {
  if (number === 0) return;
  await client.copy("nothing", "nowhere", "DB", number);
  await client.select(number);
}
