import { join } from "node:path";
import { readBlock } from "@chain-query/format/blocks";
import { readBoc } from "@chain-query/format/cells";
import { UNEVEN } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { blockKey } from "../../src/store/records.ts";
import { knownHeader, storedGenesis } from "../../src/store/store-contents.ts";
import { openTables } from "../../src/store/tables.ts";
import { madeChain } from "../../src/testing/made-chain.ts";
import type { CheckedBlock } from "../../src/verify/block-check.ts";
import { ChainFault } from "../../src/verify/fault.ts";
import { masterLedger } from "../../src/verify/master-ledger.ts";
import { stepsOf } from "../busy-chain.ts";

test("a reference to the masterchain is never before that of the block before", async () => {
  const directory = await madeChain(UNEVEN);
  const steps = await stepsOf(directory);
  const tables = openTables(join(directory, "chain.mdb"), "read");
  const genesis = storedGenesis(tables);
  const blockOf = (id: Parameters<typeof blockKey>[0] & { readonly seqno: number }): CheckedBlock => {
    const header = knownHeader(tables, genesis, id, id.seqno);
    const root = readBoc(tables.blockData.get(blockKey(id, id.seqno)) ?? expect.fail());
    return { ...readBlock(root), root, header, transactions: [] };
  };
  const { follow } = masterLedger(tables, genesis);
  const seen = new Map<string, CheckedBlock>();
  let faults = 0;
  for (const { masterchain, shards } of steps) {
    for (const { id, previous } of shards) {
      const block = blockOf(id);
      const before = seen.get(previous.rootHash.join());
      const { master: former } = before?.info ?? {};
      if (former && former.seqno > 0) {
        const older = blockOf({ ...genesis.masterchain, seqno: former.seqno - 1 });
        const { seqno, rootHash, fileHash } = older.header.id;
        const master = { seqno, rootHash, fileHash, endLt: older.header.endLt };
        const line = `refers to masterchain block ${seqno}, and the block before it to ${former.seqno}`;
        expect(() => follow({ ...block, info: { ...block.info, master } }, masterchain.id.seqno)).toThrow(ChainFault);
        expect(() => follow({ ...block, info: { ...block.info, master } }, masterchain.id.seqno)).toThrow(line);
        faults += 1;
      }
      follow(block, masterchain.id.seqno);
      seen.set(id.rootHash.join(), block);
    }
  }
  expect(faults).toBeGreaterThan(20);
  await tables.root.close();
});
