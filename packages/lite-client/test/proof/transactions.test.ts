import { readTransactions, type TransactionPlace } from "@chain-query/format/blocks";
import { type Cell, createMerkleProof, readBocRoots, writeBoc, writeBocRoots } from "@chain-query/format/cells";
import { describe, expect, test } from "vitest";
import { checkHistory } from "../../src/proof/history.ts";
import { checkTransaction, checkTransactionCells, checkTransactionIds } from "../../src/proof/transactions.ts";
import { historyAnswer, listAnswer, transactionAnswer } from "./honest-answers.ts";
import { ACTIVE, address, LEFT, MASTER, RIGHT, type SampleTransaction, sampleChain } from "./sample-chain.ts";

const chain = sampleChain(12);
const block = chain.block(LEFT, 4);
const root = block.root as Cell;
/** Two transactions of each of three accounts. */
const places: readonly TransactionPlace[] = Array.from(readTransactions(root), ({ account, lt }) => ({ account, lt }));
const place = places[2] as TransactionPlace;

describe("checkTransaction", () => {
  test("finds a transaction, and that it does not exist", () => {
    for (const each of places) {
      const found = checkTransaction({ ...each, block: block.id }, transactionAnswer(block, each));
      const own = chain.transactions.find(
        ({ id, account }) => id.lt === each.lt && Buffer.compare(account.hash, each.account) === 0,
      );
      expect(found?.hash).toEqual(own?.id.hash);
    }
    for (const each of [
      { ...place, lt: 1n },
      { ...place, account: address(0x12) },
    ]) {
      expect(checkTransaction({ ...each, block: block.id }, transactionAnswer(block, each))).toBeUndefined();
    }
  });

  test("rejects another transaction, and an absence with a pruned branch", () => {
    const asked = { ...place, block: block.id };
    const honest = transactionAnswer(block, place);
    const other = transactionAnswer(block, places[3] as TransactionPlace);
    const absent = { ...place, lt: 1n };
    expect(() => checkTransaction(asked, { ...honest, transaction: other.transaction })).toThrow("must have hash");
    expect(() => checkTransaction(asked, { ...honest, transaction: new Uint8Array() })).toThrow("got no transaction");
    expect(() => checkTransaction(asked, { ...honest, id: chain.block(LEFT, 3).id })).toThrow(
      "the block of a transaction must be",
    );
    const elsewhere = transactionAnswer(chain.block(LEFT, 3), place);
    expect(() => checkTransaction(asked, { ...elsewhere, id: block.id })).toThrow("must prove the tree");
    const hidden = transactionAnswer(block, { ...place, account: address(0x30) });
    expect(() => checkTransaction(asked, { ...hidden, transaction: new Uint8Array() })).toThrow("is a pruned branch");
    const falseAnswer = { ...transactionAnswer(block, absent), transaction: honest.transaction };
    expect(() => checkTransaction({ ...absent, block: block.id }, falseAnswer)).toThrow("must not be in the block");
  });
});

const directions = [false, true].flatMap((reverse) =>
  [undefined, ...places, { account: address(0x12), lt: 5n }].map((after) => ({ reverse, after })),
);

describe("a list of a block's transactions", () => {
  test.each(directions)("is the range that was asked for: %#", ({ reverse, after }) => {
    const expected = Array.from(readTransactions(root, { after, falling: reverse }), ({ account, lt }) => ({ account, lt }));
    for (const count of [1, 2, 5, 6, 7, 300]) {
      const asked = { block: block.id, count, after, reverse };
      const answer = listAnswer(block, asked);
      const ids = checkTransactionIds(asked, answer);
      expect(ids.transactions.map(({ account, lt }) => ({ account, lt }))).toEqual(expected.slice(0, count));
      expect(ids.isComplete).toBe(expected.length < count);
      const cells = checkTransactionCells(asked, answer);
      expect(cells.transactions.map(({ cell }) => cell.hash)).toEqual(ids.transactions.map(({ hash }) => hash));
      expect(cells.isComplete).toBe(ids.isComplete);
    }
  });

  const asked = { block: block.id, count: 3 };
  const honest = listAnswer(block, asked);
  const full = listAnswer(block, { ...asked, count: 100 });
  const cells = readBocRoots(honest.transactions);
  const swapped = (list: readonly unknown[]) => [list[1], list[0], list[2]];
  const falseAnswers: readonly [what: string, falseAnswer: Partial<typeof honest>, message: string][] = [
    ["of another block", { id: chain.block(LEFT, 3).id }, "the block of transactions must be"],
    ["with another block's proof", { proof: listAnswer(chain.block(LEFT, 3), asked).proof }, "must prove the tree"],
    [
      "that ends early",
      { ids: honest.ids.slice(0, 2), transactions: writeBocRoots(cells.slice(0, 2)) },
      "or be complete, got 2",
    ],
    [
      "that ends early and claims to be complete",
      { ids: honest.ids.slice(0, 2), transactions: writeBocRoots(cells.slice(0, 2)), incomplete: false },
      "must not end before",
    ],
    ["that claims to be complete", { incomplete: false }, "is a pruned branch"],
    ["that is empty", { ids: [], transactions: new Uint8Array(), incomplete: false }, "must not end before"],
    [
      "in another order",
      { ids: swapped(honest.ids) as typeof honest.ids, transactions: writeBocRoots(swapped(cells) as Cell[]) },
      "must ",
    ],
    [
      "without the first",
      { ids: full.ids.slice(1, 4), transactions: writeBocRoots(readBocRoots(full.transactions).slice(1, 4)) },
      "must ",
    ],
    [
      "with one too many",
      { ids: full.ids.slice(0, 4), transactions: writeBocRoots(readBocRoots(full.transactions).slice(0, 4)) },
      "at most 3 transactions, got 4",
    ],
    ["with pruned accounts", { proof: writeBoc(createMerkleProof(root, () => undefined)) }, "is a pruned branch"],
  ];

  test.each(falseAnswers)("%s is rejected", (_, falseAnswer, message) => {
    for (const check of [checkTransactionIds, checkTransactionCells]) {
      const run = () => check(asked, { ...honest, ...falseAnswer });
      expect(run).toThrow(expect.objectContaining({ kind: "proof" }));
      expect(run).toThrow(message);
    }
  });

  test("with another account, lt or hash is rejected", () => {
    for (const part of [{ account: address(0x99) }, { lt: 1n }, { hash: address(1) }]) {
      const ids = honest.ids.map((id, i) => (i === 1 ? { ...id, ...part } : id));
      expect(() => checkTransactionIds(asked, { ...honest, ids })).toThrow("transaction 1 of a list must be");
    }
    const more = { ...full, ids: [...full.ids, ...full.ids], incomplete: false };
    expect(() => checkTransactionIds({ ...asked, count: 100 }, more)).toThrow("must have 6 transactions, got 12");
  });
});

describe("checkHistory", () => {
  const account = ACTIVE[0];
  const own = chain.transactions.filter((one) => one.account === account);
  const newest = own.at(-1) as SampleTransaction;
  if (!account) throw new Error("the sample has no accounts");
  const asked = { account, from: newest.id, count: 16 };
  const honest = historyAnswer(chain, account, newest.id, 16);
  const cells = readBocRoots(honest.transactions);

  test("follows the hashes back to the first transaction", () => {
    const found: Uint8Array[] = [];
    let { from } = asked;
    while (from.lt > 0n) {
      const page = checkHistory({ account, from, count: 16 }, historyAnswer(chain, account, from, 16));
      found.push(...page.transactions.map(({ id }) => id.hash));
      from = page.next;
    }
    expect(found).toEqual(own.map(({ id }) => id.hash).reverse());
    expect(found.length).toBe(48);
  });

  test("shows where a page that ends early goes on", () => {
    const short = historyAnswer(chain, account, newest.id, 3);
    const page = checkHistory(asked, short);
    expect([page.transactions.length, page.next]).toEqual([3, own.at(-4)?.id]);
  });

  const pick = (...indices: number[]) => ({
    ids: indices.map((i) => honest.ids[i] as (typeof honest.ids)[number]),
    transactions: writeBocRoots(indices.map((i) => cells[i] as Cell)),
  });
  const ofOtherAccount = historyAnswer(chain, ACTIVE[1] as typeof account, newest.id, 16);
  const falseAnswers: readonly [what: string, falseAnswer: Partial<typeof honest>, message: string][] = [
    ["a gap", pick(0, 1, 3, 4), "must have hash"],
    ["another beginning", pick(1, 2), "must have hash"],
    ["another order", pick(0, 2, 1), "must have hash"],
    ["a repetition", pick(0, 0), "must have hash"],
    ["another account", ofOtherAccount, "must have hash"],
    ["no transactions", { ids: [], transactions: new Uint8Array() }, "ends within its first 4 bytes"],
    ["a block too few", { ids: honest.ids.slice(1) }, "must name as many blocks, got 15"],
    ["a block of another shard", { ids: honest.ids.map(() => chain.block(RIGHT, 1).id) }, "cannot hold a transaction of"],
    ["a block of the masterchain", { ids: honest.ids.map(() => chain.block(MASTER, 1).id) }, "cannot hold a transaction of"],
  ];

  test.each(falseAnswers)("rejects %s", (_, falseAnswer, message) => {
    const check = () => checkHistory(asked, { ...honest, ...falseAnswer });
    expect(check).toThrow(expect.objectContaining({ kind: "proof" }));
    expect(check).toThrow(message);
  });

  test("rejects more transactions than requested, and another account or lt with the same hash", () => {
    expect(() => checkHistory({ ...asked, count: 3 }, honest)).toThrow("at most 3 transactions, got 16");
    expect(() => checkHistory({ ...asked, account: { ...account, hash: address(0x12) } }, honest)).toThrow(
      "must be of account 12",
    );
    expect(() => checkHistory({ ...asked, from: { ...newest.id, lt: 5n } }, honest)).toThrow("must have lt 5");
  });
});
