import type { StepTransaction } from "@chain-query/chain-store";
import { buildShardAccount, decodeAccount, NO_ACCOUNT } from "@chain-query/format/accounts";
import { type Cell, PrunedCellError, replacePruned, toBinaryString } from "@chain-query/format/cells";
import { lookUpAccount } from "@chain-query/format/states";
import { readTransactionHeader } from "@chain-query/format/transactions";

/** Codes that are remembered. */
const CODES = 500;

/**
 * Accounts as blocks show them, so that no server has to be asked. The Merkle update of a block has the cells that are new in the state of
 * its shard: all of an account but what it keeps. That is mostly its code, which is remembered.
 */
export interface ShownAccounts {
  /**
   * An account after its last transaction in a block: TL-B ShardAccount. Undefined if the block does not show all of it.
   *
   * @param state - The state after the block, from which all is pruned that the block does not show.
   */
  find(state: Cell, last: StepTransaction): Cell | undefined;
  /** Remembers the code of an account. */
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

/** An account that does not exist any more. Its state does not show its last transaction, but the block does. */
export function deletedAccount({ cell }: StepTransaction): Cell {
  return buildShardAccount(NO_ACCOUNT, { hash: cell.hash, lt: readTransactionHeader(cell).lt });
}
