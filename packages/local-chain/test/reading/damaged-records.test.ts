import { join } from "node:path";
import { ChainStoreError, type MessageKey } from "@chain-query/format/store";
import { describe, expect, test } from "vitest";
import type { LocalChain } from "../../src/domain.ts";
import { chainReader } from "../../src/reading/chain-reader.ts";
import { openTables, type Tables } from "../../src/store/tables.ts";
import { syntheticAccount } from "../../src/testing/synthetic-chain.ts";
import { syntheticStore } from "../test-folders.ts";

const masterchain = { workchain: -1, shard: -(2n ** 63n) };
const account = syntheticAccount(0);

async function openToDamage(): Promise<{ readonly tables: Tables; readonly chain: LocalChain }> {
  const { directory } = await syntheticStore(4);
  const tables = openTables(join(directory, "chain.mdb"), "write");
  return { tables, chain: chainReader(tables, () => tables.root.close()) };
}

function receivedMessage(chain: LocalChain): MessageKey {
  const accounts = Array.from({ length: 20 }, (_, index) => syntheticAccount(index));
  for (const { inMessage } of accounts.flatMap((one) => [...chain.transactions(one)])) {
    const { source, destination, createdLt } = inMessage ?? {};
    if (source && destination && createdLt !== undefined) return { source, destination, createdLt };
  }
  return expect.fail("no message was received");
}

describe("a reader", () => {
  test.each<
    ["transactions" | "versions" | "cells" | "blocks" | "blocksByTime" | "messages" | "meta", (chain: LocalChain) => unknown]
  >([
    ["transactions", (chain) => [...chain.transactions(account)]],
    ["versions", (chain) => chain.account(account)],
    ["cells", (chain) => chain.account(account)],
    ["blocks", (chain) => chain.block(masterchain, { seqno: 4 })],
    ["blocksByTime", (chain) => chain.block(masterchain, { time: chain.head().block.time })],
    ["messages", (chain) => chain.findReceiver(receivedMessage(chain))],
    ["meta", (chain) => chain.head()],
  ])("gives no answer from a damaged record: %s", async (name, read) => {
    const { tables, chain } = await openToDamage();
    const before = read(chain);
    const records = [...tables[name].getRange()].map(({ key, value }) => ({
      key: Buffer.from(key),
      value: Buffer.from(value),
    }));
    const refused = new Set<string>();
    tables.root.transactionSync(() => {
      for (const { key, value } of records) {
        for (let at = 0; at < value.length; at += 97) {
          const damaged = Buffer.from(value);
          damaged[at] = (damaged[at] ?? 0) ^ 4;
          tables[name].putSync(key, damaged);
          try {
            // The read may not use this record.
            expect(read(chain)).toEqual(before);
          } catch (error) {
            expect(error).toBeInstanceOf(ChainStoreError);
            refused.add(key.toString("hex"));
          }
        }
        tables[name].putSync(key, value);
      }
    });
    expect(refused.size).toBeGreaterThan(0);
    await chain.close();
  });

  test("does not end a history where a transaction is missing", async () => {
    const { tables, chain } = await openToDamage();
    const [, before] = chain.transactions(account);
    const keys = [...tables.transactions.getKeys()].map((key) => Buffer.from(key));
    const lt = Buffer.alloc(8);
    lt.writeBigUInt64BE(before?.id.lt ?? expect.fail());
    const key = keys.find((one) => one.includes(Buffer.from(account.hash)) && one.subarray(-8).equals(lt)) ?? expect.fail();
    await tables.transactions.remove(key);
    expect(() => [...chain.transactions(account)]).toThrow(/damaged: transaction \d+ of account 0:[0-9A-F]{64} is missing/);
    await chain.close();
  });
});
