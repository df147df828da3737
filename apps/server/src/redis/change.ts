/** What a process reports of Redis. Without the client, which a primary does not need. */
import { redactUrl } from "@chain-query/postgres-store/connection-url";
import type { Logger } from "pino";

/** Receives why Redis is away, and undefined when it is not. */
export type RedisChange = (problem: string | undefined) => void;

/** Writes a line for each change. */
export function logOfRedis(url: string, log: Logger): RedisChange {
  const redis = redactUrl(url);
  return (reason) => {
    if (reason === undefined) log.info({ redis }, "Redis is ready; limits are common to all instances");
    else log.error({ redis, reason }, "Redis is away; each instance counts alone until it is back");
  };
}
