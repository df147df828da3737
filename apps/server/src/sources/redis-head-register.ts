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
  const known = {
    /** What Redis has, or what it should have. Never written back: it may be wrong. */
    seen: none,
    /** The connection on which Redis was asked last; none if it did not reply. */
    asked: none,
    /** The connection on which Redis has at least what any instance has answered with. A server that was restarted may have an older copy. */
    trusted: none,
  };
  let reading: Promise<string | null> | undefined;
  let refreshing: Promise<void> = Promise.resolve();
  let raising: { readonly seqno: number; readonly rowEra: number | undefined; readonly reply: Promise<void> } | undefined;

  const isReadable = (): boolean => known.seen >= 0 && known.asked === redis.connection && known.trusted === redis.connection;
  const refreshed = (text: string | null): void => {
    const value = seqnoIn(text);
    // Other instances may have answered with a newer block than this one knows: only the database says which.
    if (value < known.seen) known.trusted = none;
    known.seen = value;
    known.asked = redis.connection;
  };
  const failed = (): void => {
    known.asked = none;
  };
  const write = async (seqno: number, rowEra: number | undefined): Promise<void> => {
    const { connection } = redis;
    try {
      known.seen = Number(await redis.run(() => redis.client.eval(raiseScript, 1, key, seqno, lifetime), "write"));
      known.asked = connection;
      if (rowEra === connection) known.trusted = connection;
    } catch {
      known.seen = Math.max(known.seen, seqno);
      failed();
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
      if (read !== reading) refreshing = read.then(refreshed, failed);
      reading = read;
      return refreshing;
    },
    read: async () => (isReadable() ? known.seen : undefined),
    async raise(seqno, rowEra) {
      if (isReadable() && known.seen >= seqno) return;
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
