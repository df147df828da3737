import { Worker } from "node:worker_threads";
import type { Circumstances, Executed, Machine, Refused } from "./machine.ts";
import type { MachineAnswer, MachineTask } from "./machine-task.ts";

/** A machine in a thread of its own, which ends with `close`. */
export interface MachineThread extends Machine {
  close(): Promise<void>;
}

/** Of its own heap; what the virtual machine itself takes comes on top. */
const MEGABYTES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

interface Waiting {
  resolve(result: Executed | Refused): void;
  reject(cause: Error): void;
}

/**
 * Starts a virtual machine in a thread of its own, so that the blocks of some shards are put together while those of others are
 * executed. It takes tasks in the order in which they are given.
 *
 * @param config - As for `createMachine`.
 */
export function startMachine(config: string): MachineThread {
  const worker = new Worker(workerUrl(), { workerData: config, resourceLimits: MEGABYTES });
  const waiting = new Map<number, Waiting>();
  let count = 0;
  let ended: Error | undefined;
  // The thread keeps the process from ending only while somebody waits for it.
  worker.unref();
  worker.on("message", (answer: MachineAnswer) => {
    const task = waiting.get(answer.number);
    waiting.delete(answer.number);
    if (waiting.size === 0) worker.unref();
    if ("error" in answer) task?.reject(new Error(answer.error));
    else task?.resolve(answer.result);
  });
  const end = (cause: Error): void => {
    ended ??= cause;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on("error", end);
  worker.on("exit", () => end(new Error("the machine has ended")));

  const run = (what: MachineTask["what"], circumstances: Circumstances): Promise<Executed | Refused> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      const number = count++;
      waiting.set(number, { resolve, reject });
      worker.ref();
      worker.postMessage({ number, what, circumstances } satisfies MachineTask);
    });

  return {
    deliver: (message, circumstances) => run(message, circumstances),
    async start(which, circumstances) {
      const result = await run(which, circumstances);
      if ("refused" in result) throw new Error(`the clock's start was refused: ${result.refused}`);
      return result;
    },
    async close() {
      await worker.terminate();
    },
  };
}

/** Built, or as it was written. */
function workerUrl(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./machine-worker.ts" : "./machine-worker.js", import.meta.url);
}
