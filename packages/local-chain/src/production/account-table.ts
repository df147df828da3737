import { toBinaryString, writeBoc } from "@chain-query/format/cells";
import type { AccountId } from "@chain-query/format/identifiers";
import { absentShardAccount } from "../genesis/accounts.ts";
import type { ChainStoreWriter } from "../store/commit.ts";

/** Accounts as the virtual machine takes and returns them: bags of cells (TL-B ShardAccount) in base64. */
export interface AccountTable {
  get(account: AccountId): string;
  set(account: AccountId, shardAccount: string): void;
  /** Drops the accounts that were set, after they were committed to the store. */
  clear(): void;
}

const ABSENT = Buffer.from(writeBoc(absentShardAccount())).toString("base64");

/** The accounts of a store, overlaid with those that were set since the last commit. */
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
    clear: () => changed.clear(),
  };
}

function nameOf({ workchain, hash }: AccountId): string {
  return `${workchain}:${toBinaryString(hash)}`;
}
