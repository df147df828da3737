import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Cell as CoreCell } from "@ton/core";
import type { EmulationResult, Executor } from "@ton/sandbox/dist/executor/Executor.js";

/** The input of an execution besides the message. The same values give the same bytes. */
export interface ExecutionContext {
  /** Root of the configuration's dictionary: a bag of cells in base64. */
  readonly config: string;
  /** The account before: a bag of cells (TL-B ShardAccount) in base64. */
  readonly account: string;
  /** Unix seconds. */
  readonly time: number;
  readonly lt: bigint;
  /** 32 bytes. */
  readonly randomSeed: Uint8Array;
}

/** The output of an execution: bags of cells in base64, the transaction and the account after it (TL-B ShardAccount). */
export interface Executed {
  readonly transaction: string;
  readonly account: string;
}

/** The contract did not accept an external message. There is no transaction. */
export interface Refused {
  readonly refused: string;
}

/** The virtual machine. */
export interface Machine {
  /** Executes a message, given as a bag of cells, on its destination. */
  deliver(message: Uint8Array, context: ExecutionContext): Promise<Executed | Refused>;
  /** Executes a tick-tock transaction, at the beginning of a block (tick) or at its end (tock). */
  tickTock(which: "tick" | "tock", context: ExecutionContext): Promise<Executed>;
}

/** Loads the virtual machine. */
export async function createMachine(): Promise<Machine> {
  // Processes with several machines sometimes ended when V8 freed code that it had replaced by faster code (nodejs/node#64500).
  setFlagsFromString("--no-wasm-code-gc");
  const executor = await loadExecutor();
  const common = ({ config, account, time, lt, randomSeed }: ExecutionContext) => ({
    config,
    libs: null,
    verbosity: "short" as const,
    shardAccount: account,
    now: time,
    lt,
    randomSeed: Buffer.from(randomSeed),
    ignoreChksig: false,
    debugEnabled: false,
  });
  return {
    async deliver(message, context) {
      const { result } = await executor.runTransaction({ ...common(context), message: asCoreCell(message) });
      return result.success ? executed(result) : { refused: result.error };
    },
    async tickTock(which, context) {
      const { result } = await executor.runTickTock({ ...common(context), which });
      if (!result.success) throw new Error(`the ${which} failed: ${result.error}`);
      return executed(result);
    },
  };
}

type Success = Extract<EmulationResult["result"], { success: true }>;

function executed({ transaction, shardAccount }: Success): Executed {
  return { transaction, account: shardAccount };
}

/** The executor calls only `toBoc` of a message. Parsing a real cell would hash it again. */
function asCoreCell(boc: Uint8Array): CoreCell {
  const bytes = Buffer.from(boc.buffer, boc.byteOffset, boc.byteLength);
  return { toBoc: () => bytes } satisfies Pick<CoreCell, "toBoc"> as CoreCell;
}

/** A deep import, because the package's entry loads a debugger, a terminal interface and a test environment. */
async function loadExecutor(): Promise<Executor> {
  const require = createRequire(import.meta.url);
  const loaded: { Executor: typeof Executor } = require("@ton/sandbox/dist/executor/Executor.js");
  return loaded.Executor.create();
}

/** A machine in a worker thread. */
export interface MachineThread extends Machine {
  close(): Promise<void>;
}

/** Message to the worker thread. */
export interface MachineTask {
  readonly number: number;
  /** A message as a bag of cells, or a tick-tock start. */
  readonly messageOrTick: Uint8Array | "tick" | "tock";
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
 */
export function startMachine(): MachineThread {
  const worker = new Worker(workerUrl(), { resourceLimits: HEAP_LIMITS });
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

  const run = (messageOrTick: MachineTask["messageOrTick"], context: ExecutionContext): Promise<Executed | Refused> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      const number = count++;
      pending.set(number, { resolve, reject });
      worker.ref();
      worker.postMessage({ number, messageOrTick, context } satisfies MachineTask);
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
