import { decodeShardAccount } from "@chain-query/format/accounts";
import { BUSY, BUSY_STEPS } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { chainSteps } from "../../src/index.ts";
import { madeChain } from "../../src/testing/made-chain.ts";
import { recordsOf, storedRecords } from "./step-records.ts";

test("steps make the records of the chain's file, byte for byte, also of accounts that were deployed, frozen and deleted", async () => {
  const directory = await madeChain({ ...BUSY, steps: BUSY_STEPS });
  const source = chainSteps(directory);
  const statuses = new Set<string>();
  const records = await recordsOf(source, ({ accounts }) => {
    for (const { shardAccount: cell } of accounts) {
      statuses.add(cell.refs[0]?.bitLength === 1 ? "deleted" : decodeShardAccount(cell).status);
    }
  });
  await source.close();
  expect([...statuses].sort()).toEqual(["active", "deleted", "frozen", "uninitialized"]);
  expect(records).toEqual(await storedRecords(directory));
});
