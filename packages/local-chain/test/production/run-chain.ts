/**
 * Produces a chain of seed 1, and prints the hashes of its masterchain blocks.
 *
 * node run-chain.ts DIRECTORY STEPS...   with a new producer for each number of steps
 *
 * Its output for 200 steps is seed-1.txt.
 */
import { createChain, openChain, openProducer } from "../../src/index.ts";
import { hashLines } from "./hash-lines.ts";

const [directory = "", ...counts] = process.argv.slice(2);
await createChain(directory, { seed: 1 });
for (const count of counts.map(Number)) {
  const producer = await openProducer(directory);
  for (let i = 0; i < count; i++) await producer.step();
  await producer.close();
}
const chain = openChain(directory);
process.stdout.write(hashLines(chain));
await chain.close();
