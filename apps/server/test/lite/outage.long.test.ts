import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { ask, resultOf } from "../fixtures/ask.ts";
import { forkedChains } from "../fixtures/chain.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";
import { surviveOutages } from "./outage.ts";

surviveOutages([1, 2, 3, 5], 20, 135_000);

test.concurrent("a head that most lite servers contradict for a minute is given up, until the file is corrected", async () => {
  using folder = temporaryFolder();
  const [fork, right] = await forkedChains(folder.path);
  await using network = await startLiteNetwork(right.chain, 3);
  await using service = await startService(onLiteServers(network.config, "proofs"));
  const { url } = service;
  await waitForHead(url, right.seqno);
  for (const index of [0, 1]) {
    await network.stop(index);
    await network.start(index, fork.chain);
  }
  const seen = new Set<number>();
  const error = await until(async () => {
    const { status, body } = await ask(url, "getMasterchainInfo");
    if (status === 200) seen.add((body.result as { last: { seqno: number } }).last.seqno);
    return status === 542 ? body.error : undefined;
  });
  expect(error).toMatch(new RegExp(`^block ${right.seqno} was given up, because 2 of 3 lite servers contradict it`));
  expect([...seen]).toEqual([right.seqno]);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  network.configure([2]);
  await service.reload();
  expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(right.seqno);
});
