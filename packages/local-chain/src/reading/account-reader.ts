import type { AccountId, AccountState, ChainReader } from "../domain.ts";
import { knownHeader, storedHead } from "../store/chain-records.ts";
import { accountKey, versionKey } from "../store/keys.ts";
import { readAccount } from "../store/records/account-record.ts";
import type { StoredGenesis } from "../store/records/genesis-record.ts";
import { seekIn } from "../store/seek.ts";
import type { Tables } from "../store/tables.ts";
import { keptCells } from "./kept-cells.ts";
import { isU32 } from "./number-range.ts";

const NEVER_SEEN = {
  status: "uninitialized",
  balance: 0n,
  extraCurrencies: [],
  last: { lt: 0n, hash: new Uint8Array(32) },
} as const satisfies Omit<AccountState, "account" | "block">;

/** Reads accounts: the newest version that is not newer than the block as of which they are read. */
export function accountReader(tables: Tables, genesis: StoredGenesis): Pick<ChainReader, "account"> {
  const codeOf = keptCells(tables.cells);
  const versions = seekIn(tables.versions);

  const versionAsOf = (account: AccountId, seqno: number): Omit<AccountState, "account" | "block"> => {
    const record = versions.downwards(versionKey(account, seqno), accountKey(account));
    return record ? readAccount(record, codeOf) : NEVER_SEEN;
  };

  return {
    account: (account, asOfSeqno) => {
      const head = storedHead(tables).seqno;
      const seqno = asOfSeqno ?? head;
      if (!isU32(seqno) || seqno > head) return undefined;
      return { account, ...versionAsOf(account, seqno), block: knownHeader(tables, genesis, genesis.masterchain, seqno) };
    },
  };
}
