/** States rebuilt from records, by the number of accounts in a shard, and the size of their records. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeBoc } from "@chain-query/format/cells";
import { type ChainReader, createChain, openChain, openProducer } from "@chain-query/local-chain";
import { median } from "./production.ts";

const SIZES = [200, 1_000, 10_000] as const;
const STEPS = 20;
const ROUNDS = 7;

/** Prints milliseconds for a state of the basechain with its hash: the first one of a reader, and one next to it. */
export async function benchStates(): Promise<void> {
  console.log(`states of one shard after ${STEPS} steps, milliseconds, medians of ${ROUNDS} readers\n`);
  console.log("accounts         first   next to it   in memory       MB of the state");
  const directory = mkdtempSync(join(tmpdir(), "local-chain-bench-"));
  try {
    for (const accounts of SIZES) console.log(await rowOf(join(directory, `${accounts}`), accounts));
    console.log();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function rowOf(directory: string, accounts: number): Promise<string> {
  await createChain(directory, { seed: 1, accounts, shards: 1 });
  const producer = await openProducer(directory);
  await producer.steps(Array.from({ length: STEPS }, () => ({})));
  await producer.close();
  const rounds: number[][] = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const chain = openChain(directory);
    rounds.push([STEPS, STEPS - 1, STEPS].map((seqno) => time(chain, seqno)));
    if (round === 0) bytes = writeBoc(stateOf(chain, STEPS)).length;
    await chain.close();
  }
  const medians = [0, 1, 2].map((column) => median(rounds.map((round) => round[column] ?? 0)).toFixed(2));
  const [first = "", next = "", known = ""] = medians;
  const size = (bytes / 1e6).toFixed(1);
  return `${accounts}`.padEnd(10) + first.padStart(12) + next.padStart(13) + known.padStart(12) + size.padStart(22);
}

function time(chain: ChainReader, seqno: number): number {
  const begin = performance.now();
  stateOf(chain, seqno).hashAt(0);
  return performance.now() - begin;
}

function stateOf(chain: ChainReader, seqno: number) {
  const state = chain.state({ workchain: 0, shard: -(2n ** 63n), seqno });
  if (!state) throw new Error(`state ${seqno} is missing`);
  return state;
}
