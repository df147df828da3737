import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSameShard } from "@chain-query/format/identifiers";
import { ACCOUNT_BYTES, accountRecord, ChainStoreError } from "@chain-query/format/store";
import { temporaryFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { stepsOf } from "../../src/testing/made-chain.ts";
import { ChainFault } from "../../src/verify/compared-tables.ts";
import { verifyChain } from "../../src/verify/verify-chain.ts";
import { flip, keysOf, pick, producedChain, STEPS, valueAt, verifiedAfter } from "./changed-chain.ts";

describe("verifyChain", () => {
  test("accepts an unchanged chain, and returns its content", async () => {
    const steps: number[] = [];
    const directory = await producedChain();
    const verified = await verifyChain(directory, (step, of) => {
      steps.push(step);
      expect(of).toBe(STEPS);
    });
    expect(steps).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
    const chain = openChain(directory);
    const { transactionCount } = chain.head();
    await chain.close();
    const blocks = (await stepsOf(directory)).flatMap(({ masterchain, shards }) => [masterchain, ...shards]);
    expect(blocks.some(({ id, previous }) => !isSameShard(id, previous))).toBe(true);
    expect(verified).toMatchObject({ steps: STEPS, blocks: blocks.length, transactions: Number(transactionCount) });
  });

  test("accepts a chain without blocks", async () => {
    const folder = join(temporaryFolder(), "chain");
    await createChain(folder, { seed: 1, accounts: 3, shards: 1 });
    expect(await verifyChain(folder)).toMatchObject({ steps: 0, blocks: 0, transactions: 0 });
  });

  test("finds a missing part of a shard in the producer's state", async () => {
    const verified = verifiedAfter((tables) => {
      const [key = Buffer.of()] = keysOf(tables, "producer").filter((name) => name.toString().startsWith("shard/"));
      const text = Buffer.from(valueAt(tables, "producer", key)).toString();
      tables.producer.putSync(key, Buffer.from(text.replace('"globalId"', '"globalIe"')));
    });
    await expect(verified).rejects.toThrow(/^the producer's state cannot be read: /);
  });

  test("reports a page that LMDB cannot find, as readers do", async () => {
    const copy = temporaryFolder();
    const file = readFileSync(join(await producedChain(), "chain.mdb"));
    breakOverflowPages(file);
    writeFileSync(join(copy, "chain.mdb"), file);
    await expect(verifyChain(copy)).rejects.toThrow(ChainFault);
    await expect(verifyChain(copy)).rejects.toThrow(/cannot be read: MDB_PAGE_NOTFOUND/);
    const chain = openChain(copy);
    const { block } = chain.genesis();
    expect(() => chain.blockData(block)).toThrow(
      new ChainStoreError("the chain is damaged: MDB_PAGE_NOTFOUND: Requested page not found"),
    );
    await chain.close();
  });

  test("finds a state and an account with another hash than the blocks state", async () => {
    const state = verifiedAfter((tables) => {
      const [first = Buffer.of(), second = Buffer.of()] = keysOf(tables, "states");
      tables.states.putSync(first, valueAt(tables, "states", second));
    });
    await expect(state).rejects.toThrow(/^hash of the state after block -1:8000000000000000:1 is /);
    const account = verifiedAfter((tables) => {
      const keys = keysOf(tables, "versions").filter((key) => key.readUInt32BE(ACCOUNT_BYTES) > 0);
      const isOf = (key: Buffer, other: Buffer) => key.compare(other, 0, ACCOUNT_BYTES, 0, ACCOUNT_BYTES) === 0;
      const first = keys.find((key, i) => isOf(key, keys[i + 1] ?? Buffer.of())) ?? expect.fail();
      const [own, next] = [first, keys[keys.indexOf(first) + 1] ?? first].map((key) =>
        accountRecord.decode(valueAt(tables, "versions", key)),
      );
      if (own && next) tables.versions.putSync(first, accountRecord.encode({ ...next, last: own.last }));
    });
    await expect(account).rejects.toThrow(/^hash of account \S+ after transaction \d+ is /);
  });

  test.each([
    ["transactions", /^transaction \d+ of account 0:[0-9A-F]{64} is not what the blocks state$/],
    ["blockData", /file hash of (the zero state|block) (-1|0):[0-9a-f]{16}:\d+ is /],
    ["messages", /^message \d+ from account \S+ to account \S+ is not what the blocks state$/],
    ["accounts", /^account \S+ /],
  ] as const)("reports the place of the first inconsistency: %s", async (name, words) => {
    const verified = verifiedAfter((tables) => flip(tables, name, pick(keysOf(tables, name), 0.5), 1 - Number.EPSILON, 1));
    await expect(verified).rejects.toThrow(words);
  });
});

/** Makes every long value of an LMDB file refer to an overflow page that does not exist. */
function breakOverflowPages(file: Buffer): void {
  const [pageSize, header, isLeaf, isOverflow] = [4096, 24, 2, 1];
  for (let page = 2 * pageSize; page < file.length; page += pageSize) {
    const isPage = file.readBigUInt64LE(page) === BigInt(page / pageSize);
    if (!isPage || file.readUInt16LE(page + 18) !== isLeaf) continue;
    const count = file.readUInt16LE(page + 20) / 2;
    for (let i = 0; i < count; i++) {
      const node = page + header + file.readUInt16LE(page + header + 2 * i);
      const keySize = file.readUInt16LE(node + 6);
      if (file.readUInt16LE(node + 4) & isOverflow) file.writeBigUInt64LE(2n ** 40n, node + 8 + keySize);
    }
  }
}
