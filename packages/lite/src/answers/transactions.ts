import { lookUpTransaction, type PlacedTransaction, readTransactions } from "@chain-query/format/blocks";
import { type Cell, isEqual, writeBoc, writeBocRoots } from "@chain-query/format/cells";
import { type BlockId, containsAccount, smallestShard } from "@chain-query/format/identifiers";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { prove } from "../proving/proofs.ts";
import type { LiteArguments } from "../wire/tl/scheme.ts";
import { type Answers, type LoadedChain, refused } from "./lite-chain.ts";

/** Transactions of an account in one answer. */
const MAX_HISTORY = 16;

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
    while (next.lt > 0n && cells.length < Math.min(count, MAX_HISTORY)) {
      const id = chain.find(shard, { lt: next.lt });
      const cell = id && lookUpTransaction(chain.block(id).root, { account: account.hash, lt: next.lt });
      if (!id || !cell) {
        // History that this server does not keep: the answer ends before it.
        if (cells.length > 0) break;
        throw refused(
          id
            ? "cannot locate transaction in block with specified logical time"
            : `cannot compute block with specified transaction: ${chain.notFound(shard, { lt: next.lt }).message}`,
        );
      }
      if (!isEqual(cell.hash, next.hash)) throw refused("transaction hash mismatch");
      const { previousLt, previousHash } = readTransactionHeader(cell);
      ids.push(id);
      cells.push(cell);
      next = { lt: previousLt, hash: previousHash };
    }
    return { ids, transactions: cells.length > 0 ? writeBocRoots(cells) : new Uint8Array() };
  },
};

/** Transactions of a block in one answer. */
const MAX_LISTED = 256;
/** Bits of the mode. */
const MODE = { account: 1, lt: 2, hash: 4, proof: 32, falling: 64, after: 128 } as const;

export const blockTransactionAnswers: Answers<"listBlockTransactions" | "listBlockTransactionsExt"> = {
  listBlockTransactions: (chain, args) => {
    const { page, ...answer } = listTransactions(chain, args);
    const mode = args.mode & (MODE.account | MODE.lt | MODE.hash);
    const ids = page.map(({ account, lt, cell }) => ({
      mode,
      ...(mode & MODE.account && { account }),
      ...(mode & MODE.lt && { lt: BigInt.asIntN(64, lt) }),
      ...(mode & MODE.hash && { hash: cell.hash }),
    }));
    return { ...answer, ids };
  },
  listBlockTransactionsExt: (chain, args) => {
    const { page, ...answer } = listTransactions(chain, args);
    return { ...answer, transactions: page.length > 0 ? writeBocRoots(page.map(({ cell }) => cell)) : new Uint8Array() };
  },
};

interface Listing {
  readonly id: BlockId;
  readonly reqCount: number;
  readonly incomplete: boolean;
  readonly page: readonly PlacedTransaction[];
  readonly proof: Uint8Array;
}

function listTransactions(chain: LoadedChain, { id, mode, count, after }: LiteArguments<"listBlockTransactions">): Listing {
  const limit = Math.min(count, MAX_LISTED);
  const read = (block: Cell): PlacedTransaction[] => {
    const page: PlacedTransaction[] = [];
    if (limit === 0) return page;
    const start = after && { account: after.account, lt: BigInt.asUintN(64, after.lt) };
    for (const transaction of readTransactions(block, { after: start, falling: (mode & MODE.falling) !== 0 })) {
      if (page.push(transaction) === limit) break;
    }
    return page;
  };
  const { root } = chain.block(id);
  const { value: page, proof } = mode & MODE.proof ? prove(root, read) : { value: read(root), proof: undefined };
  return { id, reqCount: count, incomplete: page.length === limit, page, proof: proof ? writeBoc(proof) : new Uint8Array() };
}
