import { createMachine, type ExecutionContext, type Machine } from "../execution/machine.ts";
import { type Producer, startProducer } from "../production/producer.ts";
import { openStore } from "../store/open-store.ts";
import { readConfigBase64 } from "../store/producer-state.ts";
import { arrivals } from "../traffic/traffic.ts";

/** A producer that records its executions, to measure the other costs of production. */
export interface RecordedProducer {
  readonly producer: Producer;
  /** Repeats the executions since the last call on a machine in this thread, and returns their number. */
  replay(): Promise<number>;
}

/** Opens a chain like `openProducer`. */
export async function openRecordedProducer(directory: string): Promise<RecordedProducer> {
  const alone = await createMachine(await configOf(directory));
  let calls: ((on: Machine) => Promise<unknown>)[] = [];
  const producer = await startProducer(directory, arrivals, (machine) => ({
    close: machine.close,
    deliver(message: Uint8Array, context: ExecutionContext) {
      calls.push((on) => on.deliver(message, context));
      return machine.deliver(message, context);
    },
    tickTock(which: "tick" | "tock", context: ExecutionContext) {
      calls.push((on) => on.tickTock(which, context));
      return machine.tickTock(which, context);
    },
  }));
  return {
    producer,
    async replay() {
      const recorded = calls;
      calls = [];
      for (const call of recorded) await call(alone);
      return recorded.length;
    },
  };
}

async function configOf(directory: string): Promise<string> {
  const store = openStore(directory);
  try {
    return readConfigBase64(store);
  } finally {
    await store.close();
  }
}
