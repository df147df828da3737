/** Several processes that answer on one port. One that dies is replaced; limits and metrics are of all of them together. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { AggregatorRegistry } from "prom-client";
import { RateLimiterClusterMaster } from "rate-limiter-flexible";
import { type ServeOptions, StartError } from "../serve-options.ts";
import { backoff } from "./backoff.ts";
import { answer, ask } from "./question.ts";
import type { PrimaryNews, WorkerNews } from "./worker.ts";
import { taskVariable, type WorkerTask } from "./worker-task.ts";

/** Processes that answer. */
export interface Team {
  readonly url: string;
  /** How often a worker was replaced. */
  readonly restarts: () => number;
  close(): Promise<void>;
}

/** Milliseconds that workers may take to answer what was asked. */
const longestDrain = 7_000;
const longestAnswer = 2_000;

const program = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "worker.ts" : "worker.js", import.meta.url));

/** Starts all workers; rejects where the first of them cannot answer. */
export async function startTeam(options: ServeOptions, log: Logger, ownMetrics: () => Promise<string>): Promise<Team> {
  new RateLimiterClusterMaster();
  const answering = new Set<Worker>();
  // Workers accept for themselves. Handed round by the primary, a connection that is on its way to a worker as it dies is neither
  // answered nor ended, and its caller waits for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: program, args: [] });
  let stopping = false;
  let restarts = 0;
  const numbers = Array.from({ length: options.workers }, (_, number) => number);

  const startWorker = (number: number, waitAfter = backoff()): Promise<string> => {
    const started = performance.now();
    const task: WorkerTask = { options, number };
    const worker = cluster.fork({ [taskVariable]: JSON.stringify(task) });
    // A message to a worker that has just died is nobody's failure.
    worker.on("error", (error) => log.debug({ err: error, worker: number }, "a worker could not be told something"));
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      let isUp = false;
      worker.on("message", (news: WorkerNews) => {
        if (news.kind === "chain-query:listening") {
          isUp = true;
          answering.add(worker);
          log.info({ worker: number, pid: worker.process.pid }, "a worker answers");
          resolve(news.url);
        } else if (news.kind === "chain-query:failed") {
          failure = news.isExpected ? new StartError(news.message) : new Error(news.message);
        }
      });
      answer(worker, "metrics of all", metricsOfAll);
      worker.once("exit", (code, signal) => {
        answering.delete(worker);
        if (!isUp) reject(failure ?? new Error(`worker ${number} ended with ${signal ?? `code ${code}`} before it answered`));
        if (stopping || !isUp) return;
        replace(number, waitAfter(performance.now() - started), signal ?? `code ${code}`, waitAfter);
      });
    });
  };

  const replace = (number: number, wait: number, reason: string, waitAfter: (upFor: number) => number): void => {
    log.error({ worker: number, reason, waitMs: wait }, "a worker ended and is replaced");
    restarts++;
    setTimeout(() => {
      if (stopping) return;
      startWorker(number, waitAfter).catch((error: unknown) => {
        if (!stopping) replace(number, waitAfter(0), error instanceof Error ? error.message : String(error), waitAfter);
      });
    }, wait).unref();
  };

  /** One that dies in this moment is left out. */
  const metricsOfAll = async (): Promise<string> => {
    const asked = [...answering].map((worker) => ask(worker, "metrics of one", longestAnswer).catch(() => undefined));
    const told = (await Promise.all(asked)).filter((metrics) => Array.isArray(metrics));
    return `${await AggregatorRegistry.aggregate(told).metrics()}\n${await ownMetrics()}`;
  };

  const close = async (): Promise<void> => {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
    await Promise.all(workers.map(ended));
  };

  try {
    const [url = ""] = await Promise.all(numbers.map((number) => startWorker(number)));
    return { url, restarts: () => restarts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ended(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const gone = once(worker, "exit");
  // To disconnect would end it in the middle of its answers.
  if (worker.isConnected()) worker.send({ kind: "chain-query:stop" } satisfies PrimaryNews);
  const patience = setTimeout(() => worker.process.kill("SIGKILL"), longestDrain);
  await gone;
  clearTimeout(patience);
}
