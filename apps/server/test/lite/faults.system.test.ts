/** Lite servers that end or lie while the service is asked. LIAR_REQUESTS sets the number of requests to a pool of liars. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  changeAnswer,
  flipBit,
  hiddenAccount,
  historyGap,
  type LiteBehaviour,
  nextBlock,
  otherAccount,
  shortHistory,
  startFaultyLiteServer,
} from "@chain-query/lite-server/testing";
import { liteChain, openChain } from "@chain-query/local-chain";
import { expect, test } from "vitest";
import { startLiteServers, writeConfig } from "../../bench/lite-servers.ts";
import { testChain } from "../fixtures/chain.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";
import { type ChainFacts, chainRequests, factsOf } from "./chain-requests.ts";
import { differences, httpRequest } from "./compare.ts";
import { startWireService, waitForHead } from "./network.ts";

const liarRequests = Number(process.env["LIAR_REQUESTS"] ?? 1500);

test("no request fails while two of three lite servers are killed", async () => {
  const facts = await factsOf(testChain);
  await using direct = await startService();
  await using network = await startLiteServers(testChain, 3);
  await using wire = await startWireService(network.config);
  await waitForHead(wire.at, facts.head);
  const requests = chainRequests(facts, { count: 1500, seed: 2 }).map(httpRequest);
  const kill = async (): Promise<void> => {
    for (const { child } of network.servers.slice(0, 2)) {
      await sleep(400);
      child.kill("SIGKILL");
    }
  };
  const [found] = await Promise.all([differences([direct.url, wire.at], requests), kill()]);
  expect(found.different).toEqual([]);
});

test("no answer is wrong although four of five lite servers lie", async () => {
  const facts = await factsOf(testChain);
  await using direct = await startService();
  await using network = await startNetwork([[], ...lies(facts)]);
  await using wire = await startWireService(network.config);
  await waitForHead(wire.at, facts.head);
  const requests = chainRequests(facts, { count: liarRequests, seed: 4 }).map(httpRequest);
  const { different, statuses } = await differences([direct.url, wire.at], requests);
  expect(different).toEqual([]);
  expect(statuses["200"]).toBeGreaterThan(liarRequests / 2);
  const liars = wire.log().filter(({ msg }) => String(msg).includes("wrong answer"));
  expect(new Set(liars.map(({ server }) => server)).size).toBe(4);
});

/** What each of four liars does; the newest block that they name is the right one. */
function lies({ accounts: [account] }: ChainFacts): LiteBehaviour[][] {
  if (account === undefined) throw new Error("the chain has no accounts");
  return [
    [flipBit("getAccountState", "state"), historyGap(), nextBlock("lookupBlockWithProof")],
    [hiddenAccount(), shortHistory(1)],
    [otherAccount(account), changeAnswer("getBlockOutMsgQueueSize", (answer) => ({ ...answer, size: answer.size + 1n }))],
    [flipBit("getAccountState", "proof"), flipBit("lookupBlockWithProof", "header"), flipBit("getAllShardsInfo", "data")],
  ];
}

/** Lite servers in this process, one for each list of behaviours. */
async function startNetwork(servers: readonly (readonly LiteBehaviour[])[]): Promise<AsyncDisposable & { config: string }> {
  const reader = openChain(testChain);
  const chain = liteChain(reader);
  const folder = temporaryFolder();
  const running = await Promise.all(
    servers.map((behaviours) => startFaultyLiteServer({ chain, key: randomBytes(32), behaviours })),
  );
  const config = writeConfig(
    folder.path,
    running.map((server) => server.config()),
  );
  return {
    config,
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((server) => server.close()));
      await reader.close();
      folder[Symbol.dispose]();
    },
  };
}
