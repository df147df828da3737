/**
 * Produces a chain of seed 1, and prints the hashes of its masterchain blocks.
 *
 * node run-chain.ts DIRECTORY STEPS...   with a new producer for each number of steps
 *
 * Its output for 12 steps is seed-1.txt.
 */

import type { LocalChain } from "../../src/domain.ts";
import { createChain, openChain, openProducer } from "../../src/index.ts";

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

/** A line for each masterchain block: seqno, root hash, file hash. They cover the shard blocks, which they commit. */
function hashLines(chain: LocalChain): string {
  const { block: genesis } = chain.genesis();
  const lines = [line(genesis)];
  for (let seqno = 1; seqno <= chain.head().block.id.seqno; seqno++) {
    const block = chain.block({ workchain: -1, shard: genesis.shard }, { seqno });
    if (block) lines.push(line(block.id));
  }
  return lines.join("");
}

function line({ seqno, rootHash, fileHash }: { seqno: number; rootHash: Uint8Array; fileHash: Uint8Array }): string {
  return `${seqno} ${Buffer.from(rootHash).toString("hex")} ${Buffer.from(fileHash).toString("hex")}\n`;
}
