import { walkState } from "@chain-query/testing/block-walker/state";
import { describe, expect, test } from "vitest";
import { hex } from "../../src/cells/index.ts";
import { containsAccount, type ShardId } from "../../src/identifiers.ts";
import {
  buildSplitState,
  compactProcessed,
  encodeState,
  hashState,
  mergeStates,
  type ProcessedUpto,
  restoreQueuedMessage,
  type ShardState,
  splitState,
} from "../../src/states/index.ts";
import { sampleBlocks } from "../blocks/sample-blocks.ts";
import { toCoreCell } from "../core-cell.ts";

/** A state with three accounts, and with messages to its own shard, to the other one and to the masterchain in its queue. */
const state = sampleBlocks().blocks[0]?.state as ShardState;
const walk = (of: ShardState) => walkState(toCoreCell(encodeState(of)));

describe("splitState and mergeStates", () => {
  test("divide and join accounts, messages and fees by prefix", () => {
    const whole = { ...state, totalValidatorFees: { coins: 7n, extra: [] }, isBeforeSplit: true };
    const halves = splitState(whole);
    const walked = halves.map(walk);
    expect(halves.map(({ shard }) => BigInt.asUintN(64, shard.shard))).toEqual([1n << 61n, 3n << 61n]);
    expect(walked.map(({ accounts }) => [...accounts.keys()].map((address) => address.slice(0, 2)))).toEqual([
      ["11", "22", "33"],
      [],
    ]);
    expect(walked.map(({ queue }) => queue.size)).toEqual([state.queue.size, 0]);
    expect(walked.map(({ validatorFees }) => validatorFees.get(0))).toEqual([3n, 4n]);
    expect(walked.map(({ beforeSplit }) => beforeSplit)).toEqual([false, false]);
    expect(walk(whole).beforeSplit).toBe(true);
    const { hash } = hashState(mergeStates(...halves));
    expect(hex(hash)).toBe(hex(hashState({ ...whole, isBeforeSplit: false }).hash));
    // The halves of a half have accounts on both sides.
    const quarters = splitState(halves[0]);
    expect(quarters.map(({ accounts }) => accounts.size)).toEqual([1, 2]);
    for (const quarter of quarters) {
      for (const [, { at }] of quarter.queue) expect(containsAccount(quarter.shard, at)).toBe(true);
    }
    expect(hex(hashState(mergeStates(...quarters)).hash)).toBe(hex(hashState(halves[0]).hash));
  });

  test("keep the key and the envelope of a message whose shard is gone", () => {
    for (const [key, queued] of state.queue) {
      expect(restoreQueuedMessage(queued.message, key)).toEqual(queued);
      const other = key.with(11, (key[11] ?? 0) ^ 1);
      expect(() => restoreQueuedMessage(queued.message, other)).toThrow(
        /^message [0-9a-f]{64} cannot have the key [0-9a-f]{88}/,
      );
    }
    expect(state.queue.size).toBe(3);
  });

  test("have a split_state with the hashes of both halves", () => {
    const [left, right] = splitState(state).map(hashState) as [
      { hash: Uint8Array; depth: number },
      { hash: Uint8Array; depth: number },
    ];
    const cell = buildSplitState(left, right);
    expect(cell.refs.map((ref) => hex(ref.hashAt(0)))).toEqual([hex(left.hash), hex(right.hash)]);
    expect(cell.depthAt(0)).toBe(1 + Math.max(left.depth, right.depth));
  });
});

describe("compactProcessed", () => {
  const shard = (digit: string): bigint => BigInt.asIntN(64, BigInt(`0x${digit.padEnd(16, "0")}`));
  const entry = (digit: string, masterchainSeqno: number, lastLt: bigint, last = 0): ProcessedUpto => ({
    ...{ shard: shard(digit), masterchainSeqno, lastLt },
    lastHash: new Uint8Array(32).fill(last),
  });

  test.each([
    ["an older one of the same shard", [entry("4", 1, 5n), entry("4", 2, 6n)], [entry("4", 2, 6n)]],
    ["one of a half that is not ahead", [entry("2", 1, 5n), entry("4", 2, 5n)], [entry("4", 2, 5n)]],
    ["none of a half that is ahead", [entry("2", 1, 9n), entry("4", 2, 6n)], [entry("2", 1, 9n), entry("4", 2, 6n)]],
    [
      "none of a half with a higher hash",
      [entry("2", 1, 6n, 2), entry("4", 2, 6n, 1)],
      [entry("2", 1, 6n, 2), entry("4", 2, 6n, 1)],
    ],
    ["none of another half", [entry("c", 1, 5n), entry("4", 2, 6n)], [entry("4", 2, 6n), entry("c", 1, 5n)]],
  ])("drops %s", (_, entries, kept) => {
    expect(compactProcessed(entries)).toEqual(kept);
    expect(compactProcessed(entries.toReversed())).toEqual(kept);
  });

  test("keeps entries of halves that a split makes smaller, and of both halves that merge", () => {
    const whole: ShardId = { workchain: 0, shard: shard("8") };
    const halves = splitState({ ...state, shard: whole, processed: [entry("4", 1, 9n), entry("8", 2, 6n)] });
    expect(halves.map(({ processed }) => processed)).toEqual([[entry("4", 1, 9n), entry("4", 2, 6n)], [entry("c", 2, 6n)]]);
    expect(mergeStates(...halves).processed).toEqual([entry("4", 1, 9n), entry("4", 2, 6n), entry("c", 2, 6n)]);
  });
});
