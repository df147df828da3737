import { expect, test } from "vitest";
import { buildAccountBlocks } from "../../src/blocks/index.ts";
import { type Cell, CellBuilder } from "../../src/cells/index.ts";
import { changesOfAccounts, readStepTransactions } from "../../src/store/step.ts";
import { readTransactionHeader } from "../../src/transactions.ts";
import { ACCOUNT, STATE_INIT, transactionCell } from "./step-values.ts";

const EMPTY = new CellBuilder().cell();

/** TL-B Block with transactions only. */
function blockCell(...transactions: readonly Cell[]): Cell {
  const accountBlocks = new CellBuilder();
  buildAccountBlocks(transactions.map(readTransactionHeader)).write(accountBlocks);
  const extra = new CellBuilder().uint(0x4a33f6fd, 32).ref(EMPTY).ref(EMPTY).ref(accountBlocks.cell());
  const rest = extra.bytes(new Uint8Array(64)).bit(false).cell();
  return new CellBuilder().uint(0x11ef55aa, 32).int(0, 32).ref(EMPTY).ref(EMPTY).ref(EMPTY).ref(rest).cell();
}

test("the transactions of a block have the workchain of the block", () => {
  const cell = transactionCell(undefined);
  const transactions = readStepTransactions(blockCell(cell), -1);
  expect(transactions).toEqual([{ account: { workchain: -1, hash: ACCOUNT.hash }, cell }]);
  expect(readStepTransactions(blockCell(), 0)).toEqual([]);
});

test("an account that several blocks change is changed once, by its first to its last transaction", () => {
  const [first, last] = [transactionCell(undefined), transactionCell(STATE_INIT)];
  const other = { workchain: -1, hash: ACCOUNT.hash };
  const blocks = [
    { transactions: [{ account: ACCOUNT, cell: first }] },
    {
      transactions: [
        { account: { ...ACCOUNT }, cell: last },
        { account: other, cell: first },
      ],
    },
  ];
  expect(changesOfAccounts(blocks)).toEqual([
    { first: { account: ACCOUNT, cell: first }, last: { account: ACCOUNT, cell: last } },
    { first: { account: other, cell: first }, last: { account: other, cell: first } },
  ]);
});
