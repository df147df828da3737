/** Lists the accounts of a chain from the cells of its blocks, since the chain has no index of accounts. */
import type { AccountId, ChainReader } from "@chain-query/local-chain";
import { Cell } from "@ton/core";

/** The accounts that have transactions, in the order of their first ones. */
export function accountsOf(reader: ChainReader): AccountId[] {
  const accounts = new Map<string, AccountId>();
  for (const { id } of reader.shards()) {
    for (let seqno = 1; seqno <= id.seqno; seqno++) {
      const boc = reader.blockData({ workchain: id.workchain, shard: id.shard, seqno });
      if (boc === undefined) continue;
      for (const hash of transactionAccounts(Cell.fromBoc(Buffer.from(boc))[0], new Set())) {
        accounts.set(`${id.workchain}:${hash.toString("hex")}`, { workchain: id.workchain, hash });
      }
    }
  }
  return [...accounts.values()];
}

/** The cell of a transaction begins with the tag 0111 and the 256-bit address of its account. */
function* transactionAccounts(cell: Cell | undefined, seen: Set<string>): Generator<Buffer> {
  if (cell === undefined || cell.isExotic || seen.has(cell.hash().toString("hex"))) return;
  seen.add(cell.hash().toString("hex"));
  if (cell.bits.length > 4 + 256 + 64 + 256) {
    const slice = cell.beginParse();
    if (slice.loadUint(4) === 7) yield slice.loadBuffer(32);
  }
  for (const part of cell.refs) yield* transactionAccounts(part, seen);
}
