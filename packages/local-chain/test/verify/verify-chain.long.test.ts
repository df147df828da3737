import { asyncProperty, assert as check, constantFrom, double, integer } from "fast-check";
import { describe, expect, test } from "vitest";
import { ChainFault } from "../../src/verify/compared-tables.ts";
import { flip, keysOf, pick, valueAt, verifiedAfter } from "./changed-chain.ts";

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

const tables = constantFrom(...CHECKED);
/** From 0 to below 1. */
const share = double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const change = integer({ min: 1, max: 255 });
const runs = (numRuns: number) => ({ numRuns, seed: 1 });

describe("verifyChain", () => {
  test("finds a changed byte in any record", async () => {
    await check(
      asyncProperty(tables, share, share, change, async (name, which, where, by) => {
        const verified = verifiedAfter((tables) => flip(tables, name, pick(keysOf(tables, name), which), where, by));
        await expect(verified).rejects.toThrow(ChainFault);
      }),
      runs(100),
    );
  });

  test("finds a removed or added record", async () => {
    await check(
      asyncProperty(tables, share, constantFrom(true, false), async (name, which, take) => {
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
      asyncProperty(tables, share, share, async (name, which, from) => {
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
      asyncProperty(share, change, async (where, by) => {
        const verified = verifiedAfter((tables) => flip(tables, "meta", Buffer.from("head"), where, by));
        await expect(verified).rejects.toThrow(ChainFault);
      }),
      runs(25),
    );
  });

  test("finds a changed byte in the producer's state", async () => {
    await check(
      asyncProperty(constantFrom("shard/", "queue/", "config", "past/"), share, share, async (prefix, which, where) => {
        const verified = verifiedAfter((tables) => {
          const keys = keysOf(tables, "producer").filter((key) => key.toString().startsWith(prefix));
          flip(tables, "producer", pick(keys, which), where, 1);
        });
        await expect(verified).rejects.toThrow(/producer's state/);
      }),
      runs(30),
    );
  });
});
