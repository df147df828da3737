/** `pnpm bench lite`: the client compared with `ton-lite-client`, and malformed frames. */

import { parseArgs } from "node:util";
import { fuzzFrames } from "../fuzz/frames.ts";
import { benchThroughput } from "./throughput.ts";

const COUNT = 100_000;

/** Prints the results of 100,000 malformed frames; returns whether all were handled. */
async function benchFrames(): Promise<boolean> {
  const start = performance.now();
  const { sent, outcomes, faults, usedGrowth, processGrowth } = await fuzzFrames({
    seed: Math.floor(Math.random() * 2 ** 31),
    count: COUNT,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${sent} malformed frames in ${seconds} s: ${faults.length} faults   goal 0`);
  for (const [outcome, count] of [...outcomes].sort()) console.log(`  ${outcome.padEnd(34)} ${count}`);
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  console.log(`  memory in use ${megabytes(usedGrowth)} MB more, of the process ${megabytes(processGrowth)} MB   goal < 50 MB`);
  for (const fault of faults) console.error(`  ${fault}`);
  return faults.length === 0 && usedGrowth < 50e6;
}

const parts = { throughput: benchThroughput, frames: benchFrames };

const { values } = parseArgs({ options: { only: { type: "string" } } });
const chosen = values.only?.split(",") ?? Object.keys(parts);
for (const name of chosen) {
  if (!(name in parts)) {
    console.error(`--only: expected ${Object.keys(parts).join(" or ")}, got ${name}`);
    process.exit(2);
  }
}
let isGood = true;
for (const [name, run] of Object.entries(parts)) if (chosen.includes(name)) isGood = (await run()) && isGood;
process.exitCode = isGood ? 0 : 1;
