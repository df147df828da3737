/** The head register of several instances, in Redis. */
import type { SharedRedis } from "../redis/connection.ts";
import type { HeadRegister } from "./head-register.ts";

const maxSeqno = 2 ** 31 - 1;

/** Raises the seqno, and returns the one that it has then. A value that is no seqno counts as absent. */
const raiseScript = `
local text = redis.call('get', KEYS[1])
local known = -1
if text and #text <= 10 and text:match('^%d+$') and tonumber(text) <= ${maxSeqno} then known = tonumber(text) end
local seqno = tonumber(ARGV[1])
if seqno < known then return known end
redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2])
return seqno`;

/**
 * Seconds after which the register is empty if no block was added. An index that was made anew is lower: instances that are started on it
 * answer from then on, or as soon as the key is deleted.
 */
const lifetime = 3600;

/**
 * Opens the register of a chain.
 *
 * @param name - Names the chain, also by its zero state: a register of another chain would say nothing about this one.
 */
export function redisHeadRegister(redis: SharedRedis, name: string): HeadRegister {
  const key = `head:{${name}}`;
  /** The highest one that this process raised it to, after a database had that block. */
  let own = -1;
  /** What Redis has. Never written back: it may be wrong. */
  let seen = -1;
  let isReadable = false;
  /**
   * The connection on which Redis has at least what any instance answered with before it. A server that was restarted may have an older
   * copy; it has the newest block again when the primary's row, read since then, was written to it.
   */
  let trusted = redis.connection;
  let asked = trusted;
  let reading: Promise<string | null> | undefined;
  let refreshing: Promise<void> = Promise.resolve();

  const refreshed = (text: string | null): void => {
    const value = seqnoIn(text);
    asked = redis.connection;
    // Redis lost a value. Other instances may have answered with a newer block than this one knows: only the database says which.
    isReadable = asked === trusted && value >= own && value >= seen;
    seen = value;
  };
  const failed = (): void => {
    isReadable = false;
  };

  return {
    name: key,
    refresh() {
      const read = redis.read(key);
      // Requests that are read together have one answer.
      if (read !== reading) refreshing = read.then(refreshed, failed);
      reading = read;
      return refreshing;
    },
    read: async () => (isReadable && seen >= 0 ? seen : undefined),
    async raise(seqno) {
      try {
        if (isReadable && seen >= seqno) return;
        const { connection } = redis;
        seen = Number(await redis.run(() => redis.client.eval(raiseScript, 1, key, seqno, lifetime), "write"));
        // A block that was read before this connection may be older.
        if (asked === connection) trusted = connection;
        isReadable = trusted === connection;
      } catch {
        isReadable = false;
      } finally {
        own = Math.max(own, seqno);
      }
    },
    close: async () => {},
  };
}

/** -1 for anything else. */
function seqnoIn(text: string | null): number {
  return text !== null && /^\d{1,10}$/.test(text) && Number(text) <= maxSeqno ? Number(text) : -1;
}
