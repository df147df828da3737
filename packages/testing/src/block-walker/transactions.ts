import type { Cell, Slice } from "@ton/core";
import { type Amounts, NOTHING, plus, readAmounts, text } from "./amounts.ts";
import { must, mustEqual, type Sum, walkAugmented, walkAugmentedE, walkDictionary } from "./dictionary.ts";

/** A transaction of a block. */
export interface WalkedTransaction {
  readonly hash: string;
  readonly account: string;
  readonly lt: bigint;
  readonly time: number;
  readonly inMessage: string | undefined;
  readonly outMessages: readonly string[];
  readonly fees: Amounts;
  readonly previousHash: string;
  readonly previousLt: bigint;
  readonly oldState: string;
  readonly newState: string;
}

const FEES: Sum<Amounts> = { read: readAmounts, combine: plus, text };

/** ShardAccountBlocks: all fees, and the transactions by account and lt. */
export function walkAccountBlocks(cell: Cell): { fees: Amounts; transactions: WalkedTransaction[] } {
  const transactions: WalkedTransaction[] = [];
  const fees = walkAugmentedE(cell.beginParse(), 256, FEES, NOTHING, (key, slice) => {
    const account = key.toString(16).padStart(64, "0");
    mustEqual(slice.loadUint(4), 5, "tag of an account's block");
    mustEqual(slice.loadBuffer(32).toString("hex"), account, "address of an account's block");
    const own: WalkedTransaction[] = [];
    const sum = walkAugmented(slice, 64, FEES, (lt, leaf) => {
      const transaction = readTransaction(leaf.loadRef(), account);
      mustEqual(transaction.lt, lt, "key of a transaction");
      mustEqual(leaf.remainingBits, 0, "bits after a transaction");
      own.push(transaction);
      return transaction.fees;
    });
    checkRow(own, readUpdate(slice.loadRef()));
    mustEqual(slice.remainingBits + slice.remainingRefs, 0, "bits and references after an account's block");
    transactions.push(...own);
    return sum;
  });
  return { fees, transactions };
}

function checkRow(own: readonly WalkedTransaction[], update: { old: string; new: string }): void {
  mustEqual(own[0]?.oldState, update.old, "state of an account before a block");
  mustEqual(own[own.length - 1]?.newState, update.new, "state of an account after a block");
  for (const [i, next] of own.slice(1).entries()) {
    const before = own[i] as WalkedTransaction;
    mustEqual(next.previousHash, before.hash, "hash of the previous transaction");
    mustEqual(next.previousLt, before.lt, "lt of the previous transaction");
    mustEqual(next.oldState, before.newState, "state between two transactions");
  }
}

function readTransaction(cell: Cell, account: string): WalkedTransaction {
  const slice = cell.beginParse();
  mustEqual(slice.loadUint(4), 7, "tag of a transaction");
  mustEqual(slice.loadBuffer(32).toString("hex"), account, "address of a transaction");
  const lt = slice.loadUintBig(64);
  const previousHash = slice.loadBuffer(32).toString("hex");
  const previousLt = slice.loadUintBig(64);
  must(previousLt < lt, "a transaction is not later than the previous one");
  const time = slice.loadUint(32);
  const count = slice.loadUint(15);
  slice.skip(4);
  const messages = slice.loadRef().beginParse();
  const fees = readAmounts(slice);
  const { old: oldState, new: newState } = readUpdate(slice.loadRef());
  slice.loadRef();
  mustEqual(slice.remainingBits + slice.remainingRefs, 0, "bits and references after a transaction");
  const inMessage = loadMaybeHash(messages);
  const outMessages: string[] = [];
  if (messages.loadBit()) {
    walkDictionary(messages.loadRef(), 15, (index, leaf) => {
      mustEqual(index, outMessages.length, "number of an outbound message");
      outMessages.push(leaf.loadRef().hash().toString("hex"));
    });
  }
  mustEqual(outMessages.length, count, "count of outbound messages");
  const hash = cell.hash().toString("hex");
  return { hash, account, lt, time, inMessage, outMessages, fees, previousHash, previousLt, oldState, newState };
}

function loadMaybeHash(slice: Slice): string | undefined {
  return slice.loadBit() ? slice.loadRef().hash().toString("hex") : undefined;
}

/** HASH_UPDATE. */
function readUpdate(cell: Cell): { old: string; new: string } {
  const slice = cell.beginParse();
  mustEqual(slice.loadUint(8), 0x72, "tag of a HASH_UPDATE");
  return { old: slice.loadBuffer(32).toString("hex"), new: slice.loadBuffer(32).toString("hex") };
}
