/** Blocks of real networks, read by what reads ours. */
import { createHash } from "node:crypto";
import { bytesOf, realCells } from "@chain-query/block-walker/recorded-cells";
import { readBoc } from "@chain-query/format/cells";
import { decodeTransaction } from "@chain-query/format/transactions";
import { describe, expect, test } from "vitest";
import { readBlockContents } from "../../src/verify/block-contents.ts";

const blocks = realCells("blocks");
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

if (blocks.length > 0) {
  describe("readBlockContents", () => {
    test.each(blocks)("finds in $file what is known of it", (cells) => {
      const bytes = bytesOf(cells);
      const root = readBoc(bytes);
      const { info, transactions } = readBlockContents(root);
      const lts = transactions.map((cell) => decodeTransaction(cell).id.lt);
      expect(cells.what).toContain(`(${info.workchain},${info.shard},${info.seqno})`);
      expect(cells.what).toContain(`utime ${info.time}, lt ${info.startLt}..${info.endLt}, ${transactions.length} txs`);
      expect(cells.what).toContain(`root_hash ${base64(root.hash)}`);
      expect(cells.what).toContain(`file_hash ${createHash("sha256").update(bytes).digest("base64")}`);
      for (const lt of lts) expect(lt >= info.startLt && lt < info.endLt).toBe(true);
    });

    test("finds the transactions that were cut out of them, as they are", () => {
      const cut = realCells("tx").map((cells) => readBoc(bytesOf(cells)));
      const found = new Set(
        blocks.flatMap((cells) => readBlockContents(readBoc(bytesOf(cells))).transactions.map(({ hash }) => base64(hash))),
      );
      expect(cut.filter(({ hash }) => found.has(base64(hash))).length).toBeGreaterThanOrEqual(9);
    });
  });
}

test("a cell that is no block is refused", () => {
  expect(() => readBlockContents(readBoc(Buffer.from("te6cckEBAQEAAgAAAEysuc0=", "base64")))).toThrow(/ends|begin/);
});
