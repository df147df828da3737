import { Cell, CellBuilder, CellReader, readBoc } from "@chain-query/format/cells";
import { addCurrencies, type Currencies, NO_CURRENCIES, readCurrencies } from "@chain-query/format/currencies";
import { readEntries } from "@chain-query/format/dictionaries";
import type { DecodedTransaction } from "@chain-query/format/transactions";
import type { AccountId, TransactionId } from "../domain.ts";
import { accountKey, accountOf, versionKey } from "../store/keys.ts";
import { readStoredAccount, type StoredAccount, writeAccount } from "../store/records/account-record.ts";
import { accountRecord } from "../store/step-records.ts";
import { countOf, type Tables } from "../store/tables.ts";
import { accountName, must, mustEqual, naming } from "./fault.ts";

interface Known {
  readonly account: AccountId;
  last: TransactionId;
  balance: Currencies;
  /** Hash of the account's cell; unknown before the first transaction of one that was not there at genesis. */
  stateHash?: Uint8Array;
  /** Of the masterchain block that left it so. */
  seqno: number;
}

/** Follows every account from genesis on: each transaction goes on from the one before, each version holds what the blocks say. */
export interface AccountLedger {
  /** Takes the accounts of a zero state, and gives what they hold together. */
  begin(workchain: number, zeroState: Uint8Array): Currencies;
  /** Takes a transaction, with the hashes of the account's cell before it and after it. */
  follow(account: AccountId, transaction: DecodedTransaction, state: StateChange): void;
  /** Ends a step: every account that it touched must have a version. Gives what the step changed of the balances. */
  settle(seqno: number): readonly BalanceChange[];
  /** Compares what is left at the end: newest states, and that there are no versions beside those that were asked for. */
  finish(): void;
}

/** TL-B HASH_UPDATE of a transaction. */
export interface StateChange {
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
}

/** What an account held before a step and after it. */
export interface BalanceChange {
  readonly account: AccountId;
  readonly before: Currencies;
  readonly after: Currencies;
}

const NONE: TransactionId = { lt: 0n, hash: new Uint8Array(32) };

export function accountLedger(tables: Tables): AccountLedger {
  const accounts = new Map<string, Known>();
  const touched = new Map<string, Known>();
  let versions = 0;

  /** Takes a version of an account, whose cell must have the hash that the blocks say. */
  const version = (account: AccountId, seqno: number, stateHash: Uint8Array | undefined): StoredAccount => {
    const name = () => `${accountName(account)} as of masterchain block ${seqno}`;
    const record = tables.versions.get(versionKey(account, seqno));
    must(record !== undefined, () => `the version of ${name()}, which touched it, is missing`);
    versions += 1;
    return naming(name(), () => {
      const stored = readStoredAccount(record);
      const cell = cellOf(tables, stored.cell);
      mustEqual(cell.hash, stateHash, () => `hash of ${name()}`);
      const { hash, lt } = stored.last;
      const shardAccount = new CellBuilder().ref(cell).bytes(hash).bigUint(lt, 64).cell();
      mustEqual(record, writeAccount(accountRecord({ shardAccount }, (code) => code.hash)), () => `record of ${name()}`);
      return stored;
    });
  };

  return {
    begin: (workchain, zeroState) => {
      let sum = NO_CURRENCIES;
      for (const { hash, cell } of accountsOf(zeroState)) {
        const account = { workchain, hash };
        const stored = version(account, 0, cell.hash);
        const balance = { coins: stored.balance, extra: stored.extraCurrencies };
        accounts.set(nameOf(account), { account, last: NONE, balance, stateHash: cell.hash, seqno: 0 });
        sum = addCurrencies(sum, balance);
      }
      return sum;
    },
    follow: (account, { id, previous }, { oldHash, newHash }) => {
      const name = nameOf(account);
      const known = accounts.get(name) ?? { account, last: NONE, balance: NO_CURRENCIES, seqno: -1 };
      const what = () => `transaction ${id.lt} of ${accountName(account)}`;
      mustEqual(previous.lt, known.last.lt, () => `lt of the transaction before ${what()}`);
      mustEqual(previous.hash, known.last.hash, () => `hash of the transaction before ${what()}`);
      must(id.lt > known.last.lt, () => `${what()} does not come after the one before, ${known.last.lt}`);
      known.last = id;
      if (known.stateHash) mustEqual(oldHash, known.stateHash, () => `hash of the state before ${what()}`);
      known.stateHash = newHash;
      accounts.set(name, known);
      touched.set(name, known);
    },
    settle: (seqno) => {
      const changes = Array.from(touched.values(), (known) => {
        const { last, balance, extraCurrencies } = version(known.account, seqno, known.stateHash);
        const where = () => `${accountName(known.account)} as of masterchain block ${seqno}`;
        mustEqual(last.lt, known.last.lt, () => `lt of the last transaction of ${where()}`);
        mustEqual(last.hash, known.last.hash, () => `hash of the last transaction of ${where()}`);
        const before = known.balance;
        known.balance = { coins: balance, extra: extraCurrencies };
        known.seqno = seqno;
        return { account: known.account, before, after: known.balance };
      });
      touched.clear();
      return changes;
    },
    finish: () => {
      for (const { key, value } of tables.accounts.getRange()) {
        const account = accountOf(key);
        naming(accountName(account), () => checkNewest(tables, accounts, account, value));
      }
      mustEqual(countOf(tables.accounts), accounts.size, () => "number of accounts");
      mustEqual(countOf(tables.versions), versions, () => "number of versions of accounts");
    },
  };
}

/** The newest state as a cell must be the one that the last transaction left, and its record must be what that cell decodes to. */
function checkNewest(tables: Tables, accounts: ReadonlyMap<string, Known>, account: AccountId, boc: Uint8Array): void {
  const known = accounts.get(nameOf(account));
  must(known !== undefined, () => `${accountName(account)} is there, and no block knows of it`);
  const shardAccount = readBoc(boc);
  const hash = shardAccount.refs[0]?.hash;
  mustEqual<Uint8Array | undefined>(hash, known.stateHash, () => `hash of the state of ${accountName(account)}`);
  const expected = writeAccount(accountRecord({ shardAccount }, (code) => code.hash));
  const record = tables.versions.get(versionKey(account, known.seqno));
  mustEqual(record, expected, () => `newest version of ${accountName(account)}`);
}

/** The cell of an account, from the parts in which it is stored. */
function cellOf(tables: Tables, { bytes, bitLength, refs }: StoredAccount["cell"]): Cell {
  const bocs = refs.map((ref) => ("kept" in ref ? tables.cells.get(ref.kept) : ref.boc));
  return new Cell(
    bytes,
    bitLength,
    bocs.map((boc, i) => {
      must(boc !== undefined, () => `code, reference ${i}, is missing`);
      return readBoc(boc);
    }),
  );
}

/** The accounts in a TL-B ShardStateUnsplit, which begins with its queue and goes on with its accounts. */
function* accountsOf(zeroState: Uint8Array) {
  const [, accounts] = readBoc(zeroState).refs;
  const root = accounts && new CellReader(accounts).maybeRef();
  for (const { key, leaf } of root ? readEntries(root, 256) : []) {
    leaf.skip(5);
    readCurrencies(leaf);
    yield { hash: key, cell: leaf.ref() };
  }
}

function nameOf(account: AccountId): string {
  return accountKey(account).toString("latin1");
}
