/** The conformance kit, run against a service on lite servers while their chain grows. */
import { setTimeout as sleep } from "node:timers/promises";
import { validateService } from "@chain-query/conformance";
import { openProducer } from "@chain-query/local-chain";
import { expect, test } from "vitest";
import { busiestAddress, copyChain } from "../fixtures/chain.ts";
import { serve } from "../fixtures/lite-command.ts";
import { startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";

test("a service passes every live check while blocks are made", async () => {
  using folder = temporaryFolder();
  const chain = copyChain(folder.path);
  const producer = await openProducer(chain);
  await using network = await startLiteNetwork(chain, 3);
  await using service = serve(folder.path, network.config, "--lite-rate", "10000");
  const baseUrl = await service.url;
  const before = producer.head.seqno;
  await waitForHead(baseUrl, before);
  let isOver = false;
  const growth = (async () => {
    for (; !isOver; await sleep(100)) await producer.step();
    await producer.close();
  })();
  const accounts = [busiestAddress(0), busiestAddress()];
  try {
    const { results } = await validateService({ baseUrl, profile: "live", accounts, seed: 1, fuzz: 20 });
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  } finally {
    isOver = true;
    await growth;
  }
  expect(producer.head.seqno).toBeGreaterThan(before + 1);
});
