import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { openTables, type Tables } from "../../src/store/tables.ts";
import { madeChain } from "../../src/testing/made-chain.ts";
import { type Verified, verifyChain } from "../../src/verify/verify-chain.ts";

export const STEPS = 4;

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

/** Changes the byte at a share of a record. */
export function flip(tables: Tables, name: TableName, key: Buffer, share: number, by: number): void {
  const value = valueAt(tables, name, key);
  const at = Math.floor(share * value.length);
  value[at] = (value[at] ?? 0) ^ by;
  tables[name].putSync(key, value);
}
