/** The worker thread of a machine: executes tasks in order, and posts a result for each. */
import { parentPort } from "node:worker_threads";
import { createMachine, type Executed, type Machine, type MachineResult, type MachineTask, type Refused } from "./machine.ts";

cacheWasmTableLookups();
const machine = createMachine();
parentPort?.on("message", async (task: MachineTask) => {
  parentPort?.postMessage(await resultOf(task));
});

async function resultOf(task: MachineTask): Promise<MachineResult> {
  try {
    return { number: task.number, result: await execute(await machine, task) };
  } catch (cause) {
    return { number: task.number, error: cause instanceof Error ? cause.message : String(cause) };
  }
}

function execute(on: Machine, { messageOrTick, context }: MachineTask): Promise<Executed | Refused> {
  return typeof messageOrTick === "string" ? on.tickTock(messageOrTick, context) : on.deliver(messageOrTick, context);
}

/** The part of WebAssembly that is used here; Node's types lack it. */
interface WasmGlobal {
  readonly WebAssembly: { readonly Table: { readonly prototype: WasmTable } };
}

interface WasmTable {
  get(index: number): unknown;
}

/**
 * Caches the functions of WASM tables in this thread. The executor looks up a function at every call that may throw, which takes a
 * seventh of its time. Valid because nothing in this thread changes a table after its first look-up.
 */
function cacheWasmTableLookups(): void {
  const { prototype } = (globalThis as unknown as WasmGlobal).WebAssembly.Table;
  const { get } = prototype;
  prototype.get = function (this: WasmTable, first: number): unknown {
    const known: unknown[] = [];
    const lookUp = (index: number): unknown => {
      known[index] ??= get.call(this, index);
      return known[index];
    };
    Object.defineProperty(this, "get", { value: lookUp });
    return lookUp(first);
  };
}
