import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { verifyChain } from "../../src/verify/verify-chain.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { directory, keysOf, pick, produceBeforeTests, STEPS, valueAt, verifiedAfter } from "./changed-chain.ts";

const produced = produceBeforeTests();

describe("verifyChain", () => {
  test("accepts an unchanged chain, and returns its content", async () => {
    const steps: number[] = [];
    const verified = await verifyChain(directory, (step, of) => {
      steps.push(step);
      expect(of).toBe(STEPS);
    });
    expect(steps).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
    expect(verified).toMatchObject({ steps: STEPS, blocks: 3 * STEPS, transactions: produced.transactions });
    const { genesis, minted, burnt, balances, inFlight } = verified.value;
    expect(genesis + minted - burnt).toBe(balances + inFlight);
    expect(burnt).toBeGreaterThan(0n);
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

  test.each([
    ["transactions", /^(record|hash) of transaction \d+ of account 0:[0-9A-F]{64} is |^transaction \d+ of account/],
    ["blockData", /file hash of (the zero state|block) (-1|0):[0-9a-f]{16}:\d+ is /],
    ["messages", /^index of the message from account /],
    ["accounts", /account/],
  ] as const)("says where the first inconsistency is: %s", async (name, words) => {
    const verified = verifiedAfter((tables) => {
      const key = pick(keysOf(tables, name), 0.5);
      const value = valueAt(tables, name, key);
      value[value.length - 1] = (value.at(-1) ?? 0) ^ 1;
      tables[name].putSync(key, value);
    });
    await expect(verified).rejects.toThrow(words);
  });
});
