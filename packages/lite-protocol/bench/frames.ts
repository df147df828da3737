import { fuzzFrames } from "../fuzz/frames.ts";

const COUNT = 100_000;

/** Prints the results of 100,000 malformed frames; returns whether all were handled. */
export async function benchFrames(): Promise<boolean> {
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
