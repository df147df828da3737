/**
 * Production of blocks compared with the virtual machine alone, which repeats the same executions. Measured alternately in one run, so that
 * other load affects both.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createChain } from "@chain-query/local-chain";
import { openRecordedProducer } from "@chain-query/local-chain/testing";

const ROUNDS = 12;
/** The first rounds warm up the JIT compiler. */
const WARM_UP = 2;
const STEPS = 10;
/** Blocks of about sixty transactions. */
const RATE = 100;

interface Round {
  readonly count: number;
  readonly productionMs: number;
  readonly machineMs: number;
}

/** Prints transactions per second of both, and their ratio. */
export async function benchProduction(): Promise<void> {
  console.log(`${ROUNDS} rounds of ${STEPS} steps: execute, assemble, hash, store, index; then the same executions alone\n`);
  const directory = mkdtempSync(join(tmpdir(), "local-chain-bench-"));
  try {
    const rounds = await measure(join(directory, "chain"));
    const production = rounds.map(({ count, productionMs }) => (count / productionMs) * 1000);
    const machine = rounds.map(({ count, machineMs }) => (count / machineMs) * 1000);
    console.log("                     transactions/s: median   least");
    print("machine alone", machine);
    print("production", production);
    const ratio = median(rounds.map(({ productionMs, machineMs }) => machineMs / productionMs));
    console.log(`\nproduction / machine alone     ${ratio.toFixed(2).padStart(8)}   goal ≥ 0.6\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(directory: string): Promise<Round[]> {
  await createChain(directory, { seed: 1, rate: RATE, shards: 4 });
  const { producer, replay } = await openRecordedProducer(directory);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    for (let step = 0; step < STEPS; step++) await producer.step();
    const middle = performance.now();
    const count = await replay();
    rounds.push({ count, productionMs: middle - begin, machineMs: performance.now() - middle });
  }
  await producer.close();
  return rounds.slice(WARM_UP);
}

function print(name: string, values: readonly number[]): void {
  const [middle, least] = [median(values), Math.min(...values)].map((value) => value.toFixed(0));
  console.log(`${name.padEnd(30)} ${middle?.padStart(8)} ${least?.padStart(7)}`);
}

/** The upper median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}
