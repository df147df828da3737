/** The high-water mark of several instances, in Redis. */
import type { SharedRedis } from "../redis/connection.ts";

/**
 * The seqno of the newest masterchain block that any instance of the service has responded with, so that a caller behind a load balancer never
 * sees an older one. One mark belongs to one chain.
 *
 * An instance responds as of `max(read(), its own head)`. Before it responds with a block that is newer than what it has read, it raises the
 * mark. So no instance responds with an older block from then on, even if its replica lags: it waits, or reads from the primary.
 */
export interface HighWaterMark {
  /** The key in Redis, for the operator. */
  readonly name: string;
  /** Reads the mark when a request arrives, in the round trip of its limit and its key. Never rejects. */
  refresh(): Promise<void>;
  /**
   * The highest seqno as of the last `refresh`, and so not older than the request. Undefined until the first row of a generation was
   * written, if the mark could not be read, and if it is lower than before: then the primary's row is read instead.
   */
  read(): number | undefined;
  /** Changes when Redis may have lost the mark. */
  readonly generation: number;
  /**
   * Raises the seqno, never lowers it. Resolves when every later `refresh` finds at least this seqno, or none can. Never rejects.
   *
   * @param rowGeneration - If the seqno is that of the primary's row: the generation in which the read of the row began. `read` has a value
   * from then on.
   */
  raise(seqno: number, rowGeneration?: number): Promise<void>;
}

const maxSeqno = 2 ** 31 - 1;
/** No seqno, and no connection. */
const none = -1;

/** Raises the seqno, and returns the result. A value that is no seqno counts as absent. */
const raiseScript = `
local text = redis.call('get', KEYS[1])
local known = -1
if text and #text <= 10 and text:match('^%d+$') and tonumber(text) <= ${maxSeqno} then known = tonumber(text) end
local seqno = tonumber(ARGV[1])
if seqno < known then return known end
redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2])
return seqno`;

/**
 * Seconds after which the mark expires if no block was added. The blocks of a rebuilt index are lower: instances that start on it
 * respond from then on, or as soon as the key is deleted.
 */
const lifetime = 3600;

/** Opens the mark of a chain. @param name - Of the network and its zero state: marks of different chains cannot be compared. */
export function redisHighWaterMark(redis: SharedRedis, name: string): HighWaterMark {
  const key = `head:{${name}}`;
  const known = {
    /** The seqno in Redis, or the one that should be there. Never written back: it may be wrong. */
    seen: none,
    /** The connection on which Redis replied last; `none` without a reply. */
    asked: none,
    /** The connection on which the mark is known to be high enough. A server that was restarted may have an older copy. */
    trusted: none,
  };
  let reading: Promise<string | null> | undefined;
  let refreshing: Promise<void> = Promise.resolve();
  let raising:
    | { readonly seqno: number; readonly rowGeneration: number | undefined; readonly reply: Promise<void> }
    | undefined;

  const isReadable = (): boolean => known.seen >= 0 && known.asked === redis.connection && known.trusted === redis.connection;
  const refreshed = (text: string | null): void => {
    const value = seqnoIn(text);
    // Other instances may have responded with a newer block than this one knows: only the database has it.
    if (value < known.seen) known.trusted = none;
    known.seen = value;
    known.asked = redis.connection;
  };
  const failed = (): void => {
    known.asked = none;
  };
  const write = async (seqno: number, rowGeneration: number | undefined): Promise<void> => {
    const { connection } = redis;
    try {
      known.seen = Number(await redis.run(() => redis.client.eval(raiseScript, 1, key, seqno, lifetime), "write"));
      known.asked = connection;
      if (rowGeneration === connection) known.trusted = connection;
    } catch {
      known.seen = Math.max(known.seen, seqno);
      failed();
    }
  };

  return {
    name: key,
    get generation() {
      return redis.connection;
    },
    refresh() {
      const read = redis.read(key);
      // Reads of one tick have one reply.
      if (read !== reading) refreshing = read.then(refreshed, failed);
      reading = read;
      return refreshing;
    },
    read: () => (isReadable() ? known.seen : undefined),
    async raise(seqno, rowGeneration) {
      if (isReadable() && known.seen >= seqno) return;
      if (raising === undefined || raising.seqno < seqno || raising.rowGeneration !== rowGeneration) {
        const own = { seqno, rowGeneration, reply: write(seqno, rowGeneration) };
        raising = own;
        void own.reply.then(() => {
          if (raising === own) raising = undefined;
        });
      }
      return raising.reply;
    },
  };
}

/** `none` for anything else. */
function seqnoIn(text: string | null): number {
  return text !== null && /^\d{1,10}$/.test(text) && Number(text) <= maxSeqno ? Number(text) : none;
}
