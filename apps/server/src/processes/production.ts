/** Keeps the producer running: starts it, passes on what it tells, and starts it again when it dies. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { StartError } from "../serve-options.ts";
import { backoff } from "./backoff.ts";
import type { ProducerNews, ProducerTask } from "./producer.ts";

/** A producer that is kept running. */
export interface Production {
  /** Settles once the chain is there and blocks are made; rejects where that cannot be. */
  readonly ready: Promise<void>;
  /** How often the producer was started again. */
  readonly restarts: () => number;
  /** Lets it end at a block's boundary. */
  stop(): Promise<void>;
}

/** Milliseconds that the producer may take to finish its block. */
const longestBlock = 15_000;

const program = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "producer.ts" : "producer.js", import.meta.url));

/**
 * Starts to produce.
 *
 * @param onProgress - Is told how far a new chain is.
 */
export function startProduction(
  task: ProducerTask,
  log: Logger,
  onProgress: (step: number, of: number) => void = () => {},
): Production {
  const waitAfter = backoff();
  let stopping = false;
  let restarts = 0;
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wasReady = false;
  let settle: { resolve: () => void; reject: (reason: Error) => void } = { resolve: () => {}, reject: () => {} };
  const ready = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Whoever stops before it is ready does not wait for it.
  ready.catch(() => {});

  const start = (): void => {
    const started = performance.now();
    let lastWords: Extract<ProducerNews, { kind: "failed" }> | undefined;
    const one = fork(program, [JSON.stringify(task)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child = one;
    one.on("message", (news: ProducerNews) => {
      if (news.kind === "making") onProgress(news.step, news.of);
      if (news.kind === "failed") lastWords = news;
      if (news.kind === "step") log.debug({ seqno: news.seqno, transactions: news.transactions }, "a block was made");
      if (news.kind !== "ready") return;
      wasReady = true;
      log.info({ pid: one.pid }, "producing");
      settle.resolve();
    });
    one.once("exit", (code, signal) => {
      child = undefined;
      const reason = lastWords?.message ?? `it ended with ${signal ?? `code ${code}`}`;
      if (stopping || (code === 0 && !task.goOn)) settle.resolve();
      else if (!wasReady)
        settle.reject(
          lastWords?.isExpected ? new StartError(`--chain: ${reason}`) : new Error(`no chain could be made: ${reason}`),
        );
      else {
        const wait = waitAfter(performance.now() - started);
        restarts++;
        log.error({ reason, waitMs: wait }, "the producer ended and is started again");
        timer = setTimeout(start, wait);
      }
    });
  };
  start();

  return {
    ready,
    restarts: () => restarts,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      const last = child;
      if (last === undefined) return;
      const gone = once(last, "exit");
      if (last.connected) last.disconnect();
      const patience = setTimeout(() => last.kill("SIGKILL"), longestBlock);
      await gone;
      clearTimeout(patience);
    },
  };
}
