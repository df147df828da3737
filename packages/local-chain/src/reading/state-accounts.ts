import {
  accountKey,
  accountOf,
  accountRecord,
  type BlockHeader,
  ChainStoreError,
  headerRecord,
} from "@chain-query/chain-store";
import { SHARD_ACCOUNTS, type ShardAccount } from "@chain-query/format/accounts";
import { readBlock } from "@chain-query/format/blocks";
import { readBoc } from "@chain-query/format/cells";
import type { Currencies } from "@chain-query/format/currencies";
import { Trie } from "@chain-query/format/dictionaries";
import { type AccountId, blockName, containsAccount, type ShardId } from "@chain-query/format/identifiers";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { blockKey, versionKey } from "../store/keys.ts";
import { type CellOfRecord, cellOfRecord } from "../store/store-contents.ts";
import { type Seek, seekIn, type Tables } from "../store/tables.ts";

/** The accounts of a shard after a block. */
export interface AccountsAfter {
  readonly block: BlockHeader;
  readonly accounts: Trie<ShardAccount, Currencies>;
}

/**
 * Builds the accounts of a shard after a block: from the accounts after another block and the changes between both blocks, or from all
 * accounts if these are fewer.
 */
export function accountsBuilder(
  tables: Tables,
): (block: BlockHeader, near: AccountsAfter | undefined) => AccountsAfter["accounts"] {
  const versions = seekIn(tables.versions);
  const cellOf = cellOfRecord(tables);

  return (block, near) => {
    const read = (account: AccountId) => readVersion(versions, cellOf, account, block.masterchainSeqno);
    const changed = near && changedBetween(tables, block, near);
    if (!changed) {
      const all = Array.from(accountsOf(tables, block.id), (account) => [account.hash, read(account)] as const);
      return Trie.from(
        SHARD_ACCOUNTS,
        all.flatMap(([hash, entry]) => (entry ? [[hash, entry] as const] : [])),
      );
    }
    let { accounts } = near;
    for (const account of changed) {
      const entry = read(account);
      accounts = entry ? accounts.set(account.hash, entry) : accounts.delete(account.hash);
    }
    return accounts;
  };
}

/** The newest version of an account at or before a masterchain block; undefined if the account did not exist. */
function readVersion(
  versions: Seek,
  cellOf: CellOfRecord,
  account: AccountId,
  masterchainSeqno: number,
): ShardAccount | undefined {
  const record = versions.downwards(versionKey(account, masterchainSeqno), accountKey(account));
  if (!record) return undefined;
  const { cell, balance, extraCurrencies, last } = accountRecord.decode(record);
  // TL-B account_none$0
  if (cell.bitLength === 1) return undefined;
  return {
    account: cellOf(cell),
    balance: { coins: balance, extra: extraCurrencies },
    lastHash: last.hash,
    lastLt: last.lt,
  };
}

/** The accounts with transactions between two blocks of a shard; undefined if there are more transactions than accounts. */
function changedBetween(tables: Tables, { id }: BlockHeader, { block, accounts }: AccountsAfter): AccountId[] | undefined {
  const from = Math.min(id.seqno, block.id.seqno) + 1;
  const to = Math.max(id.seqno, block.id.seqno);
  let transactions = 0;
  for (let seqno = from; seqno <= to; seqno++) {
    transactions += headerRecord.decode(existing(tables.blocks.get(blockKey(id, seqno)), id, seqno)).transactionCount;
    if (transactions > accounts.size) return undefined;
  }
  const changed = new Map<string, AccountId>();
  for (let seqno = from; seqno <= to; seqno++) {
    const data = existing(tables.blockData.get(blockKey(id, seqno)), id, seqno);
    for (const cell of readBlock(readBoc(data)).transactions) {
      const { account: hash } = readTransactionHeader(cell);
      changed.set(Buffer.from(hash).toString("latin1"), { workchain: id.workchain, hash });
    }
  }
  return Array.from(changed.values());
}

/** All accounts that ever were in a shard. */
function* accountsOf(tables: Tables, shard: ShardId): Generator<AccountId, void, undefined> {
  const marked = BigInt.asUintN(64, shard.shard);
  const lowest = new Uint8Array(32);
  new DataView(lowest.buffer).setBigUint64(0, marked & (marked - 1n));
  const start = accountKey({ workchain: shard.workchain, hash: lowest });
  for (const key of tables.accounts.getKeys({ start })) {
    const account = accountOf(key);
    if (!containsAccount(shard, account)) return;
    yield account;
  }
}

function existing(record: Uint8Array | undefined, shard: ShardId, seqno: number): Uint8Array {
  if (!record) throw new ChainStoreError(`the chain is damaged: block ${blockName({ ...shard, seqno })} is missing`);
  return record;
}
