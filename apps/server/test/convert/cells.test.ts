import { readBoc } from "@chain-query/format/cells";
import { decodeTransaction } from "@chain-query/format/transactions";
import { expect, test } from "vitest";
import { extTransaction, rawTransaction } from "../../src/convert/account.ts";
import { transactionOf } from "../../src/convert/cells.ts";
import { knownChain } from "../fixtures/chain.ts";

test("a transaction of lite servers is converted like the same transaction of a folder", () => {
  const { reader, transactions } = knownChain();
  const { block } = reader.head();
  for (const known of transactions) {
    const cell = readBoc(known.data);
    const found = transactionOf({ ...decodeTransaction(cell), account: known.account, cell, block: block.id });
    expect(rawTransaction(found)).toEqual(rawTransaction(known));
    expect(extTransaction(found)).toEqual(extTransaction(known));
  }
});
