import type { ChainReader } from "../../src/domain.ts";

/** A line for each masterchain block: seqno, root hash, file hash. They cover the shard blocks, which they commit. */
export function hashLines(chain: ChainReader): string {
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
