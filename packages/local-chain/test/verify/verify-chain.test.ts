/** A chain of the real producer, and what becomes of it when somebody changes a record. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncProperty, assert as check, constantFrom, double, integer } from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/production/producer.ts";
import { openTables, type Tables } from "../../src/store/tables.ts";
import { ChainFault } from "../../src/verify/fault.ts";
import { type Verified, verifyChain } from "../../src/verify/verify-chain.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const STEPS = 8;
const directory = mkdtempSync(join(tmpdir(), "local-chain-"));
let transactions = 0;

beforeAll(async () => {
  await createChain(join(directory, "chain"), { seed: 5, accounts: 20, shards: 2, rate: 8 });
  const producer = await openProducer(join(directory, "chain"));
  for (let step = 0; step < STEPS; step++) transactions += (await producer.step()).transactionCount;
  await producer.close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The chain after a change that no producer would make. */
async function verifiedAfter(change: (tables: Tables) => void): Promise<Verified> {
  const copy = mkdtempSync(join(directory, "copy-"));
  try {
    copyFileSync(join(directory, "chain", "chain.mdb"), join(copy, "chain.mdb"));
    const tables = openTables(join(copy, "chain.mdb"), "write");
    tables.root.transactionSync(() => change(tables));
    await tables.root.close();
    return await verifyChain(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const watched = [
  "transactions",
  "versions",
  "accounts",
  "blocks",
  "blockData",
  "blocksByLt",
  "blocksByTime",
  "messages",
  "cells",
] as const;

const keysOf = (tables: Tables, name: keyof Omit<Tables, "root">) =>
  Array.from(tables[name].getKeys(), (key) => Buffer.from(key));
const valueAt = (tables: Tables, name: keyof Omit<Tables, "root">, key: Buffer) =>
  Buffer.from(tables[name].get(key) ?? expect.fail());
const pick = <T>(items: readonly T[], share: number): T => items[Math.floor(share * items.length)] ?? expect.fail();

/** From 0 to below 1. */
const shares = () => double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("verifyChain", () => {
  test("finds an undisturbed chain right, and says what is in it", async () => {
    const steps: number[] = [];
    const verified = await verifyChain(join(directory, "chain"), (step, of) => {
      steps.push(step);
      expect(of).toBe(STEPS);
    });
    expect(steps).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
    expect(verified).toMatchObject({ steps: STEPS, blocks: 3 * STEPS, transactions });
    const { genesis, minted, burnt, balances, inFlight } = verified.value;
    expect(genesis + minted - burnt).toBe(balances + inFlight);
    expect(burnt).toBeGreaterThan(0n);
  });

  test("finds a chain of nothing but its zero state right", async () => {
    const folder = join(temporaryFolder(), "chain");
    await createChain(folder, { seed: 1, accounts: 3, shards: 1 });
    expect(await verifyChain(folder)).toMatchObject({ steps: 0, blocks: 0, transactions: 0 });
  });

  test("finds any byte of any record that was changed", async () => {
    await check(
      asyncProperty(
        constantFrom(...watched),
        shares(),
        shares(),
        integer({ min: 1, max: 255 }),
        async (name, which, where, by) => {
          const verified = verifiedAfter((tables) => {
            const key = pick(keysOf(tables, name), which);
            const value = valueAt(tables, name, key);
            const at = Math.floor(where * value.length);
            value[at] = (value[at] ?? 0) ^ by;
            tables[name].putSync(key, value);
          });
          await expect(verified).rejects.toThrow(ChainFault);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("finds any record that was taken away or put in", async () => {
    await check(
      asyncProperty(constantFrom(...watched), shares(), constantFrom(true, false), async (name, which, take) => {
        const verified = verifiedAfter((tables) => {
          const key = pick(keysOf(tables, name), which);
          if (take) tables[name].removeSync(key);
          else tables[name].putSync(Buffer.concat([key.subarray(0, -1), Buffer.of(0xee)]), valueAt(tables, name, key));
        });
        await expect(verified).rejects.toThrow(ChainFault);
      }),
      { numRuns: 40 },
    );
  });

  test("finds a head that speaks of something else than the blocks", async () => {
    await check(
      asyncProperty(shares(), integer({ min: 1, max: 255 }), async (where, by) => {
        const verified = verifiedAfter((tables) => {
          const key = Buffer.from("head");
          const value = valueAt(tables, "meta", key);
          const at = Math.floor(where * value.length);
          value[at] = (value[at] ?? 0) ^ by;
          tables.meta.putSync(key, value);
        });
        await expect(verified).rejects.toThrow(ChainFault);
      }),
      { numRuns: 25 },
    );
  });

  test("finds a shard's state or queue that was changed where the producer keeps it", async () => {
    await check(
      asyncProperty(constantFrom("shard/", "queue/", "config", "past/"), shares(), shares(), async (prefix, which, where) => {
        const verified = verifiedAfter((tables) => {
          const keys = keysOf(tables, "producer").filter((key) => key.toString().startsWith(prefix));
          const key = pick(keys, which);
          const value = valueAt(tables, "producer", key);
          const at = Math.floor(where * value.length);
          value[at] = (value[at] ?? 0) ^ 1;
          tables.producer.putSync(key, value);
        });
        await expect(verified).rejects.toThrow(/producer keeps/);
      }),
      { numRuns: 30 },
    );
  });

  test("finds a part of a shard's state that is missing where the producer keeps it", async () => {
    const verified = verifiedAfter((tables) => {
      const [key = Buffer.of()] = keysOf(tables, "producer").filter((name) => name.toString().startsWith("shard/"));
      const text = Buffer.from(valueAt(tables, "producer", key)).toString();
      tables.producer.putSync(key, Buffer.from(text.replace('"globalId"', '"globalIe"')));
    });
    await expect(verified).rejects.toThrow(/^what the producer keeps cannot be read: /);
  });

  test.each([
    ["transactions", /^(record|hash) of transaction \d+ of account 0:[0-9A-F]{64} is |^transaction \d+ of account/],
    ["blockData", /file hash of (the zero state )?block \(/],
    ["messages", /^index of the message from account /],
    ["accounts", /account/],
  ] as const)("says where the first wrong thing is: %s", async (name, words) => {
    const verified = verifiedAfter((tables) => {
      const key = pick(keysOf(tables, name), 0.5);
      const value = valueAt(tables, name, key);
      value[value.length - 1] = (value.at(-1) ?? 0) ^ 1;
      tables[name].putSync(key, value);
    });
    await expect(verified).rejects.toThrow(words);
  });
});
