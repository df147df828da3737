/** Lite servers that end or lie while the service is asked. */
import { randomBytes } from "node:crypto";
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
import { writeConfig } from "../../bench/lite-servers.ts";
import { testChain } from "../fixtures/chain.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";
import { type ChainFacts, chainRequests, factsOf } from "./chain-requests.ts";
import { differences, type HttpRequest, httpRequest } from "./compare.ts";
import { onLiteServers, waitForHead } from "./network.ts";

/** Lite servers that can end at once. */
export interface KillableServers extends AsyncDisposable {
  readonly config: string;
  kill(index: number): Promise<void>;
}

/** Compares the service on faulty lite servers with one on the folder. `count` is the number of requests of each test. */
export function compareWithFaults(
  count: number,
  startServers: (chain: string, count: number) => Promise<KillableServers>,
): void {
  test("no request fails while two of three lite servers are killed", async () => {
    const facts = await factsOf(testChain);
    await using direct = await startService();
    await using network = await startServers(testChain, 3);
    await using wire = await startService(onLiteServers(network.config, "proofs"));
    await waitForHead(wire.url, facts.head);
    const requests = chainRequests(facts, { count, seed: 2 }).map(httpRequest);
    const kills: Promise<void>[] = [];
    const sent = function* (): Generator<HttpRequest> {
      for (const [index, request] of requests.entries()) {
        if (index === Math.floor(count / 4)) kills.push(network.kill(0));
        if (index === Math.floor(count / 2)) kills.push(network.kill(1));
        yield request;
      }
    };
    const found = await differences([direct.url, wire.url], sent());
    expect(found.different).toEqual([]);
    await Promise.all(kills);
    expect(kills.length).toBe(2);
  });

  test("no answer is wrong although four of five lite servers lie", async () => {
    const facts = await factsOf(testChain);
    await using direct = await startService();
    await using network = await startNetwork([[], ...lies(facts)]);
    await using wire = await startService(onLiteServers(network.config, "proofs"));
    await waitForHead(wire.url, facts.head);
    const requests = chainRequests(facts, { count, seed: 4 }).map(httpRequest);
    const { different, statuses } = await differences([direct.url, wire.url], requests);
    expect(different).toEqual([]);
    expect(statuses["200"]).toBeGreaterThan(count / 2);
    const metrics = await (await fetch(`${wire.url}/metrics`)).text();
    expect(metrics.match(/^chain_query_lite_quarantines_total\{.*\} [1-9]/gm)).toHaveLength(4);
  });
}

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
