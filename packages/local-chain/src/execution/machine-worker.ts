/** The thread of a machine: takes tasks one after another, and answers each. Its data is the configuration. */
import { parentPort, workerData } from "node:worker_threads";
import { createMachine, type Executed, type Machine, type Refused } from "./machine.ts";
import type { MachineAnswer, MachineTask } from "./machine-task.ts";
import { rememberTableLookups } from "./table-lookup.ts";

rememberTableLookups();
const machine = createMachine(workerData);
parentPort?.on("message", async (task: MachineTask) => {
  parentPort?.postMessage(await answerTo(task));
});

async function answerTo(task: MachineTask): Promise<MachineAnswer> {
  try {
    return { number: task.number, result: await done(await machine, task) };
  } catch (cause) {
    return { number: task.number, error: cause instanceof Error ? cause.message : String(cause) };
  }
}

function done(on: Machine, { what, circumstances }: MachineTask): Promise<Executed | Refused> {
  return typeof what === "string" ? on.start(what, circumstances) : on.deliver(what, circumstances);
}
