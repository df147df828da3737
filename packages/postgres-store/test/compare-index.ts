/**
 * Compares an index with the local chain of its steps. As of a head, each answer is right, or a page that ends early, or an error that says
 * what the index does not have.
 */
import {
  ABSENT_ACCOUNT,
  type AccountId,
  type AccountVersion,
  type BlockId,
  type ChainTransaction,
} from "@chain-query/format/store";
import { expect } from "vitest";
import { DroppedHistoryError, type PostgresReader, UnreadAccountError } from "../src/index.ts";
import type { ReadChain } from "./indexed-chains.ts";

/** How many reads ended how; `early`: look-ups of blocks before an index that begins late. */
type Counts = Record<"same" | "short" | "dropped" | "unread" | "absent" | "early", number>;

/** Of an index with all steps. */
export const WHOLE: Omit<Counts, "same"> = { short: 0, dropped: 0, unread: 0, absent: 0, early: 0 };

interface Compared {
  readonly heads: readonly number[];
  /** One of this many accounts, transactions and blocks; others for each head. */
  readonly sample: number;
  /** The first step of the index, or those that it may have at the time. */
  readonly firsts?: readonly number[];
}

export async function compareIndex(
  { chain, accounts, blocks }: ReadChain,
  reader: PostgresReader,
  { heads, sample, firsts = [0] }: Compared,
): Promise<Counts> {
  const counts: Counts = { same: 0, ...WHOLE };
  const newest = chain.head().block.id.seqno;
  const isVisible = (at: number) => (one: { readonly masterchainSeqno: number } | undefined) =>
    one !== undefined && one.masterchainSeqno <= at;
  const sampled = <T>(all: readonly T[], at: number): readonly T[] => all.filter((_, index) => (index + at) % sample === 0);

  const stateAt = (account: AccountId, at: number): AccountVersion => {
    const { block: _, account: __, isSuspended: ___, ...state } = chain.account(account, at) ?? expect.unreachable();
    return state;
  };
  const historyAt = (account: AccountId, at: number): readonly ChainTransaction[] => {
    const { lt } = stateAt(account, at).last;
    return lt === 0n ? [] : [...chain.transactions(account, { fromLt: lt })];
  };

  const compareState = async (account: AccountId, at: number): Promise<void> => {
    const found = await reader.account(account, at).catch((error: unknown) => error);
    if (found instanceof DroppedHistoryError) {
      expect(firsts).toContain(found.firstSeqno);
      expect(at).toBeLessThan(found.firstSeqno);
    } else if (found instanceof UnreadAccountError) {
      const next = await reader.nextChange(account, at, newest);
      const known = stateAt(account, next === undefined ? newest : next.seqno - 1);
      expect(known).toEqual(stateAt(account, at));
      if (next !== undefined) expect([next.isMade, known]).toEqual([true, ABSENT_ACCOUNT]);
      expect(historyAt(account, at)[0]?.masterchainSeqno ?? 0).toBeLessThan(found.firstSeqno);
      counts[next === undefined ? "unread" : "absent"] += 1;
    } else expect(found).toEqual(stateAt(account, at));
  };

  /** Compares a page, or the transaction at one end of a message. */
  const compareRead = async (
    expected: readonly ChainTransaction[] | ChainTransaction | undefined,
    read: Promise<unknown>,
  ): Promise<void> => {
    const found = await read.catch((error: unknown) => error);
    if (found instanceof DroppedHistoryError) {
      expect(firsts).toContain(found.firstSeqno);
      // No error for rows that are there.
      for (const one of [expected].flat().slice(0, 1)) expect(one?.masterchainSeqno ?? 0).toBeLessThan(found.firstSeqno);
      counts.dropped += 1;
    } else if (Array.isArray(expected) && Array.isArray(found) && found.length < expected.length) {
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(expected.slice(0, found.length));
      expect(expected[found.length]?.masterchainSeqno).toBeLessThan(Math.max(...firsts));
      counts.short += 1;
    } else {
      expect(found).toEqual(expected);
      counts.same += 1;
    }
  };

  const compareAccount = async (account: AccountId, at: number): Promise<void> => {
    await compareState(account, at);
    const history = historyAt(account, at);
    for (const limit of [1, 7, 1000])
      await compareRead(history.slice(0, limit), reader.transactions(account, { aboveLt: 0n }, limit, at));
    for (const { id } of sampled(history, at)) {
      const from = history.findIndex((one) => one.id.lt === id.lt);
      const page = reader.transactions(account, { fromLt: id.lt, aboveLt: 0n }, 3, at);
      await compareRead(history.slice(from, from + 3), page);
    }
    // Also messages that were sent, or received, after the head.
    for (const { outMessages } of sampled([...chain.transactions(account)], at))
      for (const { source, destination, createdLt } of outMessages) {
        if (!source || !destination) continue;
        for (const message of [createdLt, createdLt + 1n].map((lt) => ({ source, destination, createdLt: lt }))) {
          const [sender, receiver] = [chain.findSender(message), chain.findReceiver(message)].map((one) =>
            isVisible(at)(one) ? one : undefined,
          );
          await compareRead(sender, reader.findSender(message, at));
          await compareRead(receiver, reader.findReceiver(message, at));
        }
      }
  };

  const compareBlock = async ({ seqno, ...shard }: BlockId, at: number): Promise<void> => {
    const block = seqno === 0 ? undefined : chain.block(shard, { seqno });
    const [lt, time] = [block?.endLt ?? 0n, block?.time ?? 0];
    for (const selector of [{ seqno }, { lt }, { lt: lt + 1n }, { time }, { time: time + 1 }]) {
      const expected = chain.block(shard, selector);
      const found = await reader.block(shard, selector, at).catch((error: unknown) => error);
      if (found instanceof DroppedHistoryError) {
        expect((expected ?? block)?.masterchainSeqno ?? 0).toBeLessThan(found.firstSeqno);
        counts.early += 1;
      } else expect(found).toEqual(isVisible(at)(expected) ? expected : undefined);
    }
  };

  const ends = chain.shards().flatMap(({ id }) => [0, id.seqno + 1].map((seqno) => ({ ...id, seqno })));
  for (const at of heads) {
    await Promise.all(sampled(accounts, at).map((account) => compareAccount(account, at)));
    await Promise.all(sampled([...ends, ...blocks], at).map((id) => compareBlock(id, at)));
  }
  return counts;
}
