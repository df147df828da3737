/** Lite servers that refuse at once what slower ones answer. */
import { delay, type LiteBehaviour, prune, refuse } from "@chain-query/lite/faults";
import { expect, test } from "vitest";
import { testChain } from "../fixtures/chain.ts";
import { liteOptions, onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService } from "../fixtures/service.ts";
import { type ChainFacts, type ChainRequest, chainRequests, factsOf } from "./chain-requests.ts";
import { differences, httpRequest } from "./compare.ts";

const history = ["getTransactions", "getAccountState", "lookupBlockWithProof", "getBlockHeader"] as const;

/** Refuses seven of ten calls for history, with the codes and texts of nodes for what they have deleted. */
function refuseHistory(): LiteBehaviour {
  const refusals = [
    refuse(-400, "cannot compute block with specified transaction: cannot find block lt=5: lt not in db"),
    refuse(651, "cannot find block: ltdb: block not found"),
    refuse(602, "cannot load state for (-1,8000000000000000,1) : state already gc'd"),
  ];
  let calls = 0;
  return {
    answer: async (call, next) => {
      const isRefused = history.some((name) => name === call.call.name) && calls++ % 10 < 7;
      return (isRefused && (await refusals[calls % refusals.length]?.answer?.(call, next))) || next();
    },
  };
}

function slow(milliseconds: number): LiteBehaviour[] {
  return history.map((name) => delay(milliseconds, { name }));
}

/** Pages of several answers of lite servers. */
function pagesOf(facts: ChainFacts, count: number): ChainRequest[] {
  return chainRequests(facts, { count: 20 * count, seed: 5, pinned: true })
    .filter(({ operation }) => operation === "getTransactionsStd")
    .map(({ operation, input }) => ({ operation, input: { ...input, limit: 40, archival: true } }))
    .slice(0, count);
}

/** The pages for each delay, and as many other requests. */
const count = 40;

// Milliseconds until the honest servers answer.
test.each([0, 100, 1_000, 2_500])(
  "no request is refused and no page is short, if the honest servers take %i ms",
  async (ms) => {
    const facts = await factsOf(testChain);
    await using direct = await startService();
    const behaviours = [[refuseHistory()], [refuseHistory()], slow(ms), slow(ms), slow(ms)];
    await using network = await startLiteNetwork(testChain, 5, behaviours);
    await using wire = await startService({ ...onLiteServers(network.config), deadline: 60 });
    await waitForHead(wire.url, facts.head);
    const requests = [...pagesOf(facts, count), ...chainRequests(facts, { count, seed: 7 })].map(httpRequest);
    const { different, statuses } = await differences([direct.url, wire.url], requests);
    expect(different).toEqual([]);
    expect(statuses["200"]).toBeGreaterThan(count);
  },
);

test("servers that are too slow to answer are an outage, not the begin of history", async () => {
  const facts = await factsOf(testChain);
  await using direct = await startService();
  await using network = await startLiteNetwork(testChain, 5, [
    [refuseHistory()],
    [refuseHistory()],
    ...[4_000, 4_000, 4_000].map((ms) => [delay(ms, { name: "getTransactions" })]),
  ]);
  await using wire = await startService({ ...onLiteServers(network.config), deadline: 20 });
  await waitForHead(wire.url, facts.head);
  const { different } = await differences([direct.url, wire.url], pagesOf(facts, 24).map(httpRequest));
  const wrong = different.filter(({ answers: [, found] }) => !/^(542|504) /.test(found));
  expect(wrong).toEqual([]);
});

test("archival servers are asked although one of the others is ill", async () => {
  const facts = await factsOf(testChain);
  const first = 50;
  const before = facts.blocks.find(({ id }) => id.workchain === -1 && id.seqno === first - 1) ?? expect.unreachable();
  const pruned = prune({ firstSeqno: first, endLt: before.endLt });
  await using direct = await startService();
  await using network = await startLiteNetwork(testChain, 3, [[pruned], [pruned], [pruned]]);
  await using archive = await startLiteNetwork(testChain, 1);
  const source = { ...liteOptions, servers: network.config, archival: archive.config };
  await using wire = await startService({ source, retention: 172_800, deadline: 60 });
  await waitForHead(wire.url, facts.head);
  await network.stop(0);
  const requests = pagesOf(facts, count).map(httpRequest);
  const { different, statuses } = await differences([direct.url, wire.url], requests);
  expect(different).toEqual([]);
  expect(statuses["200"]).toBeGreaterThan(count / 2);
});
