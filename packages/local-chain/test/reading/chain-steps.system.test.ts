import { rmSync } from "node:fs";
import type { Step } from "@chain-query/chain-store";
import { decodeShardAccount } from "@chain-query/format/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainSteps, openChain } from "../../src/index.ts";
import { type ProducedChain, producedChain } from "../production/produced-chain.ts";
import { collected, recordsOf, storedRecords } from "./step-records.ts";

/** A step a day, so that accounts freeze. */
const options = { seed: 3, accounts: 100, rate: 60, blockInterval: 86_400, shards: 4, transactionLimit: 60 } as const;

let chain: ProducedChain;
let steps: readonly Step[];

beforeAll(async () => {
  chain = await producedChain(options, 40);
  const source = chainSteps(chain.directory);
  steps = await collected(source.steps({ from: 1, to: 40 }, new AbortController().signal));
  await source.close();
});
afterAll(() => rmSync(chain.directory, { recursive: true, force: true }));

describe("the steps of a produced chain", () => {
  test("make the records that the chain's file has, byte for byte", async () => {
    const source = chainSteps(chain.directory);
    const records = await recordsOf(source);
    await source.close();
    expect(records).toEqual(await storedRecords(chain.directory));
  });

  test("have accounts that were deployed, frozen and deleted", () => {
    const accounts = steps.flatMap((step) => step.accounts.map(({ shardAccount }) => shardAccount));
    const statuses = new Set(
      accounts.map((cell) => (cell.refs[0]?.bitLength === 1 ? "deleted" : decodeShardAccount(cell).status)),
    );
    expect([...statuses].sort()).toEqual(["active", "deleted", "frozen", "uninitialized"]);
  });

  test("are those that the producer committed", async () => {
    const reader = openChain(chain.directory);
    for (const [i, { commit }] of chain.steps.entries()) {
      const { masterchain, shards } = steps[i] ?? expect.fail();
      expect([...shards, masterchain].map(({ id }) => id)).toEqual([...commit.shards, commit.masterchain].map(({ id }) => id));
      expect(reader.block(masterchain.id, { seqno: i + 1 })?.transactionCount).toBe(masterchain.transactions.length);
    }
    await reader.close();
  });
});
