import { createRequire } from "node:module";
import type { Cell as CoreCell } from "@ton/core";
import type { EmulationResult, Executor } from "@ton/sandbox/dist/executor/Executor.js";

/** What an account's execution depends on besides its state: the same values give the same bytes. */
export interface Circumstances {
  /** The account before, a bag of cells (TL-B ShardAccount) in base64. */
  readonly account: string;
  /** Unix seconds. */
  readonly time: number;
  readonly lt: bigint;
  /** 32 bytes. */
  readonly randomSeed: Uint8Array;
}

/** What an execution gave: bags of cells in base64, the transaction's and the account's after it (TL-B ShardAccount). */
export interface Executed {
  readonly transaction: string;
  readonly account: string;
}

/** A message from outside that the contract did not accept. It leaves no trace in the chain. */
export interface Refused {
  readonly refused: string;
}

/** The virtual machine with one configuration. */
export interface Machine {
  /** Hands a message, as a bag of cells, to its destination. */
  deliver(message: Uint8Array, circumstances: Circumstances): Promise<Executed | Refused>;
  /** Starts an account by the clock, at the beginning of a block (tick) or at its end (tock). */
  start(which: "tick" | "tock", circumstances: Circumstances): Promise<Executed>;
}

/**
 * Makes a virtual machine.
 *
 * @param config - Root of the configuration's dictionary, a bag of cells in base64.
 */
export async function createMachine(config: string): Promise<Machine> {
  const executor = await loadExecutor();
  const common = ({ account, time, lt, randomSeed }: Circumstances) => ({
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
    async deliver(message, circumstances) {
      const { result } = await executor.runTransaction({ ...common(circumstances), message: asMessage(message) });
      return result.success ? executed(result) : { refused: result.error };
    },
    async start(which, circumstances) {
      const { result } = await executor.runTickTock({ ...common(circumstances), which });
      if (!result.success) throw new Error(`the clock could not start an account: ${result.error}`);
      return executed(result);
    },
  };
}

type Success = Extract<EmulationResult["result"], { success: true }>;

function executed({ transaction, shardAccount }: Success): Executed {
  return { transaction, account: shardAccount };
}

/** All that the executor asks of a message is its bag of cells; making one of its own cells would hash them all once more. */
function asMessage(boc: Uint8Array): CoreCell {
  const bytes = Buffer.from(boc.buffer, boc.byteOffset, boc.byteLength);
  return { toBoc: () => bytes } satisfies Pick<CoreCell, "toBoc"> as CoreCell;
}

/** By its own path, because the package's entry loads a debugger, a terminal interface and a test environment. */
async function loadExecutor(): Promise<Executor> {
  const require = createRequire(import.meta.url);
  const loaded: { Executor: typeof Executor } = require("@ton/sandbox/dist/executor/Executor.js");
  return loaded.Executor.create();
}
