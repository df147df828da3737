/** Several worker processes on one port. Replaces workers that die; limits and metrics cover all workers. */

import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import { AggregatorRegistry, type Registry } from "prom-client";
import { RateLimiterClusterMaster } from "rate-limiter-flexible";
import { messageOf } from "../failure.ts";
import { logOfRedis } from "../observability/log.ts";
import type { RedisChange } from "../redis/connection.ts";
import type { ServeOptions } from "../serve-options.ts";
import {
  backoff,
  errorOf,
  failAfter,
  type PrimaryMessage,
  programPath,
  query,
  reply,
  type WorkerMessage,
  type WorkerTask,
  workerTaskVariable,
} from "./child-process.ts";
import type { SourceSetting } from "./open-source.ts";

/** Milliseconds for a worker to drain after its shutdown delay, and to report its metrics. */
const stopTimeout = 7_000;
const metricsTimeout = 2_000;

/** The state that a cluster needs besides the options. */
interface ClusterSetting extends SourceSetting {
  readonly metrics: Registry;
}

/** Starts all workers. Rejects after all workers have ended if one of them cannot start, or if the signal aborts. */
export async function startCluster(
  options: ServeOptions,
  setting: ClusterSetting,
  signal: AbortSignal | undefined,
): Promise<WorkerCluster> {
  signal?.throwIfAborted();
  const workers = new WorkerCluster(options, setting);
  const stop = (): void => void workers.close();
  signal?.addEventListener("abort", stop);
  try {
    await workers.start();
    signal?.throwIfAborted();
    return workers;
  } catch (error) {
    await workers.close();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

class WorkerCluster {
  #options: ServeOptions;
  readonly #setting: ClusterSetting;
  readonly #log: Logger;
  readonly #redis: RedisOfWorkers | undefined;
  readonly #listening = new Set<Worker>();
  readonly #restartTimers = new Set<NodeJS.Timeout>();
  #url = "";
  #adminUrl: string | undefined;
  #restarts = 0;
  #isStopping = false;

  constructor(options: ServeOptions, setting: ClusterSetting) {
    this.#options = options;
    this.#setting = setting;
    this.#log = setting.log;
    this.#redis = options.redis === undefined ? undefined : redisOfWorkers(logOfRedis(options.redis, setting.log));
    new RateLimiterClusterMaster();
    // Workers accept connections themselves. With SCHED_RR, the primary may pass a connection to a dying worker, where it stays open without
    // a response.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: programPath("worker"), args: [] });
  }

  get url(): string {
    return this.#url;
  }

  get adminUrl(): string | undefined {
    return this.#adminUrl;
  }

  /** Number of replaced workers. */
  get restarts(): number {
    return this.#restarts;
  }

  async start(): Promise<void> {
    const numbers = Array.from({ length: this.#options.workers }, (_, number) => number);
    await Promise.all(numbers.map((number) => this.#startWorker(number, backoff())));
  }

  /** Makes all workers reload the list of lite servers, including workers that are starting. */
  async reload(): Promise<void> {
    for (const worker of liveWorkers()) worker.send({ kind: "chain-query:reload" } satisfies PrimaryMessage);
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#restartTimers) clearTimeout(timer);
    const timeout = this.#options.shutdownDelay * 1000 + stopTimeout;
    await Promise.all(liveWorkers().map((worker) => stopWorker(worker, this.#listening.has(worker), timeout, this.#log)));
  }

  /** Starts one worker, and replaces it if it dies later. */
  #startWorker(number: number, delayAfter: (ranFor: number) => number): Promise<void> {
    const started = performance.now();
    const { identity, sharedFolder } = this.#setting;
    const task: WorkerTask = { options: this.#options, number, identity, sharedFolder };
    const worker = cluster.fork({ [workerTaskVariable]: JSON.stringify(task) });
    // The worker may die before it receives a message.
    worker.on("error", (error) => this.#log.debug({ err: error, worker: number }, "message to a worker failed"));
    reply(worker, "all metrics", () => this.#allMetrics());
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      worker.on("message", (message: WorkerMessage) => {
        if (message.kind === "chain-query:failed") failure = errorOf(message);
        if (message.kind === "chain-query:redis") this.#redis?.changed(number, message.problem);
        if (message.kind !== "chain-query:listening") return;
        if (this.#url !== "" && message.url !== this.#url) {
          // It listens on another port, since the last worker on the port has died meanwhile.
          worker.process.kill("SIGKILL");
          return;
        }
        this.#listening.add(worker);
        this.#url ||= message.url;
        this.#adminUrl ??= message.adminUrl;
        this.#log.info({ worker: number, pid: worker.process.pid }, "worker listening");
        resolve();
      });
      worker.once("exit", (code, signal) => {
        const reason = signal ?? `code ${code}`;
        this.#redis?.ended(number);
        const wasListening = this.#listening.delete(worker);
        const fail = (): void => reject(failure ?? new Error(`worker ${number} exited with ${reason} before it listened`));
        if (!wasListening) this.#isStopping ? fail() : failAfter(signal, fail);
        else this.#replace(number, reason, delayAfter(performance.now() - started), delayAfter);
      });
    });
  }

  #replace(number: number, reason: string, delay: number, delayAfter: (ranFor: number) => number): void {
    if (this.#isStopping) return;
    this.#log.error({ worker: number, reason, delayMs: delay }, "worker died, restarting");
    // The last worker closes the sockets. The next worker must open the same ports, also if the option was 0.
    if (this.#listening.size === 0) {
      const { adminAddress: admin } = this.#options;
      const adminAddress = admin && { ...admin, port: Number(new URL(this.#adminUrl ?? "").port) };
      this.#options = { ...this.#options, port: Number(new URL(this.#url).port), adminAddress };
    }
    this.#restarts++;
    // The timer keeps the primary alive if all workers have died.
    const timer = setTimeout(() => {
      this.#restartTimers.delete(timer);
      this.#startWorker(number, delayAfter).catch((error: unknown) => {
        this.#replace(number, messageOf(error), delayAfter(0), delayAfter);
      });
    }, delay);
    this.#restartTimers.add(timer);
  }

  /** The metrics of the primary and of all workers, without workers that die meanwhile. */
  async #allMetrics(): Promise<string> {
    const queries = [...this.#listening].map((worker) =>
      query(worker, "worker metrics", metricsTimeout).catch(() => undefined),
    );
    const metrics = await Promise.all([this.#setting.metrics.getMetricsAsJSON(), ...queries]);
    return AggregatorRegistry.aggregate(metrics.filter((one) => Array.isArray(one))).metrics();
  }
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) => (worker === undefined || worker.isDead() ? [] : worker));
}

async function stopWorker(worker: Worker, isListening: boolean, timeout: number, log: Logger): Promise<void> {
  // `events.once` would reject with the error of an undelivered message instead of waiting for the exit.
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  // A worker that is loading its modules receives no messages.
  if (!isListening) worker.process.kill("SIGTERM");
  // `worker.disconnect()` would end the worker while it sends responses.
  else if (worker.isConnected()) worker.send({ kind: "chain-query:stop" } satisfies PrimaryMessage);
  const kill = (): void => {
    log.error({ pid: worker.process.pid }, "worker did not stop in time and is killed");
    worker.process.kill("SIGKILL");
  };
  const timer = setTimeout(kill, timeout);
  await exited;
  clearTimeout(timer);
}

/** The connections of all workers to Redis. */
interface RedisOfWorkers {
  changed(worker: number, problem: string | undefined): void;
  /** A worker has ended. */
  ended(worker: number): void;
}

/** Calls `report` when one of the workers cannot use Redis, and when all of them can. */
function redisOfWorkers(report: RedisChange): RedisOfWorkers {
  const problems = new Map<number, string | undefined>();
  let isUnavailable: boolean | undefined;
  const check = (): void => {
    const problem = [...problems.values()].find((one) => one !== undefined);
    if (problems.size === 0 || (problem !== undefined) === isUnavailable) return;
    isUnavailable = problem !== undefined;
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
