/** Services on lite servers that are all unavailable, after which a server of a fork is the first to recover. */

import { setTimeout as sleep } from "node:timers/promises";
import { openProducer } from "@chain-query/local-chain";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { forkedChains } from "../fixtures/chain.ts";
import { serversOf } from "../fixtures/lite-command.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService, type TestService, temporaryFolder } from "../fixtures/service.ts";

const counts = [1, 2, 3, 5];
/** The number of services for each number of servers, and milliseconds without any server. */
const [services, outage] = [20, 135_000];

test.concurrent.each(counts)("no service follows a fork after an outage of %i lite servers", async (count) => {
  using folder = temporaryFolder();
  // Validators of the newest key block did not sign the fork.
  const [fork, right] = await forkedChains(folder.path, 2);
  // Before the lite servers open the chain.
  const producer = await openProducer(right.chain);
  await using network = await startLiteNetwork(right.chain, count);
  const indexes = Array.from({ length: count }, (_, index) => index);
  await using stack = new AsyncDisposableStack();
  const options = onLiteServers(network.config);
  const starting = Array.from({ length: services }, async () => stack.use(await startService(options)));
  const running = await Promise.all(starting);
  const answered = new Set<unknown>();
  const readHeads = async (): Promise<void> => {
    for (const { url } of running) {
      const { status, body } = await ask(url, "getMasterchainInfo");
      if (status === 200) answered.add((body.result as { last: { seqno: number } }).last.seqno);
    }
  };
  await Promise.all(running.map(({ url }) => waitForHead(url, right.seqno)));
  await Promise.all(indexes.map((index) => network.stop(index)));
  await sleep(outage);
  if (count > 1) {
    await network.start(0, fork.chain);
    // Nothing else is connected, until every service knows its newest block.
    await Promise.all(running.map((service) => hasReport(service, fork.seqno)));
    await readHeads();
  }
  for (const index of indexes.slice(count > 1 ? 1 : 0)) await network.start(index);
  await producer.step();
  await producer.close();
  await Promise.all(running.map(({ url }) => waitForHead(url, right.seqno + 1)));
  await readHeads();
  expect([...answered]).not.toContain(fork.seqno);
  expect(Math.max(...[...answered].map(Number))).toBe(right.seqno + 1);
});
async function hasReport({ url }: TestService, newest: number): Promise<void> {
  await until(async () => (await serversOf(url)).some(({ seqno }) => seqno === newest) || undefined);
}
