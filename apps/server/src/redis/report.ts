/** What a process, or an instance with workers, reports of Redis. Without the client, which a primary does not need. */
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

/** What the workers say about Redis. */
export interface RedisOfWorkers {
  changed(worker: number, problem: string | undefined): void;
  /** A worker has ended. */
  ended(worker: number): void;
}

/** Reports when the first worker has lost Redis, and when none is without it. */
export function redisOfWorkers(report: RedisChange): RedisOfWorkers {
  const problems = new Map<number, string | undefined>();
  let isAway: boolean | undefined;
  const check = (): void => {
    const problem = [...problems.values()].find((one) => one !== undefined);
    if (problems.size === 0 || (problem !== undefined) === isAway) return;
    isAway = problem !== undefined;
    report(problem);
  };
  return {
    changed(worker, problem) {
      problems.set(worker, problem);
      check();
    },
    ended(worker) {
      problems.delete(worker);
      check();
    },
  };
}
