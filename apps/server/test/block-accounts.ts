/** Every account of a chain, read from the cells of its blocks, without an index. */
import type { AccountId, ChainReader } from "@chain-query/local-chain";
import { Cell } from "@ton/core";

/** The accounts that had a transaction, in the order of their first ones. */
export function accountsOf(reader: ChainReader): AccountId[] {
  const accounts = new Map<string, AccountId>();
  for (const { id } of reader.shards()) {
    for (let seqno = 1; seqno <= id.seqno; seqno++) {
      const boc = reader.blockData({ workchain: id.workchain, shard: id.shard, seqno });
      if (boc === undefined) continue;
      for (const hash of accountsIn(Cell.fromBoc(Buffer.from(boc))[0], new Set())) {
        accounts.set(`${id.workchain}:${hash.toString("hex")}`, { workchain: id.workchain, hash });
      }
    }
  }
  return [...accounts.values()];
}

/** A transaction's cell begins with four bits, 0111, and the 256 bits of its account. */
function* accountsIn(cell: Cell | undefined, seen: Set<string>): Generator<Buffer> {
  if (cell === undefined || cell.isExotic || seen.has(cell.hash().toString("hex"))) return;
  seen.add(cell.hash().toString("hex"));
  if (cell.bits.length > 4 + 256 + 64 + 256) {
    const slice = cell.beginParse();
    if (slice.loadUint(4) === 7) yield slice.loadBuffer(32);
  }
  for (const part of cell.refs) yield* accountsIn(part, seen);
}
