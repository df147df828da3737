import type { AccountId } from "@chain-query/format/identifiers";
import type { AccountState, ChainReader } from "../domain.ts";
import { accountKey, isU32, versionKey } from "../store/keys.ts";
import { accountRecord, type StoredGenesis } from "../store/records.ts";
import { keptCells, knownHeader, storedHead } from "../store/store-contents.ts";
import { seekIn, type Tables } from "../store/tables.ts";

type Version = Omit<AccountState, "account" | "block">;

/** The state of a shard has nothing of an account that does not exist, be it that it never did or that it was deleted. */
const ABSENT: Version = {
  status: "uninitialized",
  balance: 0n,
  extraCurrencies: [],
  last: { lt: 0n, hash: new Uint8Array(32) },
};

/** Reads accounts: the newest version at or before a masterchain block. */
export function accountReader(tables: Tables, genesis: StoredGenesis): Pick<ChainReader, "account"> {
  const cellOf = keptCells(tables.cells);
  const versions = seekIn(tables.versions);

  const versionAt = (account: AccountId, seqno: number): Version => {
    const record = versions.downwards(versionKey(account, seqno), accountKey(account));
    return record ? decodeVersion(record, cellOf) : ABSENT;
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

function decodeVersion(record: Uint8Array, cellOf: (hash: Uint8Array) => Uint8Array): Version {
  const { cell, code, data, ...account } = accountRecord.decode(record);
  // TL-B account_none$0; every other account has more bits.
  if (cell.bitLength === 1) return ABSENT;
  const bocAt = (index: number | undefined): Uint8Array | undefined => {
    const ref = index === undefined ? undefined : cell.refs[index];
    return ref && ("kept" in ref ? cellOf(ref.kept) : ref.boc);
  };
  const codeBoc = bocAt(code);
  const dataBoc = bocAt(data);
  return { ...account, ...(codeBoc && { code: codeBoc }), ...(dataBoc && { data: dataBoc }) };
}
