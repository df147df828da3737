/** Thousands of random requests, the same ones for the same seed. Those at the edges of HTTP are in fixtures/edge-requests.ts. */
import { validateService } from "@chain-query/conformance";
import { expect, test } from "vitest";
import { startServer } from "../fuzz/server-process.ts";
import { busiestAddress, testChain } from "./fixtures/chain.ts";

/** Requests before memory is measured, while the service still compiles and caches, and after that. */
const [warmUp, count] = [1_000, 2_000];

test("the service answers thousands of invalid requests as the contract says, and uses no more memory afterwards", async () => {
  await using server = await startServer({ kind: "service", chain: testChain });
  const attackWith = async (fuzz: number, seed: number): Promise<void> => {
    const accounts = [busiestAddress(0), busiestAddress()];
    const { results } = await validateService({ profile: "live", accounts, baseUrl: server.url, fuzz, seed });
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  };
  await attackWith(warmUp, 1);
  const before = await server.read("heap");
  await attackWith(count, 2);
  expect((await server.read("heap")) / before).toBeLessThan(1.3);
});
