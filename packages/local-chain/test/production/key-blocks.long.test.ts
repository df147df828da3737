import { hex, writeBoc } from "@chain-query/format/cells";
import type { StepBlock } from "@chain-query/format/store";
import { type WalkedBlock, walkBlock } from "@chain-query/testing/block-walker/block";
import { walkMasterchain } from "@chain-query/testing/block-walker/state";
import { FAST } from "@chain-query/testing/chains";
import { type Cell, Dictionary, loadTransaction, type Transaction } from "@ton/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalChain } from "../../src/domain.ts";
import { CONFIG_ACCOUNT } from "../../src/genesis/configuration.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { madeChain, stepsOf } from "../../src/testing/made-chain.ts";
import { coreCell } from "./produced-chain.ts";

const [INTERVAL, STEPS] = [3, 13];
const OPTIONS = { ...FAST, shards: 2, resharding: 3, burnedFees: 20, keyBlocks: INTERVAL, steps: STEPS } as const;

interface Walk extends Pick<StepBlock, "id" | "transactions"> {
  readonly block: WalkedBlock;
}

describe("a chain with key blocks", () => {
  let directory: string;
  let reader: LocalChain;
  let walks: readonly Walk[];
  /** The configuration after each masterchain block, by number. */
  let configs: readonly Cell[];

  beforeAll(async () => {
    directory = await madeChain(OPTIONS);
    reader = openChain(directory);
    const blocks = (await stepsOf(directory)).flatMap(({ shards, masterchain }) => [...shards, masterchain]);
    walks = blocks.map(({ id, transactions }) => ({
      id,
      transactions,
      block: walkBlock(reader.blockData(id) ?? expect.fail()),
    }));
    configs = Array.from({ length: STEPS + 1 }, (_, seqno) => existing(walkMasterchain(coreState(seqno)).config));
  });
  afterAll(() => reader?.close());

  const coreState = (seqno: number): Cell => {
    const state = reader.state({ ...reader.genesis().block, seqno }) ?? expect.fail();
    return coreCell(writeBoc(state));
  };

  test("has one every few steps, which all blocks and states after it name", () => {
    for (const { id, block } of walks) {
      const known = block.master?.seqno ?? id.seqno - 1;
      expect(block.keySeqno).toBe(known - (known % INTERVAL));
      if (block.master) continue;
      expect(block.isKey).toBe(id.seqno % INTERVAL === 0);
      const state = walkMasterchain(coreState(id.seqno));
      const keys = Array.from({ length: Math.ceil(id.seqno / INTERVAL) }, (_, i) => i * INTERVAL);
      expect(state).toMatchObject({ afterKey: block.isKey, keys });
      const key = reader.block(id, { seqno: keys.at(-1) ?? 0 }) ?? { id: reader.genesis().block, endLt: 0n };
      expect(state.lastKey).toMatchObject({ endLt: key.endLt, rootHash: hex(key.id.rootHash) });
    }
  });

  test("has the configuration of the account that holds it, which changes in key blocks only", () => {
    const hashes = configs.map((config) => config.hash().toString("hex"));
    // Each key block has other validators.
    expect(new Set(hashes).size).toBe(1 + Math.floor(STEPS / INTERVAL));
    for (const [seqno, hash] of hashes.entries()) {
      const { data } = reader.account(CONFIG_ACCOUNT, seqno) ?? expect.fail();
      expect(coreCell(existing(data)).refs[0]?.hash().toString("hex")).toBe(hash);
      const block = walks.find(({ id }) => id.workchain === -1 && id.seqno === seqno)?.block;
      if (block?.isKey) expect(block.config?.hash().toString("hex")).toBe(hash);
      if (seqno > 0) expect(hash !== hashes[seqno - 1]).toBe(block?.isKey);
    }
  });

  test("executes transactions with the prices and limits that the masterchain block has to which a block refers", () => {
    const prices = new Map<bigint, bigint>();
    for (const { id, block, transactions } of walks.filter(({ id }) => id.workchain === 0)) {
      const { price, flatPrice, limit } = gasOf(existing(configs[block.master?.seqno ?? -1]));
      for (const { description } of transactions.map(({ cell }) => parsed(cell))) {
        if (description.type !== "generic" || description.computePhase.type !== "vm") continue;
        const { gasUsed, gasFees, gasLimit } = description.computePhase;
        const beyondFlat = gasUsed > 100n ? gasUsed - 100n : 0n;
        expect(gasFees, `block ${id.seqno}`).toBe(flatPrice + (beyondFlat * price + 0xffffn) / 0x1_0000n);
        if (gasLimit > (prices.get(limit) ?? 0n)) prices.set(limit, gasLimit);
      }
    }
    expect([...prices].map(([limit]) => limit)).toEqual([1_000_000n, 1_500_000n, 800_000n, 1_250_000n]);
    for (const [limit, most] of prices) expect(most).toBe(limit);
  });
});

/** GasLimitsPrices of the basechain. */
function gasOf(config: Cell): { readonly price: bigint; readonly flatPrice: bigint; readonly limit: bigint } {
  const parameters = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), config);
  const slice = existing(parameters.get(21))
    .beginParse()
    .skip(8 + 64);
  const flatPrice = slice.loadUintBig(64);
  const price = slice.skip(8).loadUintBig(64);
  return { flatPrice, price, limit: slice.loadUintBig(64) };
}

function parsed(cell: Parameters<typeof writeBoc>[0]): Transaction {
  return loadTransaction(coreCell(writeBoc(cell)).beginParse());
}

function existing<T>(value: T | undefined): T {
  return value ?? expect.fail();
}
