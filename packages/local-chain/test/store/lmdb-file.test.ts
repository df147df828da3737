/** LMDB never writes pages that a transaction allocates and frees: such a file is intact and shorter than its meta page states. */
import { readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/production/producer.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { checkLmdbFile, padLmdbFile, waitForLmdbFile } from "../../src/store/lmdb-file.ts";
import { openStore } from "../../src/store/store.ts";
import { verifyChain } from "../../src/verify/verify-chain.ts";
import { firstSteps, shortFile, syntheticStore } from "../test-folders.ts";

const PAGE = 4096;

describe("an intact file that is shorter than its meta page states", () => {
  test("results from pages that are allocated and freed", async () => {
    const { file, length } = await shortFile();
    expect(checkLmdbFile(file)).toBe(false);
    padLmdbFile(file);
    expect(checkLmdbFile(file)).toBe(true);
    expect(statSync(file).size).toBeGreaterThan(length);
  });

  test("is padded by a writer that opens it", async () => {
    const { directory, file } = await shortFile();
    const writer = openStore(directory);
    expect(checkLmdbFile(file)).toBe(true);
    await writer.commit(firstSteps(5)[4] ?? expect.fail());
    await writer.close();
    const chain = openChain(directory);
    expect(chain.head().block.id.seqno).toBe(5);
    await chain.close();
  });

  test("does not result from a commit", async () => {
    const { directory, steps } = await syntheticStore(4);
    const file = join(directory, "chain.mdb");
    const step = firstSteps(5)[4] ?? expect.fail();
    const writer = openStore(directory);
    const before = statSync(file).size;
    const long = Buffer.alloc(200_000);
    await writer.commit({ ...step, producer: { put: new Map([["long", long]]), remove: ["long"] } });
    expect(checkLmdbFile(file)).toBe(true);
    // More than a reader tolerates: the writer pads it.
    expect(statSync(file).size).toBeGreaterThan(before + long.length);
    expect(writer.tips[0]?.id.seqno).toBe(steps.length + 1);
    await writer.close();
  });

  test("is padded with zeros by a reader if no writer does it in time", async () => {
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

describe("a file that lost used pages at its end", () => {
  test("passes the check of its length; LMDB then reports the empty pages as errors", async () => {
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
