/** The program of one of several processes that answer, started by the primary of a cluster. */
import cluster from "node:cluster";
import { ChainStoreError } from "@chain-query/local-chain";
import { KeyStoreError } from "../limits/key-store.ts";
import { clusterLimiter } from "../limits/limiter.ts";
import { createLog } from "../operating/log.ts";
import { StartError } from "../serve-options.ts";
import { startNode } from "./node.ts";
import { answer, ask } from "./question.ts";
import { taskVariable, type WorkerTask } from "./worker-task.ts";

/** What a worker tells the primary. */
export type WorkerNews =
  | { readonly kind: "chain-query:listening"; readonly url: string }
  /** The last word of a worker that fails; whether it is the operator's to mend. */
  | { readonly kind: "chain-query:failed"; readonly message: string; readonly isExpected: boolean };

/** What the primary tells a worker. */
export interface PrimaryNews {
  readonly kind: "chain-query:stop";
}

/** Milliseconds. */
const longestWait = 5000;

/** Runs the worker until the primary says that it ends; one whose primary is gone is ended by the cluster itself. */
async function work(): Promise<void> {
  const { options, number } = JSON.parse(process.env[taskVariable] ?? "{}") as WorkerTask;
  const log = createLog(options.logLevel, `worker ${number}`);
  process.on("SIGINT", () => {});
  // Without the primary there is nobody to work for.
  cluster.worker?.on("error", () => process.exit(1));
  try {
    const node = await startNode(options, { number, limiter: clusterLimiter, metricsText: metricsOfAll, log });
    answer(process, "metrics of one", () => node.metrics.registry.getMetricsAsJSON());
    const end = (): void => {
      node.close().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, "the worker did not end well");
          process.exit(1);
        },
      );
    };
    process.on("message", (news: PrimaryNews) => {
      if (news.kind === "chain-query:stop") end();
    });
    process.once("SIGTERM", end);
    tell({ kind: "chain-query:listening", url: node.url });
  } catch (error) {
    const isExpected = [ChainStoreError, KeyStoreError, StartError].some((kind) => error instanceof kind);
    const message = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
    tell({ kind: "chain-query:failed", message, isExpected });
    process.disconnect();
    process.exitCode = 1;
  }
}

/** The primary alone can ask all workers. */
async function metricsOfAll(): Promise<string> {
  return String(await ask(process, "metrics of all", longestWait));
}

function tell(news: WorkerNews): void {
  if (process.connected) process.send?.(news);
}

await work();
