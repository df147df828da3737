/** A produced chain, and copies of it with records that no producer would write. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/open-producer.ts";
import { openTables, type Tables } from "../../src/store/tables.ts";
import { type Verified, verifyChain } from "../../src/verify/verify-chain.ts";

export const STEPS = 8;
const folder = mkdtempSync(join(tmpdir(), "local-chain-"));
/** The chain as it was produced. */
export const directory: string = join(folder, "chain");
let transactions = 0;

/** Produces the chain before the tests of a file, and removes it and its copies after them. */
export function produceBeforeTests(): { readonly transactions: number } {
  beforeAll(async () => {
    await createChain(directory, { seed: 5, accounts: 20, shards: 2, rate: 8 });
    const producer = await openProducer(directory);
    for (let step = 0; step < STEPS; step++) transactions += (await producer.step()).transactionCount;
    await producer.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get transactions() {
      return transactions;
    },
  };
}

/** Verifies a copy of the chain after a change. */
export async function verifiedAfter(change: (tables: Tables) => void): Promise<Verified> {
  const copy = mkdtempSync(join(folder, "copy-"));
  try {
    copyFileSync(join(directory, "chain.mdb"), join(copy, "chain.mdb"));
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
