/** One report for all workers of an instance, each of which has its own connection to Redis. */
import type { RedisChange } from "./change.ts";

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
