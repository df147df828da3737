/** The head register of several instances, in Redis. */
import type { SharedRedis } from "../redis/connection.ts";
import type { HeadRegister } from "./head-register.ts";

/** Raises the seqno, and returns the one that it has then. */
const raiseScript = `
local known = tonumber(redis.call('get', KEYS[1]) or '-1')
local seqno = tonumber(ARGV[1])
if seqno < known then return known end
redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2])
return seqno`;

/** Seconds after which the register is empty if no block was added: for an index that was made anew and is lower now. */
const lifetime = 3600;

/**
 * Opens the register of a chain.
 *
 * @param name - Names the chain, also by its zero state: a register of another chain would say nothing about this one.
 */
export function redisHeadRegister(redis: SharedRedis, name: string): HeadRegister {
  const key = `head:{${name}}`;
  /** The highest one that this process knows of. */
  let highest = -1;
  let isReadable = false;

  const raise = async (seqno: number): Promise<void> => {
    highest = Math.max(highest, seqno);
    try {
      const raised = await redis.run(() => redis.client.eval(raiseScript, 1, key, seqno, lifetime));
      highest = Math.max(highest, Number(raised));
      isReadable = true;
    } catch {
      isReadable = false;
    }
  };

  return {
    async refresh() {
      try {
        const value = Number((await redis.run(() => redis.client.get(key))) ?? -1);
        isReadable = true;
        if (value >= highest) highest = value;
        // Redis was emptied, or was away when this process had a newer block.
        else await raise(highest);
      } catch {
        isReadable = false;
      }
    },
    read: async () => (isReadable && highest >= 0 ? highest : undefined),
    raise,
    close: async () => {},
  };
}
