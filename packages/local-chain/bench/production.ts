/**
 * Production of blocks compared with the virtual machine alone, which repeats the same executions. Measured in turn in one run, so that
 * other load affects both.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine, type ExecutionContext } from "../src/execution/machine.ts";
import type { MachineThread } from "../src/execution/machine-thread.ts";
import { createChain } from "../src/genesis/create-chain.ts";
import { openNetwork } from "../src/production/open-network.ts";
import { produceStep } from "../src/production/produce-step.ts";
import { openStore } from "../src/store/open-store.ts";
import { readConfigBase64 } from "../src/store/producer-state.ts";
import { arrivals } from "../src/traffic/traffic.ts";
import { median } from "./median.ts";

const ROUNDS = 12;
const STEPS = 10;
/** Blocks of some sixty transactions. */
const RATE = 100;

type Call = { readonly context: ExecutionContext; readonly run: Uint8Array | "tick" | "tock" };

/** Prints transactions per second of both, and their ratio. */
export async function benchProduction(): Promise<void> {
  console.log(`${ROUNDS} rounds of ${STEPS} steps: execute, assemble, hash, store, index; then the same executions alone\n`);
  const directory = mkdtempSync(join(tmpdir(), "local-chain-bench-"));
  try {
    const rounds = await measured(join(directory, "chain"));
    const whole = rounds.map(({ count, wholeMs }) => (count / wholeMs) * 1000);
    const alone = rounds.map(({ count, aloneMs }) => (count / aloneMs) * 1000);
    console.log("                     transactions/s: median   least");
    for (const [name, values] of [
      ["machine alone", alone],
      ["production", whole],
    ] as const) {
      console.log(
        `${name.padEnd(30)} ${median(values).toFixed(0).padStart(8)} ${Math.min(...values)
          .toFixed(0)
          .padStart(7)}`,
      );
    }
    const ratio = median(rounds.map(({ wholeMs, aloneMs }) => aloneMs / wholeMs));
    console.log(`\nproduction / machine alone     ${ratio.toFixed(2).padStart(8)}   goal ≥ 0.6\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measured(directory: string) {
  await createChain(directory, { seed: 1, rate: RATE, shards: 4 });
  const store = openStore(directory);
  const opened = openNetwork(store);
  try {
    const alone = await createMachine(readConfigBase64(store));
    const calls: Call[] = [];
    const network = { ...opened, machine: recorded(opened.machine, calls) };
    const rounds: { readonly count: number; readonly wholeMs: number; readonly aloneMs: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      calls.length = 0;
      const begin = performance.now();
      for (let i = 0; i < STEPS; i++) {
        const { id, time: last } = network.masterchain.tip;
        const step = { seqno: id.seqno + 1, time: last + 5, rate: RATE };
        await store.commit(await produceStep(network, step.time, arrivals(network, step)));
        network.accounts.clear();
      }
      const middle = performance.now();
      for (const { run, context } of calls) {
        if (typeof run === "string") await alone.tickTock(run, context);
        else await alone.deliver(run, context);
      }
      rounds.push({ count: calls.length, wholeMs: middle - begin, aloneMs: performance.now() - middle });
    }
    // The first rounds warm up the JIT compiler.
    return rounds.slice(2);
  } finally {
    await opened.machine.close();
    await store.close();
  }
}

function recorded(machine: MachineThread, calls: Call[]): MachineThread {
  return {
    close: machine.close,
    deliver(run, context) {
      calls.push({ run, context });
      return machine.deliver(run, context);
    },
    tickTock(run, context) {
      calls.push({ run, context });
      return machine.tickTock(run, context);
    },
  };
}
