import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { ChainOptionError, type ChainOptions, chainOptions, readOptions, storedOptions } from "../../src/genesis/options.ts";
import { firstWallet } from "../../src/genesis/population.ts";
import { openChain } from "../../src/reading/chain-reader.ts";

describe("chainOptions", () => {
  test("adds the defaults", () => {
    expect(chainOptions({ seed: 1 })).toEqual({
      seed: 1n,
      startTime: 1_767_225_600,
      accounts: 1_000,
      shards: 4,
      blockInterval: 5,
      rate: 20,
      transactionLimit: 20,
      retentionSeconds: 172_800,
      reserved: 0,
      burnedFees: 0,
      puppets: 0,
      resharding: "none",
      keyBlocks: "none",
      suspended: 0,
      shardBlocks: "one",
      validators: 4,
      consensus: "simplex",
    });
    expect(chainOptions({ seed: 1, shards: 1, rate: 50 }).transactionLimit).toBe(200);
  });

  const refused: readonly (readonly [Partial<Record<keyof ChainOptions, unknown>>, string])[] = [
    [{ shards: 3 }, "shards 3: expected 1, 2, 4 or 8"],
    [{ resharding: 0 }, "resharding 0: expected none, load, or a whole number of steps from 1 to 1000000"],
    [{ shards: 16 }, "shards 16: expected 1, 2, 4 or 8"],
    [{ seed: -1 }, "seed -1: expected a whole number from 0 to 18446744073709551615"],
    [{ seed: 1.5 }, "seed 1.5: expected a whole number from 0 to 18446744073709551615"],
    [{ seed: Number.NaN }, "seed NaN: expected a whole number from 0 to 18446744073709551615"],
    [{ seed: 2n ** 64n }, "seed 18446744073709551616: expected a whole number from 0 to 18446744073709551615"],
    [{ accounts: 0 }, "accounts 0: expected a whole number from 1 to 1000000"],
    [{ startTime: 0 }, "startTime 0: expected Unix seconds from 1 to 4000000000"],
    [{ transactionLimit: 3 }, "transactionLimit 3: expected a whole number from 4 to 10000"],
  ];
  test.each(refused)("refuses %o", async (given, message) => {
    const options = { seed: 1, ...given } as { seed: number };
    expect(() => chainOptions(options)).toThrow(new ChainOptionError(message));
    const directory = join(temporaryFolder(), "chain");
    await expect(createChain(directory, options)).rejects.toThrow(message);
    expect(existsSync(directory)).toBe(false);
  });

  test("round-trip through the store", () => {
    const options = chainOptions({ seed: 2n ** 64n - 1n, shards: 8, accounts: 7 });
    expect(readOptions(JSON.parse(JSON.stringify(storedOptions(options))))).toEqual(options);
  });
});

describe("firstWallet", () => {
  test("returns the active accounts of genesis", async () => {
    const folder = temporaryFolder();
    await createChain(folder, { seed: 9, accounts: 3 });
    const chain = openChain(folder);
    const states = [0, 1, 2, 3].map((index) => chain.account(firstWallet(9n, index))?.status);
    await chain.close();
    expect(states).toEqual(["active", "active", "active", "uninitialized"]);
  });
});
