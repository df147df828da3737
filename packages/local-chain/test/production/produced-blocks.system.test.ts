import { hex } from "@chain-query/format/cells";
import type { BlockHeader } from "@chain-query/format/store";
import { text } from "@chain-query/testing/block-walker/amounts";
import { type WalkedBlock, walkBlock } from "@chain-query/testing/block-walker/block";
import { walkState } from "@chain-query/testing/block-walker/state";
import { FAST } from "@chain-query/testing/chains";
import { temporaryFolder } from "@chain-query/testing/folders";
import { Cell as CoreCell, loadShardStateUnsplit } from "@ton/core";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { madeChain } from "../../src/testing/made-chain.ts";

/** Of the chain, these blocks are read. */
const STEPS = 6;

interface Walk {
  readonly header: BlockHeader;
  readonly block: WalkedBlock;
}

/** The blocks of each shard, the masterchain first, as read by an independent reader. */
async function walkChain(directory: string): Promise<Walk[][]> {
  const chain = openChain(directory);
  const rows = chain.shards().map(({ id }) =>
    Array.from({ length: STEPS }, (_, i) => {
      const number = { ...id, seqno: i + 1 };
      const [header, boc] = [chain.block(id, number), chain.blockData(number)];
      if (!header || !boc) throw new Error(`a block is missing: ${number.shard} ${number.seqno}`);
      return { header, block: walkBlock(boc) };
    }),
  );
  await chain.close();
  return rows;
}

describe("a chain", () => {
  test("has blocks whose sums and hashes are consistent, and which follow each other", async () => {
    const [master = [], ...shards] = await walkChain(await madeChain({ ...FAST, steps: 12 }));
    expect(shards.length).toBe(FAST.shards);
    for (const row of [master, ...shards]) {
      for (const [i, { header, block }] of row.entries()) {
        expect(block.newState).toBe(hex(header.stateRootHash));
        expect(block.previous.map(({ rootHash }) => rootHash)).toEqual([hex(header.previous.rootHash)]);
        expect(block.transactions.length).toBe(header.transactionCount);
        if (i > 0) expect(block.oldState).toBe(row[i - 1]?.block.newState);
        if (i > 0) expect(block.previous[0]?.endLt).toBe(row[i - 1]?.block.endLt);
      }
    }
    for (const [i, { block }] of master.entries()) {
      const newest = shards.map((row) => hex(row[i]?.header.id.rootHash ?? new Uint8Array()));
      expect(block.shards.map(({ rootHash }) => rootHash)).toEqual(newest);
      expect(shards.map((row) => row[i]?.block.master?.seqno)).toEqual(Array(FAST.shards).fill(i));
    }
    const all = [master, ...shards].flat().map(({ block }) => block);
    const ways = new Set(all.flatMap(({ outMessages }) => Array.from(outMessages.values(), ({ tag }) => tag)));
    expect([...ways].sort()).toEqual(expect.arrayContaining(["001", "010", "1101"]));
  });

  test("has zero states whose sums are consistent, and which @ton/core reads", async () => {
    const directory = temporaryFolder();
    await createChain(directory, { seed: 4, accounts: 40, shards: 4 });
    const chain = openChain(directory);
    const states = chain.shards().map(({ id }) => {
      const [root] = CoreCell.fromBoc(Buffer.from(chain.blockData(id) ?? [])) as [CoreCell];
      expect(root.hash().toString("hex")).toBe(hex(id.rootHash));
      const state = walkState(root);
      const read = loadShardStateUnsplit(root.beginParse());
      expect(read.accounts?.size).toBe(state.accounts.size);
      expect(read.extras?.config.size).toBe(state.workchain === -1 ? 13 : undefined);
      return state;
    });
    await chain.close();
    expect(states.map(({ workchain, seqno }) => [workchain, seqno])).toEqual([[-1, 0], ...Array(4).fill([0, 0])]);
    expect(states[0]?.shards.map(({ rootHash }) => rootHash)).toEqual(states.slice(1).map(({ hash }) => hash));
    expect(text(states[0]?.globalBalance ?? new Map())).not.toBe("");
  });
});
