import { lookUpTransaction } from "@chain-query/format/blocks";
import { type Cell, writeBoc, writeBocRoots } from "@chain-query/format/cells";
import { type BlockId, containsAccount, smallestShard } from "@chain-query/format/identifiers";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { refused } from "../failure.ts";
import { prove } from "../proofs.ts";
import type { Answers } from "./answer.ts";

/** Transactions in one answer. */
const MAX_TRANSACTIONS = 16;

/** Transactions of one account. */
export const transactionAnswers: Answers<"getOneTransaction" | "getTransactions"> = {
  getOneTransaction: (chain, { id, account, lt }) => {
    if (!containsAccount(id, account)) {
      throw refused("requested account id is not contained in the shard of the specified block");
    }
    const { value, proof } = prove(chain.block(id).root, (block) =>
      lookUpTransaction(block, { account: account.hash, lt: BigInt.asUintN(64, lt) }),
    );
    return { id, proof: writeBoc(proof), transaction: value ? writeBoc(value) : new Uint8Array() };
  },
  getTransactions: (chain, { count, account, lt, hash }) => {
    const ids: BlockId[] = [];
    const cells: Cell[] = [];
    const shard = smallestShard(account);
    let next = { lt: BigInt.asUintN(64, lt), hash };
    while (next.lt > 0n && cells.length < Math.min(count, MAX_TRANSACTIONS)) {
      const id = chain.find(shard, { lt: next.lt });
      const cell = id && lookUpTransaction(chain.block(id).root, { account: account.hash, lt: next.lt });
      if (!id || !cell) {
        // History that this server does not keep: the answer ends before it.
        if (cells.length > 0) break;
        throw refused(`cannot compute block with specified transaction: ${id ? "no such transaction" : "lt not in db"}`);
      }
      if (Buffer.compare(cell.hash, next.hash) !== 0) throw refused("transaction hash mismatch");
      const { previousLt, previousHash } = readTransactionHeader(cell);
      ids.push(id);
      cells.push(cell);
      next = { lt: previousLt, hash: previousHash };
    }
    return { ids, transactions: cells.length > 0 ? writeBocRoots(cells) : new Uint8Array() };
  },
};
