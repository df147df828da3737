/** The program of a worker process, started by the primary of a cluster. */
import cluster from "node:cluster";
import { HttpError } from "../failure.ts";
import { clusterLimiter } from "../limits/limiter.ts";
import { createLog } from "../observability/log.ts";
import {
  failedMessage,
  type PrimaryMessage,
  query,
  reply,
  type WorkerMessage,
  type WorkerTask,
  workerTaskVariable,
} from "./child-process.ts";
import { type Node, startNode } from "./node.ts";

/** The part of a deadline that the primary has to count a request. */
const limitShare = 0.2;
/** Milliseconds that the primary has to collect the metrics of all workers, for which it waits two seconds itself. */
const metricsTimeout = 3000;

await work();

/** Serves until the primary says stop. If the primary dies, the cluster module ends the worker. */
async function work(): Promise<void> {
  const { options, number, identity, sharedFolder } = JSON.parse(process.env[workerTaskVariable] ?? "{}") as WorkerTask;
  const log = createLog(options.logLevel, `worker ${number}`);
  // Ctrl-C reaches all processes of a terminal; the primary decides what happens.
  process.on("SIGINT", () => {});
  process.on("SIGHUP", () => {});
  cluster.worker?.on("error", () => process.exit(1));
  let node: Node | undefined;
  const stop = (): void => {
    // Nothing is in progress, and the start may wait for a database.
    if (node === undefined) process.exit(0);
    node.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "worker did not stop cleanly");
        process.exit(1);
      },
    );
  };
  // Before the start, during which the message may arrive.
  process.on("message", (message: PrimaryMessage) => {
    if (message.kind === "chain-query:stop") stop();
  });
  process.on("SIGTERM", stop);
  try {
    const starting = startNode(options, {
      number,
      identity,
      sharedFolder,
      createLimiter: clusterLimiter(limitShare * options.deadline * 1000),
      metricsText: allMetrics,
      onRedisChange: (problem) => send({ kind: "chain-query:redis", problem }),
      log,
    });
    // Before the start ends: a worker that has read the old list must read the new one.
    process.on("message", (message: PrimaryMessage) => {
      if (message.kind !== "chain-query:reload") return;
      starting.then((node) => node.reload()).catch(() => {});
    });
    const started = await starting;
    node = started;
    reply(process, "worker metrics", () => started.metrics.registry.getMetricsAsJSON());
    send({ kind: "chain-query:listening", url: started.url, adminUrl: started.adminUrl });
  } catch (error) {
    send(failedMessage(error));
    process.disconnect();
    process.exitCode = 1;
  }
}

async function allMetrics(): Promise<string> {
  try {
    return String(await query(process, "all metrics", metricsTimeout));
  } catch {
    // The metrics of one worker would look like counters that were reset.
    throw new HttpError(503, "the process that collects the metrics of all workers does not reply");
  }
}

function send(message: WorkerMessage): void {
  if (process.connected) process.send?.(message);
}
