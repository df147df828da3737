import { join } from "node:path";
import { readBlock } from "@chain-query/format/blocks";
import { readBoc } from "@chain-query/format/cells";
import { RESHARDED } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { blockKey } from "../../src/store/records.ts";
import { knownHeader, storedGenesis } from "../../src/store/store-contents.ts";
import { openTables } from "../../src/store/tables.ts";
import { madeChain } from "../../src/testing/made-chain.ts";
import type { CheckedBlock } from "../../src/verify/block-check.ts";
import { ChainFault } from "../../src/verify/fault.ts";
import { libraryLedger } from "../../src/verify/library-ledger.ts";

test("libraries of a state that no account publishes are a fault", async () => {
  const tables = openTables(join(await madeChain(RESHARDED), "chain.mdb"), "read");
  const genesis = storedGenesis(tables);
  const { follow } = libraryLedger(tables);
  const blocks = Array.from({ length: RESHARDED.steps }, (_, i): CheckedBlock => {
    const header = knownHeader(tables, genesis, genesis.masterchain, i + 1);
    const root = readBoc(tables.blockData.get(blockKey(header.id, header.id.seqno)) ?? expect.fail());
    // Without transactions, the ledger knows no publisher.
    return { ...readBlock(root), root, header, transactions: [] };
  });
  const followAll = () => {
    for (const block of blocks) follow(block);
  };
  expect(followAll).toThrow(ChainFault);
  expect(followAll).toThrow(
    /^libraries in the state after block -1:8000000000000000:\d+ is [0-9a-f]{64} .* and should be none$/,
  );
  await tables.root.close();
});
