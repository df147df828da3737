/** The head register of several instances, in Redis. */
import type { SharedRedis } from "../redis/connection.ts";
import type { HeadRegister } from "./head-register.ts";

const maxSeqno = 2 ** 31 - 1;
/** No seqno, and no connection. */
const none = -1;

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
  /** What Redis has. Never written back: it may be wrong. */
  let seen = none;
  /** The connection on which Redis has at least what any instance has answered with. A server that was restarted may have an older copy. */
  let trusted = none;
  let reading: Promise<string | null> | undefined;
  let refreshing: Promise<void> = Promise.resolve();
  let raising: { readonly seqno: number; readonly rowEra: number | undefined; readonly reply: Promise<void> } | undefined;

  const isTrusted = (): boolean => trusted === redis.connection && seen >= 0;
  const lost = (): void => {
    trusted = none;
  };
  const refreshed = (text: string | null): void => {
    const value = seqnoIn(text);
    // Other instances may have answered with a newer block than this one knows: only the database says which.
    if (value < seen) lost();
    seen = value;
  };
  const write = async (seqno: number, rowEra: number | undefined): Promise<void> => {
    const { connection } = redis;
    try {
      seen = Number(await redis.run(() => redis.client.eval(raiseScript, 1, key, seqno, lifetime), "write"));
      if (rowEra === connection) trusted = connection;
    } catch {
      lost();
    }
  };

  return {
    name: key,
    get era() {
      return redis.connection;
    },
    refresh() {
      const read = redis.read(key);
      // Requests that are read together have one answer.
      if (read !== reading) refreshing = read.then(refreshed, lost);
      reading = read;
      return refreshing;
    },
    read: async () => (isTrusted() ? seen : undefined),
    async raise(seqno, rowEra) {
      if (isTrusted() && seen >= seqno) return;
      if (raising === undefined || raising.seqno < seqno || raising.rowEra !== rowEra) {
        const own = { seqno, rowEra, reply: write(seqno, rowEra) };
        raising = own;
        void own.reply.then(() => {
          if (raising === own) raising = undefined;
        });
      }
      return raising.reply;
    },
    close: async () => {},
  };
}

/** `none` for anything else. */
function seqnoIn(text: string | null): number {
  return text !== null && /^\d{1,10}$/.test(text) && Number(text) <= maxSeqno ? Number(text) : none;
}
