/** The store's library never writes pages that a transaction takes and gives back: such a file is shorter than it says, and whole. */
import { cpSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { open } from "lmdb";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/open-producer.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { checkLmdbFile, padLmdbFile, waitForLmdbFile } from "../../src/store/lmdb-file.ts";
import { openStore } from "../../src/store/open-store.ts";
import { verifyChain } from "../../src/verify/verify-chain.ts";
import { firstSteps, syntheticStore } from "../synthetic-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PAGE = 4096;

/** Records that need more pages than are free, and no page once they are gone. */
const passing = Array.from({ length: 150 }, (_, i) => [`passing ${i}`, Buffer.alloc(500, i)] as const);

/** The file of a chain whose last transaction gave back the last pages that it had taken, as the library itself leaves it. */
async function shortFile(): Promise<{ readonly directory: string; readonly file: string; readonly length: number }> {
  const { directory } = await syntheticStore(4);
  const file = join(directory, "chain.mdb");
  const root = open<Uint8Array, Uint8Array>({ path: file, encoding: "binary", keyEncoding: "binary", overlappingSync: false });
  const producer = root.openDB<Uint8Array, Uint8Array>({ name: "producer", encoding: "binary", keyEncoding: "binary" });
  root.transactionSync(() => {
    for (const [name, value] of passing) producer.putSync(Buffer.from(name), value);
    for (const [name] of passing) producer.removeSync(Buffer.from(name));
  });
  await root.close();
  return { directory, file, length: statSync(file).size };
}

describe("a file that is shorter than it says, and whole", () => {
  test("is what the library leaves of pages that were taken and given back", async () => {
    const { file, length } = await shortFile();
    expect(checkLmdbFile(file)).toBe(false);
    padLmdbFile(file);
    expect(checkLmdbFile(file)).toBe(true);
    expect(statSync(file).size).toBeGreaterThan(length);
  });

  test("is opened by a writer, which fills it up and goes on", async () => {
    const { directory, file } = await shortFile();
    const writer = openStore(directory);
    expect(checkLmdbFile(file)).toBe(true);
    await writer.commit(firstSteps(5)[4] ?? expect.fail());
    await writer.close();
    const chain = openChain(directory);
    expect(chain.head().block.id.seqno).toBe(5);
    await chain.close();
  });

  test("is not left by a commit", async () => {
    const { directory, steps } = await syntheticStore(4);
    const file = join(directory, "chain.mdb");
    const step = firstSteps(5)[4] ?? expect.fail();
    const writer = openStore(directory);
    const before = statSync(file).size;
    const long = Buffer.alloc(200_000);
    await writer.commit({ ...step, producer: { put: new Map([["long", long]]), remove: ["long"] } });
    expect(checkLmdbFile(file)).toBe(true);
    // More than would be forgiven: the writer knows that it is nothing.
    expect(statSync(file).size).toBeGreaterThan(before + long.length);
    expect(writer.tips[0]?.id.seqno).toBe(steps.length + 1);
    await writer.close();
  });

  test("is waited for by a reader, until the writer beside it has filled it up", async () => {
    const { directory, file, length } = await shortFile();
    const full = join(temporaryFolder(), "full.mdb");
    cpSync(file, full);
    padLmdbFile(full);
    const needed = statSync(full).size;
    const grow = `setTimeout(() => require("node:fs").truncateSync(${JSON.stringify(file)}, ${needed}), 100)`;
    const writer = new Worker(grow, { eval: true });
    const before = performance.now();
    const chain = openChain(directory);
    expect(performance.now() - before).toBeGreaterThan(50);
    expect(statSync(file).size).toBe(needed);
    expect(chain.head().block.id.seqno).toBe(4);
    await chain.close();
    await writer.terminate();
    expect(needed).toBeGreaterThan(length);
  });

  test("is filled up by a reader where nobody else does it, with nothing but zeros", async () => {
    const { directory, file, length } = await shortFile();
    const before = readFileSync(file);
    waitForLmdbFile(file, 20);
    expect(checkLmdbFile(file)).toBe(true);
    const after = readFileSync(file);
    expect(after.subarray(0, length).equals(before)).toBe(true);
    expect(after.subarray(length).every((byte) => byte === 0)).toBe(true);
    const chain = openChain(directory);
    expect(chain.head().block.id.seqno).toBe(4);
    await chain.close();
  });
});

describe("a file that lost pages in use at its end", () => {
  test("cannot be told from one by its length; the library finds them empty, and ends nobody", async () => {
    const directory = join(temporaryFolder(), "chain");
    await createChain(directory, { seed: 3, accounts: 5, shards: 1 });
    await verifyChain(directory);
    const file = join(directory, "chain.mdb");
    truncateSync(file, statSync(file).size - 5 * PAGE);
    await expect(openProducer(directory)).rejects.toThrow(/MDB_CORRUPTED/);
    await expect(verifyChain(directory)).rejects.toThrow(/MDB_CORRUPTED/);
    expect(checkLmdbFile(file)).toBe(true);
  });
});
