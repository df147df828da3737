import type { ServeOptions } from "../serve-options.ts";

/** What a worker is told, as JSON in a variable of its environment. */
export interface WorkerTask {
  readonly options: ServeOptions;
  readonly number: number;
}

/** The variable of the environment that holds the task. */
export const taskVariable = "CHAIN_QUERY_WORKER_TASK";
