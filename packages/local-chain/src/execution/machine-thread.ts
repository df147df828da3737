import { Worker } from "node:worker_threads";
import type { Executed, ExecutionContext, Machine, Refused } from "./machine.ts";

/** A machine in a worker thread. */
export interface MachineThread extends Machine {
  close(): Promise<void>;
}

/** Message to the worker thread. */
export interface MachineTask {
  readonly number: number;
  /** A message as a bag of cells, or a tick-tock start. */
  readonly what: Uint8Array | "tick" | "tock";
  readonly context: ExecutionContext;
}

/** Message from the worker thread, with the number of its task. */
export type MachineResult =
  | { readonly number: number; readonly result: Executed | Refused }
  | { readonly number: number; readonly error: string };

/** Limits of the thread's JavaScript heap. The WASM memory of the executor is not part of it. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

interface PendingTask {
  resolve(result: Executed | Refused): void;
  reject(cause: Error): void;
}

/**
 * Starts a machine in a worker thread, so that one shard's block is assembled while another is executed. Tasks are
 * executed in the order of the calls.
 *
 * @param config - As for `createMachine`.
 */
export function startMachine(config: string): MachineThread {
  const worker = new Worker(workerUrl(), { workerData: config, resourceLimits: HEAP_LIMITS });
  const pending = new Map<number, PendingTask>();
  let count = 0;
  let ended: Error | undefined;
  // An idle thread must not keep the process alive.
  worker.unref();
  worker.on("message", (message: MachineResult) => {
    const task = pending.get(message.number);
    pending.delete(message.number);
    if (pending.size === 0) worker.unref();
    if ("error" in message) task?.reject(new Error(message.error));
    else task?.resolve(message.result);
  });
  const end = (cause: Error): void => {
    ended ??= cause;
    for (const { reject } of pending.values()) reject(ended);
    pending.clear();
  };
  worker.on("error", end);
  worker.on("exit", () => end(new Error("the machine's thread has ended")));

  const run = (what: MachineTask["what"], context: ExecutionContext): Promise<Executed | Refused> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      const number = count++;
      pending.set(number, { resolve, reject });
      worker.ref();
      worker.postMessage({ number, what, context } satisfies MachineTask);
    });

  return {
    deliver: (message, context) => run(message, context),
    async tickTock(which, context) {
      const result = await run(which, context);
      if ("refused" in result) throw new Error(`the ${which} was refused: ${result.refused}`);
      return result;
    },
    async close() {
      await worker.terminate();
    },
  };
}

/** The compiled worker, or its source when running from source. */
function workerUrl(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./machine-worker.ts" : "./machine-worker.js", import.meta.url);
}
