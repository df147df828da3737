import { describe, expect, test } from "vitest";
import { openChain } from "../../src/reading/chain-reader.ts";
import { openStore } from "../../src/store/store.ts";
import { firstSteps, syntheticStore } from "../test-folders.ts";

const nextTick = () => new Promise((resolve) => setTimeout(resolve, 1));

describe("openChain", () => {
  test("follows a writer, and shows complete steps only", async () => {
    const { directory } = await syntheticStore(0);
    const writer = openStore(directory);
    const chain = openChain(directory);
    for (const step of firstSteps(20)) {
      await writer.commit(step);
      await nextTick();
      expect(chain.head().block.id.seqno).toBe(step.masterchain.id.seqno);
      for (const { id } of chain.shards()) expect(chain.blockData(id)).toBeDefined();
    }
    await writer.close();
    await chain.close();
  });

  test("throws after close, and closes once", async () => {
    const { directory } = await syntheticStore(1);
    const chain = openChain(directory);
    await Promise.all([chain.close(), chain.close()]);
    expect(() => chain.head()).toThrow(/is closed/);
  });

  test("opens a folder several times", async () => {
    const { directory } = await syntheticStore(1);
    const chains = [openChain(directory), openChain(directory), openChain(directory)];
    for (const chain of chains) expect(chain.head().block.id.seqno).toBe(1);
    await chains[0]?.close();
    expect(chains[1]?.head().block.id.seqno).toBe(1);
    await Promise.all(chains.map((chain) => chain.close()));
  });
});
