/** Lite servers in processes of their own that end, and servers that give false answers, while the service reads from them. It is compared with one on the folder. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  changeAnswer,
  flipBit,
  hiddenAccount,
  historyGap,
  type LiteBehaviour,
  nextBlock,
  otherAccount,
  shortHistory,
} from "@chain-query/lite/faults";
import { expect, test } from "vitest";
import { testChain } from "../fixtures/chain.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startLiteServers } from "../fixtures/lite-servers.ts";
import { startService } from "../fixtures/service.ts";
import { type ChainFacts, chainRequests, factsOf } from "./chain-requests.ts";
import { differences, type HttpRequest, httpRequest } from "./compare.ts";

/** The requests of each test. */
const count = 1500;

test("no request fails while two of three lite servers are killed", async () => {
  const facts = await factsOf(testChain);
  await using direct = await startService();
  await using network = await startLiteServers(testChain, 3);
  await using wire = await startService(onLiteServers(network.config));
  await waitForHead(wire.url, facts.head);
  const requests = chainRequests(facts, { count, seed: 2 }).map(httpRequest);
  const kills: Promise<void>[] = [];
  const sent = function* (): Generator<HttpRequest> {
    for (const [index, request] of requests.entries()) {
      if (index === Math.floor(count / 4)) kills.push(kill(network.servers[0]));
      if (index === Math.floor(count / 2)) kills.push(kill(network.servers[1]));
      yield request;
    }
  };
  const found = await differences([direct.url, wire.url], sent());
  expect(found.different).toEqual([]);
  await Promise.all(kills);
  expect(kills.length).toBe(2);
});

test("no response is wrong although four of five lite servers give false answers", async () => {
  const facts = await factsOf(testChain);
  await using direct = await startService();
  await using network = await startLiteNetwork(testChain, 5, [[], ...falseAnswers(facts)]);
  await using wire = await startService(onLiteServers(network.config));
  await waitForHead(wire.url, facts.head);
  const requests = chainRequests(facts, { count, seed: 4 }).map(httpRequest);
  const { different, statuses } = await differences([direct.url, wire.url], requests);
  expect(different).toEqual([]);
  expect(statuses["200"]).toBeGreaterThan(count / 2);
  const metrics = await (await fetch(`${wire.url}/metrics`)).text();
  expect(metrics.match(/^chain_query_lite_quarantines_total\{.*\} [1-9]/gm)).toHaveLength(4);
});

async function kill(server: { readonly child: ChildProcess } | undefined): Promise<void> {
  const { child } = server ?? expect.unreachable();
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

/** The false answers of each of four servers; the newest block that they name is the right one. */
function falseAnswers({ accounts: [account] }: ChainFacts): LiteBehaviour[][] {
  if (account === undefined) throw new Error("the chain has no accounts");
  return [
    [flipBit("getAccountState", "state"), historyGap(), nextBlock("lookupBlockWithProof")],
    [hiddenAccount(), shortHistory(1)],
    [otherAccount(account), changeAnswer("getBlockOutMsgQueueSize", (answer) => ({ ...answer, size: answer.size + 1n }))],
    [flipBit("getAccountState", "proof"), flipBit("lookupBlockWithProof", "header"), flipBit("getAllShardsInfo", "data")],
  ];
}
