import { type PlacedTransaction, readTransactions, type TransactionPlace } from "@chain-query/format/blocks";
import { type Cell, createMerkleProof, readBocRoots, writeBoc, writeBocRoots } from "@chain-query/format/cells";
import { describe, expect, test } from "vitest";
import { checkHistory } from "../../src/proof/account.ts";
import { checkTransactionCells } from "../../src/proof/transactions.ts";
import { expectUnproven, historyAnswer, listAnswer } from "./honest-answers.ts";
import { ACTIVE, address, LEFT, MASTER, RIGHT, type SampleTransaction, sampleChain } from "./sample-chain.ts";

const chain = sampleChain(12);
const block = chain.block(LEFT, 4);
const root = block.root as Cell;
/** Two transactions of each of three accounts. */
const places: readonly TransactionPlace[] = Array.from(readTransactions(root), ({ account, lt }) => ({ account, lt }));

const directions = [false, true].flatMap((reverse) =>
  [undefined, ...places, { account: address(0x12), lt: 5n }].map((after) => ({ reverse, after })),
);

describe("a list of a block's transactions", () => {
  test.each(directions)("is the range that was asked for: %#", ({ reverse, after }) => {
    const expected = Array.from(readTransactions(root, { after, falling: reverse }));
    for (const count of [1, 2, 5, 6, 7, 300]) {
      const asked = { block: block.id, count, after, reverse };
      const { transactions, isComplete } = checkTransactionCells(asked, listAnswer(chain, block, asked));
      const shown = ({ account, lt, cell }: PlacedTransaction) => ({ account, lt, hash: cell.hash });
      expect(transactions.map(shown)).toEqual(expected.slice(0, count).map(shown));
      expect(isComplete).toBe(expected.length < count);
    }
  });

  const asked = { block: block.id, count: 3 };
  const honest = listAnswer(chain, block, asked);
  const full = listAnswer(chain, block, { ...asked, count: 100 });
  const all = readBocRoots(full.transactions);
  const cells = readBocRoots(honest.transactions);
  const falseAnswers: readonly [what: string, falseAnswer: Partial<typeof honest>, message: string][] = [
    ["of another block", { id: chain.block(LEFT, 3).id }, "the block of transactions must be"],
    ["with another block's proof", { proof: listAnswer(chain, chain.block(LEFT, 3), asked).proof }, "must prove the tree"],
    ["that ends early", { transactions: writeBocRoots(cells.slice(0, 2)) }, "or be complete, got 2"],
    [
      "that ends early and claims to be complete",
      { transactions: writeBocRoots(cells.slice(0, 2)), incomplete: false },
      "must not end before",
    ],
    ["that claims to be complete", { incomplete: false }, "is a pruned branch"],
    ["that is empty", { transactions: new Uint8Array(), incomplete: false }, "must not end before"],
    ["in another order", { transactions: writeBocRoots(cells.toReversed()) }, "must have hash"],
    ["without the first", { transactions: writeBocRoots(all.slice(1, 4)) }, "must have hash"],
    ["with one too many", { transactions: writeBocRoots(all.slice(0, 4)) }, "at most 3 transactions, got 4"],
    ["with pruned accounts", { proof: writeBoc(createMerkleProof(root, () => undefined)) }, "is a pruned branch"],
  ];

  test.each(falseAnswers)("%s is rejected", (_, falseAnswer, message) => {
    expectUnproven(() => checkTransactionCells(asked, { ...honest, ...falseAnswer }), message);
  });

  test("with more transactions than the block has is rejected", () => {
    const more = { ...full, transactions: writeBocRoots([...all, ...all]), incomplete: false };
    expect(() => checkTransactionCells({ ...asked, count: 100 }, more)).toThrow("must have 6 transactions, got 12");
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
  const other = chain.transactions.findLast((one) => one.account === ACTIVE[1]) as SampleTransaction;
  const ofOtherAccount = historyAnswer(chain, other.account, other.id, 16);
  const falseAnswers: readonly [what: string, falseAnswer: Partial<typeof honest>, message: string][] = [
    ["a gap", pick(0, 1, 3, 4), "must have hash"],
    ["another beginning", pick(1, 2), "must have hash"],
    ["another order", pick(0, 2, 1), "must have hash"],
    ["a repetition", pick(0, 0), "must have hash"],
    ["another account", ofOtherAccount, "must have hash"],
    ["no transactions", { transactions: new Uint8Array() }, "ends within its first 4 bytes"],
    ["a block too few", { ids: honest.ids.slice(1) }, "must name as many blocks, got 15"],
    ["a block of another shard", { ids: honest.ids.map(() => chain.block(RIGHT, 1).id) }, "cannot hold a transaction of"],
    ["a block of the masterchain", { ids: honest.ids.map(() => chain.block(MASTER, 1).id) }, "cannot hold a transaction of"],
  ];

  test.each(falseAnswers)("rejects %s", (_, falseAnswer, message) => {
    expectUnproven(() => checkHistory(asked, { ...honest, ...falseAnswer }), message);
  });

  test("rejects more transactions than requested, and another account or lt with the same hash", () => {
    expect(() => checkHistory({ ...asked, count: 3 }, honest)).toThrow("at most 3 transactions, got 16");
    expect(() => checkHistory({ ...asked, account: { ...account, hash: address(0x12) } }, honest)).toThrow(
      "must be of account 12",
    );
    for (const lt of [5n, newest.id.lt + 1n])
      expect(() => checkHistory({ ...asked, from: { ...newest.id, lt } }, honest)).toThrow(`must have lt ${lt}`);
  });
});
