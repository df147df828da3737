import type { StepTransaction } from "@chain-query/chain-store";
import { buildShardAccount, decodeAccount, NO_ACCOUNT } from "@chain-query/format/accounts";
import { type Cell, PrunedCellError, replacePruned, toBinaryString } from "@chain-query/format/cells";
import { lookUpAccount } from "@chain-query/format/states";
import { readTransactionHeader } from "@chain-query/format/transactions";

/** Cached codes. */
const CODES = 500;

/**
 * Reads accounts from blocks instead of querying a server. The Merkle update of a block has the new cells of an account. The unchanged cells
 * are mostly its code, which is cached.
 */
export interface ShownAccounts {
  /**
   * Returns an account after its last transaction in a block: TL-B ShardAccount. Undefined if cells are missing.
   *
   * @param state - The state after the block, without the cells that the block does not contain.
   */
  find(state: Cell, last: StepTransaction): Cell | undefined;
  /** Caches the code of an account. */
  remember(code: Cell | undefined): void;
}

export function shownAccounts(): ShownAccounts {
  const codes = new Map<string, Cell>();

  const remember = (code: Cell | undefined): void => {
    if (!code || codes.has(toBinaryString(code.hash))) return;
    if (codes.size >= CODES) codes.clear();
    codes.set(toBinaryString(code.hash), code);
  };

  const read = (state: Cell, last: StepTransaction): Cell | undefined => {
    const entry = lookUpAccount(state, last.account.hash);
    if (!entry) return deletedAccount(last);
    const account = replacePruned(entry.account, (hash) => codes.get(toBinaryString(hash)));
    if (account.levelMask !== 0) return undefined;
    remember(decodeAccount(account).code);
    return buildShardAccount(account, entry.last);
  };

  return {
    find: (state, last) => {
      try {
        return read(state, last);
      } catch (error) {
        if (error instanceof PrunedCellError) return undefined;
        throw error;
      }
    },
    remember,
  };
}

/** A deleted account. Its last transaction is not in the state, but in the block. */
export function deletedAccount({ cell }: StepTransaction): Cell {
  return buildShardAccount(NO_ACCOUNT, { hash: cell.hash, lt: readTransactionHeader(cell).lt });
}
