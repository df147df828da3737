import { ABSENT_ACCOUNT, type AccountVersion, accountKey, decodeAccount } from "@chain-query/chain-store";
import type { AccountId } from "@chain-query/format/identifiers";
import type { ChainReader } from "../domain.ts";
import { isU32, versionKey } from "../store/keys.ts";
import type { StoredGenesis } from "../store/records.ts";
import { keptCells, knownHeader, storedHead } from "../store/store-contents.ts";
import { seekIn, type Tables } from "../store/tables.ts";

/** Reads accounts: the newest version at or before a masterchain block. */
export function accountReader(tables: Tables, genesis: StoredGenesis): Pick<ChainReader, "account"> {
  const cellOf = keptCells(tables.cells);
  const versions = seekIn(tables.versions);

  const versionAt = (account: AccountId, seqno: number): AccountVersion => {
    const record = versions.downwards(versionKey(account, seqno), accountKey(account));
    return record ? decodeAccount(account, record, cellOf) : ABSENT_ACCOUNT;
  };

  return {
    account: (account, asOfSeqno) => {
      const head = storedHead(tables).seqno;
      const seqno = asOfSeqno ?? head;
      if (!isU32(seqno) || seqno > head) return undefined;
      return { account, ...versionAt(account, seqno), block: knownHeader(tables, genesis, genesis.masterchain, seqno) };
    },
  };
}
