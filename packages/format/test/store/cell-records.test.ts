import { beforeEach, describe, expect, test } from "vitest";
import { buildShardAccount, NO_ACCOUNT } from "../../src/accounts.ts";
import { type Cell, writeBoc } from "../../src/cells/index.ts";
import {
  ABSENT_ACCOUNT,
  cellsOfTransaction,
  decodeAccount,
  decodeStoredTransaction,
  storedAccount,
  storedTransaction,
} from "../../src/store/cell-records.ts";
import { accountRecord, transactionRecord } from "../../src/store/records.ts";
import { decodeTransaction } from "../../src/transactions.ts";
import { ACCOUNT, accountCell, CODE, DATA, STATE_INIT, transactionCell } from "./step-values.ts";

const LAST = { lt: 61n, hash: new Uint8Array(32).fill(3) };

let cells: Map<string, Uint8Array>;
beforeEach(() => {
  cells = new Map();
});

const name = (hash: Uint8Array) => Buffer.from(hash).toString("hex");
const keepCell = (cell: Cell) => {
  cells.set(name(cell.hash), writeBoc(cell));
  return cell.hash;
};
const cellOf = (hash: Uint8Array) => cells.get(name(hash)) ?? expect.fail(`cell ${name(hash)} is not kept`);

describe("a transaction", () => {
  test.each([
    ["with an initial state", STATE_INIT],
    ["without one", undefined],
  ])("%s is decoded from its record", (_, initState) => {
    const cell = transactionCell(initState);
    const decoded = decodeTransaction(cell);
    const record = transactionRecord.encode(storedTransaction(decoded, writeBoc(cell), 5, keepCell));
    const { inMessage, ...transaction } = decodeStoredTransaction(ACCOUNT, record, cellOf);
    expect(transaction).toMatchObject({ account: ACCOUNT, id: decoded.id, fee: 9n, storageFee: 4n, masterchainSeqno: 5 });
    expect(Buffer.compare(transaction.data, writeBoc(cell))).toBe(0);
    expect(inMessage?.hash).toEqual(decoded.inMessage?.hash);
    expect(inMessage?.initState).toEqual(initState && writeBoc(initState));
    const needed = initState ? [name(initState.hash)] : [];
    expect(cellsOfTransaction(record).map(name)).toEqual(needed);
    expect([...cells.keys()]).toEqual(needed);
  });
});

describe("a version of an account", () => {
  const recordOf = (account: Cell) => accountRecord.encode(storedAccount(buildShardAccount(account, LAST), keepCell));

  test("that is active has its code once in the store, and its data in the record", () => {
    const record = recordOf(accountCell("active"));
    expect([...cells.keys()]).toEqual([name(CODE.hash)]);
    const account = decodeAccount(ACCOUNT, record, cellOf);
    expect(account).toMatchObject({ status: "active", balance: 12n, last: LAST });
    expect([account.code, account.data].map((boc) => boc && name(boc))).toEqual(
      [CODE, DATA].map((cell) => name(writeBoc(cell))),
    );
  });

  test("that is frozen has the hash of its state", () => {
    const account = decodeAccount(ACCOUNT, recordOf(accountCell("frozen")), cellOf);
    expect(account).toEqual({ status: "frozen", balance: 12n, extraCurrencies: [], frozenHash: CODE.hash, last: LAST });
  });

  test("that was deleted equals an account that never existed", () => {
    const record = recordOf(NO_ACCOUNT);
    expect(accountRecord.decode(record).last).toEqual(LAST);
    expect(decodeAccount(ACCOUNT, record, cellOf)).toBe(ABSENT_ACCOUNT);
  });

  test("is refused for another account", () => {
    const other = { ...ACCOUNT, workchain: ACCOUNT.workchain === 0 ? -1 : 0 };
    expect(() => decodeAccount(other, recordOf(accountCell("active")), cellOf)).toThrow("is that of another one");
  });
});
