/** Starts the block producer in a process of its own, and restarts it when it dies. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { backOff } from "@chain-query/format/async";
import type { Logger } from "pino";
import { StartError } from "../failure.ts";
import type { ChainIdentity } from "../sources/chain-identity.ts";
import { isoTime } from "../status/readiness.ts";

/** The task of the block producer, as JSON in its only argument. */
export interface ProducerTask {
  readonly chain: string;
  /** Seconds. */
  readonly blockInterval: number;
  /** The chain to continue; absent only at the first start, which may create one. */
  readonly identity?: ChainIdentity;
}

/** Messages of the block producer. */
export type ProducerMessage =
  | { readonly kind: "chain-query:creating"; readonly step: number; readonly of: number }
  | { readonly kind: "chain-query:producing"; readonly identity: ChainIdentity }
  /** The head is later than the clock: the next block is made at `until`, in Unix seconds. */
  | { readonly kind: "chain-query:ahead"; readonly until: number }
  | { readonly kind: "chain-query:block"; readonly seqno: number; readonly transactions: number }
  /** The last one of a process that fails. */
  | { readonly kind: "chain-query:failed"; readonly message: string; readonly isUserError: boolean };

type Failed = Extract<ProducerMessage, { readonly kind: "chain-query:failed" }>;

/** Number of progress reports while the first blocks of a new chain are produced. */
const progressReports = 6;
/** Milliseconds for the producer to finish its block. */
const stopTimeout = 15_000;
/** Milliseconds until a restart, and of the runtime after which the next restart has the first delay again. */
const [firstDelay, maxDelay, stableAfter] = [500, 30_000, 60_000];

/** The program, beside this one. */
const program = fileURLToPath(new URL(`block-producer${extname(import.meta.url)}`, import.meta.url));

/** Keeps a block producer running. */
export class ProducerSupervisor {
  #task: ProducerTask;
  readonly #log: Logger;
  readonly #delays = backOff(firstDelay, maxDelay);
  readonly #ready = Promise.withResolvers<ChainIdentity>();
  #restarts = 0;
  #isReady = false;
  #isStopping = false;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(task: ProducerTask, log: Logger) {
    this.#task = task;
    this.#log = log;
    this.ready.catch(() => {});
    this.#start();
  }

  /** Resolves with the chain when blocks are produced; rejects if that is impossible. `stop()` does not wait for it. */
  get ready(): Promise<ChainIdentity> {
    return this.#ready.promise;
  }

  /** Number of restarts. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Stops the producer after its current block. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, "exit");
    if (child.connected) child.disconnect();
    // A producer that is loading its modules does not notice the disconnection.
    if (!this.#isReady) child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeout);
    await exited;
    clearTimeout(timer);
  }

  #start(): void {
    const started = performance.now();
    let failure: Failed | undefined;
    const child = fork(program, [JSON.stringify(this.#task)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child = child;
    child.on("message", (message: ProducerMessage) => {
      if (message.kind === "chain-query:failed") failure = message;
      else this.#onMessage(message, child.pid);
    });
    child.once("exit", (code, signal) => {
      this.#child = undefined;
      const reason = failure?.message ?? `exited with ${signal ?? `code ${code}`}`;
      if (this.#isStopping) this.#ready.reject(new Error("the block producer was stopped"));
      else if (this.#isReady) this.#restart(reason, performance.now() - started);
      else {
        const error = failure?.isUserError
          ? new StartError(reason)
          : new Error(failure ? reason : `the block producer ${reason}`);
        failAfter(signal, () => this.#ready.reject(error));
      }
    });
  }

  #onMessage(message: Exclude<ProducerMessage, Failed>, pid: number | undefined): void {
    switch (message.kind) {
      case "chain-query:creating":
        if (message.step % (message.of / progressReports) === 0)
          this.#log.info({ block: message.step, of: message.of }, "producing the first blocks");
        return;
      case "chain-query:block":
        this.#log.debug({ seqno: message.seqno, transactions: message.transactions }, "produced a block");
        return;
      case "chain-query:ahead":
        this.#log.warn({ until: isoTime(message.until) }, "the chain is ahead of the clock, no block until then");
        return;
      case "chain-query:producing":
        this.#isReady = true;
        this.#task = { ...this.#task, identity: message.identity };
        this.#log.info({ pid }, "producing blocks");
        this.#ready.resolve(message.identity);
    }
  }

  #restart(reason: string, ranFor: number): void {
    if (ranFor >= stableAfter) this.#delays.reset();
    const delay = this.#delays.next();
    this.#restarts++;
    this.#log.error({ reason, delayMs: delay }, "block producer died, restarting");
    this.#timer = setTimeout(() => this.#start(), delay);
  }
}

/** Milliseconds. */
const interruptDelay = 500;

/**
 * Reports that a child has ended before it was ready. Ctrl-C reaches all processes of a terminal, and ends a child that still loads its
 * modules, maybe before this process has read its own signal: then the report is late, and the stop comes first.
 */
function failAfter(signal: string | null, fail: () => void): void {
  if (signal === "SIGINT") setTimeout(fail, interruptDelay);
  else fail();
}
