import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncProperty, assert as check, constantFrom, double, integer } from "fast-check";
import { describe, expect, test } from "vitest";
import { openTables, type Tables } from "../../src/store/tables.ts";
import { madeChain } from "../../src/testing/made-chain.ts";
import { ChainFault } from "../../src/verify/compared-tables.ts";
import { type Verified, verifyChain } from "../../src/verify/verify-chain.ts";

export const STEPS = 8;

/** The chain as it was produced. */
export function producedChain(): Promise<string> {
  return madeChain({
    seed: 5,
    accounts: 20,
    shards: 2,
    rate: 8,
    resharding: 1,
    keyBlocks: 3,
    shardBlocks: "uneven",
    steps: STEPS,
  });
}

/** Verifies a copy of the chain after a change. */
export async function verifiedAfter(change: (tables: Tables) => void): Promise<Verified> {
  const copy = mkdtempSync(join(tmpdir(), "local-chain-"));
  try {
    copyFileSync(join(await producedChain(), "chain.mdb"), join(copy, "chain.mdb"));
    const tables = openTables(join(copy, "chain.mdb"), "write");
    tables.root.transactionSync(() => change(tables));
    await tables.root.close();
    return await verifyChain(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

type TableName = keyof Omit<Tables, "root">;

export function keysOf(tables: Tables, name: TableName): Buffer[] {
  return Array.from(tables[name].getKeys(), (key) => Buffer.from(key));
}

export function valueAt(tables: Tables, name: TableName, key: Buffer): Buffer {
  return Buffer.from(tables[name].get(key) ?? expect.fail());
}

/** The item at a share of a list, from 0 to below 1. */
export function pick<T>(items: readonly T[], share: number): T {
  return items[Math.floor(share * items.length)] ?? expect.fail();
}

const CHECKED = [
  "transactions",
  "versions",
  "accounts",
  "blocks",
  "blockData",
  "states",
  "blocksByLt",
  "blocksByTime",
  "messages",
  "cells",
] as const;

/** From 0 to below 1. */
const shares = () => double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Changes records of a chain, and expects that verifyChain finds them. */
export function testChangedRecords(share: number): void {
  const runs = (full: number) => ({ numRuns: Math.ceil(full * share), seed: 1 });
  describe("verifyChain", () => {
    test("finds a changed byte in any record", async () => {
      await check(
        asyncProperty(
          constantFrom(...CHECKED),
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
        runs(100),
      );
    });

    test("finds a removed or added record", async () => {
      await check(
        asyncProperty(constantFrom(...CHECKED), shares(), constantFrom(true, false), async (name, which, take) => {
          const verified = verifiedAfter((tables) => {
            const key = pick(keysOf(tables, name), which);
            if (take) tables[name].removeSync(key);
            else tables[name].putSync(Buffer.concat([key.subarray(0, -1), Buffer.of(0xee)]), valueAt(tables, name, key));
          });
          await expect(verified).rejects.toThrow(ChainFault);
        }),
        runs(40),
      );
    });

    test("finds a record in the place of another one", async () => {
      await check(
        asyncProperty(constantFrom(...CHECKED), shares(), shares(), async (name, which, from) => {
          let isChanged = false;
          const verified = verifiedAfter((tables) => {
            const [key, other] = [which, from].map((share) => pick(keysOf(tables, name), share)) as [Buffer, Buffer];
            isChanged = !valueAt(tables, name, key).equals(valueAt(tables, name, other));
            tables[name].putSync(key, valueAt(tables, name, other));
          });
          const fault = await verified.then(() => undefined).catch((error: unknown) => error);
          expect(fault instanceof ChainFault, String(fault)).toBe(isChanged);
        }),
        runs(40),
      );
    });

    test("finds a changed byte in the head", async () => {
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
        runs(25),
      );
    });

    test("finds a changed byte in the producer's state", async () => {
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
          await expect(verified).rejects.toThrow(/producer's state/);
        }),
        runs(30),
      );
    });
  });
}
