import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { firstWallet } from "../../src/genesis/population.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { temporaryFolder } from "../temporary-folder.ts";

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
