import { type PlacedTransaction, readTransactions } from "@chain-query/format/blocks";
import { type Cell, writeBoc, writeBocRoots } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import type { LiteArguments } from "@chain-query/lite-protocol/tl";
import type { LoadedChain } from "../loaded-chain.ts";
import { prove } from "../proofs.ts";
import type { Answers } from "./answer.ts";

/** Transactions in one answer. */
const MAX_TRANSACTIONS = 256;
/** Bits of the mode. */
const MODE = { account: 1, lt: 2, hash: 4, proof: 32, falling: 64, after: 128 } as const;

/** The transactions of a block in pages. */
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
  const limit = Math.min(count, MAX_TRANSACTIONS);
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
