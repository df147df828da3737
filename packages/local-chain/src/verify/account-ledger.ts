import { buildShardAccount, NO_ACCOUNT } from "@chain-query/format/accounts";
import { isEqual, readBoc } from "@chain-query/format/cells";
import { addCurrencies, type Currencies, NO_CURRENCIES } from "@chain-query/format/currencies";
import {
  type AccountId,
  accountName,
  blockName,
  containsAccount,
  type ShardId,
  type TransactionId,
} from "@chain-query/format/identifiers";
import { readAccounts, readState } from "@chain-query/format/states";
import {
  accountKey,
  accountOf,
  accountRecord,
  type BlockHeader,
  type StoredAccount,
  storedAccount,
} from "@chain-query/format/store";
import type { DecodedTransaction } from "@chain-query/format/transactions";
import { blockVersionKey, versionKey } from "../store/records.ts";
import { cellOfRecord } from "../store/store-contents.ts";
import { countOf, type Tables } from "../store/tables.ts";
import { must, mustEqual, naming } from "./fault.ts";

interface AccountProgress {
  readonly account: AccountId;
  last: TransactionId;
  /** Of the first transaction in the next block: that of an account which was deleted in a block before has none. */
  previous: TransactionId;
  balance: Currencies;
  /** Hash of the account's cell; unknown until the first transaction of an account that does not exist at genesis. */
  stateHash?: Uint8Array;
  /** Of the masterchain block of its newest version. */
  seqno: number;
}

/** Follows every account from genesis: each transaction links to the previous one, unless that deleted the account in an earlier block, and each version matches the blocks. */
interface AccountLedger {
  /** Adds the accounts of a zero state, and returns the sum of their balances. */
  begin(workchain: number, zeroState: Uint8Array): Currencies;
  /** Adds a transaction, with the hashes of the account's cell before and after it. */
  follow(account: AccountId, transaction: DecodedTransaction, state: StateChange): void;
  /** The sum of the balances in a shard, as of the last step that was ended. */
  balanceOf(shard: ShardId): Currencies;
  /** Ends a block that is not the last one of its shard in a step: every account that it changed must have a version. */
  settleBlock(block: BlockHeader): readonly BalanceChange[];
  /** Ends a step: every account that it changed must have a version. Returns the changes of balances since the block before. */
  settle(seqno: number): readonly BalanceChange[];
  /** Checks the newest states, and that there are no other versions. */
  finish(): void;
}

/** TL-B HASH_UPDATE of a transaction. */
export interface StateChange {
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
}

/** The balance of an account before and after a step, or a block. */
export interface BalanceChange {
  readonly account: AccountId;
  readonly before: Currencies;
  readonly after: Currencies;
}

const NO_TRANSACTION: TransactionId = { lt: 0n, hash: new Uint8Array(32) };

export function accountLedger(tables: Tables): AccountLedger {
  const accounts = new Map<string, AccountProgress>();
  const touched = new Map<string, AccountProgress>();
  const cellOf = cellOfRecord(tables);
  let versions = 0;

  /** Reads and checks a version of an account: its cell must have the hash that the blocks state. */
  const version = (account: AccountId, key: Buffer, when: string, stateHash: Uint8Array | undefined): StoredAccount => {
    const name = () => `account ${accountName(account)} as of ${when}`;
    const record = tables.versions.get(key);
    must(record !== undefined, () => `the version of ${name()} is missing`);
    versions += 1;
    return naming(name(), () => {
      const stored = accountRecord.decode(record);
      const cell = cellOf(stored.cell);
      mustEqual(cell.hash, stateHash, () => `hash of ${name()}`);
      const shardAccount = buildShardAccount(cell, stored.last);
      mustEqual(record, accountRecord.encode(storedAccount(shardAccount, (code) => code.hash)), () => `record of ${name()}`);
      return stored;
    });
  };

  const change = (known: AccountProgress, key: Buffer, when: string): BalanceChange => {
    const { last, balance, extraCurrencies } = version(known.account, key, when, known.stateHash);
    const where = () => `account ${accountName(known.account)} as of ${when}`;
    mustEqual(last.lt, known.last.lt, () => `lt of the last transaction of ${where()}`);
    mustEqual(last.hash, known.last.hash, () => `hash of the last transaction of ${where()}`);
    if (known.stateHash && isEqual(known.stateHash, NO_ACCOUNT.hash)) known.previous = NO_TRANSACTION;
    const before = known.balance;
    known.balance = { coins: balance, extra: extraCurrencies };
    return { account: known.account, before, after: known.balance };
  };

  return {
    begin: (workchain, zeroState) => {
      let sum = NO_CURRENCIES;
      for (const { address, account: cell } of readAccounts(readState(readBoc(zeroState)).accounts)) {
        const account = { workchain, hash: address };
        const stored = version(account, versionKey(account, 0), "masterchain block 0", cell.hash);
        const balance = { coins: stored.balance, extra: stored.extraCurrencies };
        accounts.set(keyText(account), {
          account,
          last: NO_TRANSACTION,
          previous: NO_TRANSACTION,
          balance,
          stateHash: cell.hash,
          seqno: 0,
        });
        sum = addCurrencies(sum, balance);
      }
      return sum;
    },
    follow: (account, { id, previous }, { oldHash, newHash }) => {
      const name = keyText(account);
      const known: AccountProgress = accounts.get(name) ?? {
        ...{ account, balance: NO_CURRENCIES, seqno: -1 },
        ...{ last: NO_TRANSACTION, previous: NO_TRANSACTION },
      };
      const what = () => `transaction ${id.lt} of account ${accountName(account)}`;
      mustEqual(previous.lt, known.previous.lt, () => `previous lt of ${what()}`);
      mustEqual(previous.hash, known.previous.hash, () => `previous hash of ${what()}`);
      must(id.lt > known.last.lt, () => `${what()} does not follow the previous one, ${known.last.lt}`);
      known.last = id;
      known.previous = id;
      if (known.stateHash) mustEqual(oldHash, known.stateHash, () => `hash of the state before ${what()}`);
      known.stateHash = newHash;
      accounts.set(name, known);
      touched.set(name, known);
    },
    balanceOf: (shard) => {
      let sum = NO_CURRENCIES;
      for (const { account, balance } of accounts.values())
        if (containsAccount(shard, account)) sum = addCurrencies(sum, balance);
      return sum;
    },
    settleBlock: (block) => {
      const when = `block ${blockName(block.id)}`;
      const own = [...touched.values()].filter(
        ({ account, last }) => containsAccount(block.id, account) && last.lt > block.startLt,
      );
      return own.map((known) => change(known, blockVersionKey(known.account, block), when));
    },
    settle: (seqno) => {
      const changes = Array.from(touched.values(), (known) => {
        known.seqno = seqno;
        return change(known, versionKey(known.account, seqno), `masterchain block ${seqno}`);
      });
      touched.clear();
      return changes;
    },
    finish: () => {
      for (const { key, value } of tables.accounts.getRange()) {
        const account = accountOf(key);
        naming(`account ${accountName(account)}`, () => checkNewest(tables, accounts, account, value));
      }
      mustEqual(countOf(tables.accounts), accounts.size, () => "number of accounts");
      mustEqual(countOf(tables.versions), versions, () => "number of versions of accounts");
    },
  };
}

/** The newest state must have the hash that the last transaction states, and its record must equal the decoded cell. */
function checkNewest(
  tables: Tables,
  accounts: ReadonlyMap<string, AccountProgress>,
  account: AccountId,
  boc: Uint8Array,
): void {
  const known = accounts.get(keyText(account));
  must(known !== undefined, () => `account ${accountName(account)} is in no block`);
  const shardAccount = readBoc(boc);
  const hash = shardAccount.refs[0]?.hash;
  mustEqual(hash, known.stateHash, () => `hash of the state of account ${accountName(account)}`);
  const expected = accountRecord.encode(storedAccount(shardAccount, (code) => code.hash));
  const record = tables.versions.get(versionKey(account, known.seqno));
  mustEqual(record, expected, () => `newest version of account ${accountName(account)}`);
}

function keyText(account: AccountId): string {
  return accountKey(account).toString("latin1");
}
