/** The conformance kit, run against a service on lite servers while their chain grows. */
import { setTimeout as sleep } from "node:timers/promises";
import { validateService } from "@chain-query/conformance";
import { openProducer } from "@chain-query/local-chain";
import { expect } from "vitest";
import { serve } from "../fixtures/lite-command.ts";
import { waitForHead } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";

/** Runs the kit with `fuzz` random requests against a service on lite servers of a chain in a folder, which grows. */
export async function validateOnLiteServers(
  chain: string,
  accounts: readonly string[],
  fuzz: number,
  startServers: (chain: string, count: number) => Promise<AsyncDisposable & { readonly config: string }>,
): Promise<void> {
  const producer = await openProducer(chain);
  await using network = await startServers(chain, 3);
  using folder = temporaryFolder();
  await using service = serve(folder.path, network.config, "--lite-rate", "10000");
  const baseUrl = await service.url;
  await waitForHead(baseUrl, producer.head.seqno);
  const before = producer.head.seqno;
  const stop = new AbortController();
  const growth = grow(producer.step, stop.signal);
  try {
    const { results } = await validateService({ baseUrl, profile: "live", accounts, seed: 1, fuzz });
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  } finally {
    stop.abort();
    await growth;
    await producer.close();
  }
  expect(producer.head.seqno).toBeGreaterThan(before + 1);
}

async function grow(step: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await step();
    await sleep(100);
  }
}
