/** The high-water mark of several instances, in Redis. */
import type { SharedRedis } from "../redis/connection.ts";

/** Positions are seqnos. */
const maxPosition = Number.MAX_SAFE_INTEGER;
const maxDigits = `${maxPosition}`.length;
/** No position, and no connection. */
const none = -1;

/** Raises the position, and returns the result. A value that is no position counts as absent. */
const raiseScript = `
local text = redis.call('get', KEYS[1])
local known = -1
if text and #text <= ${maxDigits} and text:match('^%d+$') and tonumber(text) <= ${maxPosition} then known = tonumber(text) end
local position = tonumber(ARGV[1])
if position < known then return known end
redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2])
return position`;

/**
 * Seconds after which the mark expires if no block was added. The blocks of a rebuilt index are lower: instances that start on it
 * respond from then on, or as soon as the key is deleted.
 */
const lifetime = 3600;

/**
 * The position of the newest masterchain block that any instance of the service has responded with, so that a caller behind a load balancer never
 * sees an older one. One mark belongs to one chain.
 *
 * An instance responds as of `max(read(), its own head)`. Before it responds with a block that is newer than what it has read, it raises the
 * mark. So no instance responds with an older block from then on, even if its replica lags: it waits, or reads from the primary.
 */
export class HighWaterMark {
  /** The key in Redis, for the operator. */
  readonly name: string;
  readonly #redis: SharedRedis;
  /** The position in Redis, or the one that should be there. Never written back: it may be wrong. */
  #seen = none;
  /** The connection on which Redis replied last; `none` without a reply. */
  #asked = none;
  /** The connection on which the mark is known to be high enough. A server that was restarted may have an older copy. */
  #trusted = none;
  #reading: Promise<string | null> | undefined;
  #refreshing: Promise<void> = Promise.resolve();
  #raising:
    | { readonly position: number; readonly rowGeneration: number | undefined; readonly reply: Promise<void> }
    | undefined;

  /** @param chain - The network and its zero state: marks of different chains cannot be compared. */
  constructor(redis: SharedRedis, chain: string) {
    this.#redis = redis;
    this.name = `head:{${chain}}`;
  }

  /** The position that Redis had in its last reply, also while it cannot be read; -1 before the first. */
  get seen(): number {
    return this.#seen;
  }

  /** Changes when Redis may have lost the mark. */
  get generation(): number {
    return this.#redis.connection;
  }

  /** Reads the mark when a request arrives, in the round trip of its limit and its key. Never rejects. */
  refresh(): Promise<void> {
    const read = this.#redis.read(this.name);
    // Reads of one tick have one reply.
    if (read !== this.#reading) {
      this.#refreshing = read.then(
        (text) => this.#refreshed(text),
        () => this.#failed(),
      );
    }
    this.#reading = read;
    return this.#refreshing;
  }

  /**
   * The highest position as of the last `refresh`, and so not older than the request. Undefined until the first row of a generation was
   * written, if the mark could not be read, and if it is lower than before: then the primary's row is read instead.
   */
  read(): number | undefined {
    return this.#isReadable ? this.#seen : undefined;
  }

  /**
   * Raises the position, never lowers it. Resolves when every later `refresh` finds at least this one, or none can. Never rejects.
   *
   * @param rowGeneration - If the position is that of the primary's row: the generation in which the read of the row began. `read` has a value
   * from then on.
   */
  async raise(position: number, rowGeneration?: number): Promise<void> {
    if (this.#isReadable && this.#seen >= position) return;
    const raising = this.#raising;
    if (raising !== undefined && raising.position >= position && raising.rowGeneration === rowGeneration) return raising.reply;
    const own = { position, rowGeneration, reply: this.#write(position, rowGeneration) };
    this.#raising = own;
    void own.reply.then(() => {
      if (this.#raising === own) this.#raising = undefined;
    });
    return own.reply;
  }

  get #isReadable(): boolean {
    const { connection } = this.#redis;
    return this.#seen >= 0 && this.#asked === connection && this.#trusted === connection;
  }

  #refreshed(text: string | null): void {
    const value = positionIn(text);
    // Other instances may have responded with a newer block than this one knows: only the database has it.
    if (value < this.#seen) this.#trusted = none;
    this.#seen = value;
    this.#asked = this.#redis.connection;
  }

  #failed(): void {
    this.#asked = none;
  }

  async #write(position: number, rowGeneration: number | undefined): Promise<void> {
    const { connection, client } = this.#redis;
    try {
      this.#seen = Number(await this.#redis.run(() => client.eval(raiseScript, 1, this.name, position, lifetime), "write"));
      this.#asked = connection;
      if (rowGeneration === connection) this.#trusted = connection;
    } catch {
      this.#seen = Math.max(this.#seen, position);
      this.#failed();
    }
  }
}

/** `none` for anything else. */
function positionIn(text: string | null): number {
  return text !== null && /^\d{1,16}$/.test(text) && Number(text) <= maxPosition ? Number(text) : none;
}
