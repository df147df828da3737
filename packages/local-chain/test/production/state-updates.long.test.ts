import { decodeAccount, NO_ACCOUNT } from "@chain-query/format/accounts";
import { readBlockHeader, readBlockParts } from "@chain-query/format/blocks";
import { type Cell, hex, isEqual, openMerkleUpdate, readBoc } from "@chain-query/format/cells";
import {
  childShards,
  MASTERCHAIN,
  parentShard,
  type ShardId,
  shardName,
  WHOLE_WORKCHAIN,
} from "@chain-query/format/identifiers";
import { lookUpAccount, readPublicLibraries, readStateLibraries } from "@chain-query/format/states";
import { changesOfAccounts } from "@chain-query/format/store";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { text } from "@chain-query/testing/block-walker/amounts";
import { walkBlock } from "@chain-query/testing/block-walker/block";
import type { WalkedLibraries } from "@chain-query/testing/block-walker/libraries";
import { walkState } from "@chain-query/testing/block-walker/state";
import { applyUpdate } from "@chain-query/testing/block-walker/update";
import { RESHARDED } from "@chain-query/testing/chains";
import { beginCell, type Cell as CoreCell } from "@ton/core";
import { expect, test } from "vitest";
import { openChain } from "../../src/reading/chain-reader.ts";
import { madeChain, stepsOf } from "../../src/testing/made-chain.ts";
import { coreCell } from "./produced-chain.ts";

test("state updates lead from the zero states to all others, whose sums blocks state, and show the accounts that changed", async () => {
  const directory = await madeChain(RESHARDED);
  const chain = openChain(directory);
  const states = new Map<string, CoreCell>();
  const stateOf = (id: ShardId): CoreCell => states.get(shardName(id)) ?? expect.fail(`${shardName(id)} has no state`);
  for (const id of [MASTERCHAIN, { workchain: 0, shard: WHOLE_WORKCHAIN }]) {
    states.set(shardName(id), coreCell(chain.blockData({ ...id, seqno: 0 }) ?? expect.fail()));
  }
  const libraries: WalkedLibraries[] = [];
  const shown = { whole: 0, pruned: 0, gone: 0, merges: 0, splits: 0 };
  for (const block of (await stepsOf(directory)).flatMap((step) => [...step.shards, step.masterchain])) {
    const { id, stateRootHash } = block;
    const boc = chain.blockData(id) ?? expect.fail();
    const root = readBoc(boc);
    const { isAfterMerge, isAfterSplit } = readBlockHeader(root);
    const [left, right] = childShards(id).map((child) => (isAfterMerge ? stateOf(child) : undefined));
    const before =
      left && right
        ? beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).endCell()
        : stateOf(isAfterSplit ? parentShard(id) : id);
    const { stateUpdate } = readBlockParts(root);
    const after = applyUpdate(coreCell(boc).refs[2] as CoreCell, before);
    expect([after.level(), after.hash().toString("hex")]).toEqual([0, hex(stateRootHash)]);
    states.set(shardName(id), after);
    // Checks the public libraries with those of the accounts.
    const walkedState = walkState(after);
    expect(text(walkedState.balance)).toBe(text(walkBlock(boc).flow.after));
    expect(walkedState.queue.size).toBe(block.queueSize);
    if (id.workchain === -1) {
      const walked = walkedState.libraries;
      const state = chain.state(id) ?? expect.fail();
      const read = Array.from(readPublicLibraries(readStateLibraries(state)), ({ root, publishers }) => [
        hex(root.hash),
        publishers.map(hex),
      ]);
      expect(read).toEqual([...walked]);
      libraries.push(walked);
    }
    const newState = openMerkleUpdate(stateUpdate);
    for (const { last } of changesOfAccounts([block])) {
      const { account, cell } = last;
      const isGone = isEqual(readTransactionHeader(cell).newStateHash, NO_ACCOUNT.hash);
      shown[isGone ? "gone" : kindOf(lookUpAccount(newState, account.hash)?.account ?? expect.fail())]++;
    }
    shown.merges += isAfterMerge ? 1 : 0;
    shown.splits += isAfterSplit ? 1 : 0;
  }
  await chain.close();
  const publishers = libraries.map((one) => [...one.values()].flat().length);
  expect(publishers.some((count, i) => count < (publishers[i - 1] ?? 0))).toBe(true);
  expect(libraries.some((one) => [...one.values()].some(({ length }) => length === 2))).toBe(true);
  expect([shown.merges, shown.splits].map((count) => count > 2)).toEqual([true, true]);
  expect(shown.gone).toBeGreaterThan(0);
  expect(shown.whole).toBeGreaterThan(500);
  expect(shown.pruned).toBeGreaterThan(0);
  expect(shown.pruned / shown.whole).toBeLessThan(0.2);
});

/** How a state update shows a changed account. Pruned branches stand for its unchanged cells with references. */
function kindOf(account: Cell): "whole" | "pruned" {
  if (account.levelMask === 0) return "whole";
  expect(decodeAccount(account).status).toBe("active");
  return "pruned";
}
