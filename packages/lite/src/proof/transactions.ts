import { type PlacedTransaction, readTransactions, type TransactionPlace } from "@chain-query/format/blocks";
import { type Cell, hex, isEqual, openMerkleProof } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { requireBlock, UnprovenError } from "@chain-query/proof/unproven";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { checked, readData, readProof } from "./evidence.ts";

/** Transactions in one list at most. */
const MAX_LISTED = 256;

export interface ListQuestion {
  readonly block: BlockId;
  readonly count: number;
  /** Mode bit 128: only transactions after this place, in the requested order. */
  readonly after?: TransactionPlace | undefined;
  /** Mode bit 64: from the last to the first. */
  readonly reverse?: boolean | undefined;
}

export interface ProvedList {
  readonly transactions: readonly PlacedTransaction[];
  readonly isComplete: boolean;
}

/**
 * Checks a list of transactions with a proof (mode bit 32). The proof must show the whole range: a pruned branch does not prove that a
 * transaction is absent.
 */
export function checkTransactionCells(asked: ListQuestion, answer: LiteAnswer<"listBlockTransactionsExt">): ProvedList {
  return checked("a proof of a block's transactions", () => {
    requireBlock("the block of transactions", answer.id, asked.block);
    // A bag of cells has a root: a server sends nothing, or one without roots, if there is no transaction.
    const cells = answer.transactions.length === 0 ? [] : readData(answer.transactions, "transactions", MAX_LISTED);
    const shown = readRange(asked, answer, cells.length);
    const transactions = shown.map(({ account, lt, cell }, i) => ({
      ...{ account, lt },
      cell: requireHash(cells[i], cell.hashAt(0), formatPlace({ account, lt })),
    }));
    return { transactions, isComplete: !answer.incomplete };
  });
}

/** The transactions of the range in the proof: as many as in the answer, and no more follow if the answer is complete. */
function readRange(
  { block, count, after, reverse }: ListQuestion,
  { proof, incomplete }: { readonly proof: Uint8Array; readonly incomplete: boolean },
  answered: number,
): readonly PlacedTransaction[] {
  const most = Math.min(count, MAX_LISTED);
  if (answered > most) throw new UnprovenError(`a list must have at most ${most} transactions, got ${answered}`);
  if (incomplete && answered < most)
    throw new UnprovenError(`a list must have ${most} transactions or be complete, got ${answered}`);
  const shown: PlacedTransaction[] = [];
  const range = readTransactions(openMerkleProof(readProof(proof), block.rootHash), { after, falling: reverse });
  while (shown.length < answered) {
    const { value } = range.next();
    if (!value) throw new UnprovenError(`a list must have ${shown.length} transactions, got ${answered}`);
    shown.push(value);
  }
  if (!incomplete) {
    const { value } = range.next();
    if (value) throw new UnprovenError(`a list must not end before ${formatPlace(value)}`);
  }
  return shown;
}

function requireHash(cell: Cell | undefined, hash: Uint8Array, name: string): Cell {
  if (!cell || !isEqual(cell.hash, hash))
    throw new UnprovenError(`${name} must have hash ${hex(hash)}, got ${cell ? hex(cell.hash) : "no cell"}`);
  return cell;
}

function formatPlace({ account, lt }: TransactionPlace): string {
  return `the transaction of ${hex(account)} at lt ${lt}`;
}
