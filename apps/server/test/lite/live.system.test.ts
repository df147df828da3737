/** The conformance kit, run against a service on lite servers while their chain grows. */
import { setTimeout as sleep } from "node:timers/promises";
import { judgeService } from "@chain-query/conformance";
import { openProducer } from "@chain-query/local-chain";
import { expect, test } from "vitest";
import { busiestAddress, copyChain } from "../fixtures/chain.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";
import { startWireService, waitForHead } from "./network.ts";

test("two workers pass every live check while blocks are made", async () => {
  using folder = temporaryFolder();
  const chain = copyChain(folder.path);
  const producer = await openProducer(chain);
  await using network = await startLiteNetwork(chain, 3);
  await using service = await startWireService(network.config, "--workers", "2");
  await waitForHead(service.at, producer.head.seqno);
  const before = producer.head.seqno;
  const stop = new AbortController();
  const growth = grow(producer.step, stop.signal);
  try {
    const accounts = [busiestAddress(0), busiestAddress()];
    const { results } = await judgeService({ baseUrl: service.at, profile: "live", accounts, seed: 1, fuzz: 10 });
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  } finally {
    stop.abort();
    await growth;
    await producer.close();
  }
  expect(producer.head.seqno).toBeGreaterThan(before + 1);
});

async function grow(step: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await step();
    await sleep(100);
  }
}
