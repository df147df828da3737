import { decodeShardAccount } from "@chain-query/format/accounts";
import { hex } from "@chain-query/format/cells";
import { containsAccount, isSameShard } from "@chain-query/format/identifiers";
import type { Step } from "@chain-query/format/store";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { type Amounts, NOTHING, plus, text } from "@chain-query/testing/block-walker/amounts";
import { type WalkedBlock, walkBlock } from "@chain-query/testing/block-walker/block";
import { UNEVEN } from "@chain-query/testing/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalChain } from "../../src/domain.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { madeChain, stepsOf } from "../../src/testing/made-chain.ts";

describe("a chain whose shards have none to three blocks in a step", () => {
  let directory: string;
  let reader: LocalChain;
  let steps: readonly Step[];
  const walked = new Map<string, WalkedBlock>();

  beforeAll(async () => {
    directory = await madeChain(UNEVEN);
    reader = openChain(directory);
    steps = await stepsOf(directory);
    for (const { id } of steps.flatMap(({ shards, masterchain }) => [...shards, masterchain]))
      walked.set(hex(id.rootHash), walkBlock(reader.blockData(id) ?? expect.fail()));
  });
  afterAll(() => reader?.close());

  const walk = (rootHash: Uint8Array | string): WalkedBlock =>
    walked.get(typeof rootHash === "string" ? rootHash : hex(rootHash)) ?? expect.fail();

  test("splits and merges them, and has every number of blocks of a shard in a step", () => {
    const counts = new Set<number>();
    const [splits, merges] = [new Set<number>(), new Set<number>()];
    for (const { masterchain, shards } of steps) {
      for (const top of walk(masterchain.id.rootHash).shards)
        counts.add(shards.filter(({ id }) => BigInt.asUintN(64, id.shard) === BigInt(`0x${top.shard}`)).length);
      for (const { id } of shards) {
        const { afterSplit, afterMerge } = walk(id.rootHash).flags;
        if (afterSplit) splits.add(masterchain.id.seqno);
        if (afterMerge) merges.add(masterchain.id.seqno);
      }
    }
    expect([...counts].sort()).toEqual([0, 1, 2, 3]);
    expect(splits.size).toBeGreaterThanOrEqual(UNEVEN.steps / 12);
    expect(merges.size).toBeGreaterThanOrEqual(UNEVEN.steps / 12);
  });

  test("has masterchain blocks that name the newest block of each shard, its flags, and the fees of all new ones", () => {
    let before: WalkedBlock["shards"] = [];
    for (const { masterchain, shards } of steps) {
      const { shards: tops, flow, seqno } = walk(masterchain.id.rootHash);
      let fees: Amounts = NOTHING;
      for (const top of tops) {
        const own = shards.filter(({ id }) => BigInt.asUintN(64, id.shard) === BigInt(`0x${top.shard}`));
        const last = own.at(-1);
        if (!last) {
          const old = before.find(({ shard }) => shard === top.shard);
          expect([top.rootHash, top.registered, text(top.fees)]).toEqual([
            old?.rootHash,
            old?.registered,
            text(old?.fees ?? NOTHING),
          ]);
          continue;
        }
        const flags = walk(last.id.rootHash).flags;
        const stated = [flags.beforeSplit, flags.wantSplit, flags.wantMerge].map(Number);
        const [beforeSplit, , wantSplit, wantMerge] = Array.from(top.flags, Number);
        expect([beforeSplit, wantSplit, wantMerge]).toEqual(stated);
        for (const { previous, flags } of own.map(({ id }) => walk(id.rootHash)).filter((block) => block.flags.afterMerge)) {
          const halves = previous.map(({ rootHash }) => before.find((old) => old.rootHash === rootHash));
          expect([flags.afterSplit, ...halves.map((half) => half?.flags[1])]).toEqual([false, "1", "1"]);
        }
        const sum = own.map(({ id }) => walk(id.rootHash).flow.feesCollected).reduce((a, b) => plus(a, b), NOTHING);
        expect([top.rootHash, top.registered, text(top.fees)]).toEqual([hex(last.id.rootHash), seqno, text(sum)]);
        fees = plus(fees, sum);
      }
      expect(text(flow.feesImported)).toBe(text(fees));
      before = tops;
    }
  });

  test("has shard blocks that refer to one of the newest masterchain blocks, and come after it and the block before", () => {
    const lags = new Set<number>();
    const ends = new Map<string, { readonly lt: bigint; readonly time: number }>();
    for (const { masterchain, shards } of steps) {
      for (const { id, time, endLt } of [...shards, masterchain]) {
        const block = walk(id.rootHash);
        if (block.master) {
          lags.add(masterchain.id.seqno - 1 - block.master.seqno);
          for (const { rootHash } of block.previous)
            expect(block.master.seqno).toBeGreaterThanOrEqual(walked.get(rootHash)?.master?.seqno ?? 0);
        }
        const known = [...block.previous, ...(block.master ? [block.master] : [])];
        for (const { rootHash } of known) {
          const { lt = 0n, time: then = 0 } = ends.get(rootHash) ?? {};
          expect(block.startLt).toBeGreaterThan(lt);
          expect(time).toBeGreaterThanOrEqual(then);
        }
        ends.set(hex(id.rootHash), { lt: endLt, time });
      }
    }
    expect([...lags].sort()).toEqual([0, 1, 2]);
  });

  test("delivers messages within a shard in the same step, and to other shards in a later one", () => {
    const sent = new Map<string, { readonly seqno: number; readonly id: Step["masterchain"]["id"] }>();
    const delays = { own: new Set<number>(), other: new Set<number>() };
    for (const { masterchain, shards } of steps) {
      for (const { id } of shards) {
        const { inMessages, outMessages, master } = walk(id.rootHash);
        for (const [hash, { transaction }] of outMessages)
          if (transaction && !inMessages.has(hash)) sent.set(hash, { seqno: masterchain.id.seqno, id });
        for (const hash of inMessages.keys()) {
          const from = sent.get(hash);
          if (!from) continue;
          const isOwn = isSameShard(from.id, id);
          delays[isOwn ? "own" : "other"].add(masterchain.id.seqno - from.seqno);
          // A block imports what was sent up to the masterchain block that it refers to.
          if (!isOwn) expect(from.seqno).toBeLessThanOrEqual(master?.seqno ?? -1);
        }
      }
    }
    expect(Math.min(...delays.own)).toBe(0);
    expect(Math.min(...delays.other)).toBe(1);
  });

  test("has the accounts of all blocks of a step in the step", () => {
    for (const { masterchain, shards, accounts } of steps) {
      const last = new Map<string, bigint>();
      for (const { transactions } of [...shards, masterchain])
        for (const { account, cell } of transactions) last.set(hex(account.hash), readTransactionHeader(cell).lt);
      expect(accounts.length).toBe(last.size);
      for (const { account, shardAccount } of accounts) {
        expect(decodeShardAccount(shardAccount).last.lt).toBe(last.get(hex(account.hash)));
        expect(shards.some(({ id }) => containsAccount(id, account)) || account.workchain === -1).toBe(true);
      }
    }
  });
});
