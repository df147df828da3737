import { type WalkedBlock, walkBlock } from "@chain-query/block-walker/block";
import { bytesOf, type RealCells, realCells } from "@chain-query/block-walker/recorded-cells";
import { CellBuilder, CellError, readBoc, sha256 } from "@chain-query/format/cells";
import { readTransactionParts } from "@chain-query/format/transactions";
import { Cell as CoreCell, loadTransaction } from "@ton/core";
import { describe, expect, test } from "vitest";

/** What the index says of a block, as text to find in it. */
function named(
  bytes: Uint8Array,
  { globalId, workchain, shard, seqno, time, startLt, endLt, transactions }: WalkedBlock,
): string {
  const prefix = BigInt.asIntN(64, BigInt(`0x${shard}`));
  const id = `block (${workchain},${prefix},${seqno}), global_id ${globalId}, utime ${time}`;
  const [root, file] = [readBoc(bytes).hash, sha256(bytes)].map((hash) => Buffer.from(hash).toString("base64"));
  return `${id}, lt ${startLt}..${endLt}, ${transactions.length} txs; root_hash ${root} file_hash ${file}`;
}

function tags(entries: WalkedBlock["inMessages"]): string[] {
  return [...new Set(Array.from(entries.values(), ({ tag }) => tag))].sort();
}

/** The transactions of a block, by what the index calls their files. */
function filesOf({ workchain, transactions }: WalkedBlock): Map<string, string> {
  return new Map(transactions.map(({ account, lt, hash }) => [`tx/${workchain}_${account.slice(0, 8)}_${lt}.boc`, hash]));
}

const blocks: readonly RealCells[] = realCells("blocks");

describe("walkBlock", () => {
  test("finds in real blocks what is known of them, and every sum and hash in them right", () => {
    const found = new Set<string>();
    for (const block of blocks) {
      const bytes = bytesOf(block);
      const walked = walkBlock(bytes);
      expect(block.what).toContain(named(bytes, walked));
      for (const tag of tags(walked.inMessages)) found.add(`in ${tag}`);
      for (const tag of tags(walked.outMessages)) found.add(`out ${tag}`);
    }
    const expected = ["in 000", "in 011", "in 100", "out 000", "out 001", "out 010", "out 1101"];
    expect([...found].sort()).toEqual(blocks.length > 0 ? expected : []);
  });

  test("finds the transactions that were cut out of real blocks", () => {
    const inBlocks = new Map(blocks.flatMap((block) => [...filesOf(walkBlock(bytesOf(block)))]));
    const cut = realCells("tx").filter(({ what }) => what.startsWith("tx 0:"));
    for (const each of cut) expect(inBlocks.get(each.file)).toBe(Buffer.from(readBoc(bytesOf(each)).hash).toString("hex"));
    expect(cut.length).toBe(blocks.length > 0 ? 9 : 0);
  });
});

describe("readTransactionParts", () => {
  test("reads of real transactions what @ton/core reads", () => {
    for (const file of realCells("tx")) {
      const bytes = Buffer.from(bytesOf(file));
      const parts = readTransactionParts(readBoc(bytes));
      const [core] = CoreCell.fromBoc(bytes) as [CoreCell];
      const expected = loadTransaction(core.beginParse());
      expect(parts).toMatchObject({ lt: expected.lt, previousLt: expected.prevTransactionLt, time: expected.now });
      expect(BigInt(`0x${Buffer.from(parts.account).toString("hex")}`)).toBe(expected.address);
      expect(parts.totalFees.coins).toBe(expected.totalFees.coins);
      expect(Buffer.from(parts.newStateHash)).toEqual(expected.stateUpdate.newHash);
      const messages = [parts.inMessage, ...parts.outMessages];
      for (const [i, info] of [expected.inMessage?.info, ...expected.outMessages.values().map(({ info }) => info)].entries()) {
        expect(messages[i]?.kind).toBe(info?.type);
        const isInternal = info?.type === "internal";
        expect(messages[i]?.value.coins).toBe(isInternal ? info.value.coins : 0n);
        expect(messages[i]?.forwardFee).toBe(isInternal ? info.forwardFee : 0n);
        expect(messages[i]?.createdLt).toBe(info?.type === "external-in" ? 0n : info?.createdLt);
        const hash = messages[i]?.destination?.hash;
        expect(hash && Buffer.from(hash)).toEqual(info?.type === "external-out" ? undefined : info?.dest.hash);
      }
    }
  });

  test("refuses a cell that holds no transaction", () => {
    const message = "a cell that should hold a transaction holds something else";
    expect(() => readTransactionParts(new CellBuilder().uint(0x12345678, 32).cell())).toThrow(new CellError(message));
  });
});
