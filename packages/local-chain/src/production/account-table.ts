import { textOf, writeBoc } from "@chain-query/format/cells";
import type { AccountId } from "../domain.ts";
import { absentShardAccount } from "../genesis/account-cell.ts";
import type { ChainStoreWriter } from "../store/commit.ts";

/** Accounts as the virtual machine takes and gives them: bags of cells (TL-B ShardAccount) in base64. */
export interface AccountTable {
  get(account: AccountId): string;
  set(account: AccountId, shardAccount: string): void;
  /** The store has what was set: it need not be held any more. */
  forget(): void;
}

const ABSENT = Buffer.from(writeBoc(absentShardAccount())).toString("base64");

/** The accounts of a store, and over them what was set since. Those that are nowhere do not exist. */
export function accountTable(store: Pick<ChainStoreWriter, "account">): AccountTable {
  const changed = new Map<string, string>();
  return {
    get(account) {
      const known = changed.get(nameOf(account));
      if (known !== undefined) return known;
      const boc = store.account(account);
      return boc ? Buffer.from(boc.buffer, boc.byteOffset, boc.byteLength).toString("base64") : ABSENT;
    },
    set(account, shardAccount) {
      changed.set(nameOf(account), shardAccount);
    },
    forget: () => changed.clear(),
  };
}

function nameOf({ workchain, hash }: AccountId): string {
  return `${workchain}:${textOf(hash)}`;
}
