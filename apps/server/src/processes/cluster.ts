/** Several worker processes on one port. A worker that dies is replaced; limits and metrics cover all workers. */
import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { AggregatorRegistry, type Registry } from "prom-client";
import { RateLimiterClusterMaster } from "rate-limiter-flexible";
import { logOfRedis } from "../redis/change.ts";
import { type RedisOfWorkers, redisOfWorkers } from "../redis/of-workers.ts";
import type { ServeOptions } from "../serve-options.ts";
import { backoff } from "./backoff.ts";
import { errorOf, type PrimaryMessage, query, reply, type WorkerMessage, type WorkerTask, workerTaskVariable } from "./ipc.ts";
import type { SourceSetting } from "./open-source.ts";

/** Milliseconds that a worker has to drain after its shutdown delay, and to report its metrics. */
const stopTimeout = 7_000;
const metricsTimeout = 2_000;

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
const program = fileURLToPath(new URL(`worker.${extension}`, import.meta.url));

/** What a cluster needs besides the options. */
export interface ClusterSetting extends SourceSetting {
  readonly metrics: Registry;
}

/** Starts all workers. Rejects if one of them cannot start, or if the signal stops the start, when none is left. */
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
  #restarts = 0;
  #isStopping = false;

  constructor(options: ServeOptions, setting: ClusterSetting) {
    this.#options = options;
    this.#setting = setting;
    this.#log = setting.log;
    this.#redis = options.redis === undefined ? undefined : redisOfWorkers(logOfRedis(options.redis, setting.log));
    new RateLimiterClusterMaster();
    // Workers accept connections themselves. With SCHED_RR, a connection on its way to a worker that dies is neither answered nor closed,
    // and its caller waits indefinitely.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: program, args: [] });
  }

  get url(): string {
    return this.#url;
  }

  /** How often a worker was replaced. */
  get restarts(): number {
    return this.#restarts;
  }

  async start(): Promise<void> {
    const numbers = Array.from({ length: this.#options.workers }, (_, number) => number);
    await Promise.all(numbers.map((number) => this.#startWorker(number, backoff())));
  }

  /** Tells all workers to read the list of lite servers again, also those that start. */
  async reload(): Promise<void> {
    for (const worker of liveWorkers()) worker.send({ kind: "chain-query:reload" } satisfies PrimaryMessage);
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#restartTimers) clearTimeout(timer);
    const timeout = this.#options.shutdownDelay * 1000 + stopTimeout;
    await Promise.all(liveWorkers().map((worker) => stopWorker(worker, this.#listening.has(worker), timeout, this.#log)));
  }

  /** Starts one worker. Replaces the worker when it dies after that. */
  #startWorker(number: number, delayAfter: (ranFor: number) => number): Promise<void> {
    const started = performance.now();
    const { identity, sharedFolder } = this.#setting;
    const task: WorkerTask = { options: this.#options, number, identity, sharedFolder };
    const worker = cluster.fork({ [workerTaskVariable]: JSON.stringify(task) });
    // A message to a worker that has just died.
    worker.on("error", (error) => this.#log.debug({ err: error, worker: number }, "message to a worker failed"));
    reply(worker, "all metrics", () => this.#allMetrics());
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      worker.on("message", (message: WorkerMessage) => {
        if (message.kind === "chain-query:failed") failure = errorOf(message);
        if (message.kind === "chain-query:redis") this.#redis?.changed(number, message.problem);
        if (message.kind !== "chain-query:listening") return;
        if (this.#url !== "" && message.url !== this.#url) {
          // It started on port 0 while the last worker of that port died.
          worker.process.kill("SIGKILL");
          return;
        }
        this.#listening.add(worker);
        this.#url ||= message.url;
        this.#log.info({ worker: number, pid: worker.process.pid }, "worker listening");
        resolve();
      });
      worker.once("exit", (code, signal) => {
        const reason = signal ?? `code ${code}`;
        this.#redis?.ended(number);
        const wasListening = this.#listening.delete(worker);
        if (!wasListening) reject(failure ?? new Error(`worker ${number} exited with ${reason} before it listened`));
        else this.#replace(number, reason, delayAfter(performance.now() - started), delayAfter);
      });
    });
  }

  #replace(number: number, reason: string, delay: number, delayAfter: (ranFor: number) => number): void {
    if (this.#isStopping) return;
    this.#log.error({ worker: number, reason, delayMs: delay }, "worker died, restarting");
    // The socket is closed with the last worker that listens: the next ones open it again, and port 0 would be another port.
    if (this.#listening.size === 0) this.#options = { ...this.#options, port: Number(new URL(this.#url).port) };
    this.#restarts++;
    // The timer keeps the primary alive if all workers have died.
    const timer = setTimeout(() => {
      this.#restartTimers.delete(timer);
      this.#startWorker(number, delayAfter).catch((error: unknown) => {
        this.#replace(number, error instanceof Error ? error.message : String(error), delayAfter(0), delayAfter);
      });
    }, delay);
    this.#restartTimers.add(timer);
  }

  /** The metrics of the primary and of all workers; a worker that dies meanwhile is left out. */
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
  // `events.once` would reject with the error of a message to a worker that is about to exit, and hide why it does.
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  // A worker that still loads its modules receives no messages, but the signal ends it.
  if (!isListening) worker.process.kill("SIGTERM");
  // `worker.disconnect()` would end the worker while it answers.
  else if (worker.isConnected()) worker.send({ kind: "chain-query:stop" } satisfies PrimaryMessage);
  const kill = (): void => {
    log.error({ pid: worker.process.pid }, "worker did not stop in time and is killed");
    worker.process.kill("SIGKILL");
  };
  const timer = setTimeout(kill, timeout);
  await exited;
  clearTimeout(timer);
}
