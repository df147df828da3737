/** Lite servers whose newest masterchain block is ahead of their shard blocks, as those of nodes are. */
import { join } from "node:path";
import { laggingShards } from "@chain-query/lite/faults";
import { openProducer } from "@chain-query/local-chain";
import { copyMadeChain } from "@chain-query/local-chain/testing";
import { expect, test } from "vitest";
import { resultOf } from "../fixtures/ask.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";
import { reshardedChain } from "../postgres/indexed-chain.ts";
import { chainRequests, factsOf } from "./chain-requests.ts";
import { differences, httpRequest } from "./compare.ts";
import { patientDeadline } from "./parity.ts";

const requests = 40;
/** Blocks by which the chain of the lite servers is ahead of the direct one. */
const ahead = 6;

test("responses are those of a folder at the newest block whose shards a server has", async () => {
  using folders = temporaryFolder();
  const [longer, shorter] = [join(folders.path, "longer"), join(folders.path, "shorter")];
  for (const folder of [longer, shorter]) await copyMadeChain(folder, reshardedChain);
  const facts = await factsOf(longer);
  const other = await openProducer(longer);
  for (let step = 0; step < ahead; step++) await other.step();
  await other.close();
  const producer = await openProducer(shorter);
  await using _ = { [Symbol.asyncDispose]: () => producer.close() };
  let lag = ahead;
  const behaviours = [() => lag, () => 2 * lag, () => 2 * lag].map((blocks) => [laggingShards(blocks)]);
  await using network = await startLiteNetwork(longer, 3, behaviours);
  await using direct = await startService({ deadline: patientDeadline, source: { kind: "chain", folder: shorter } });
  await using wire = await startService({ deadline: patientDeadline, ...onLiteServers(network.config) });
  const start = facts.head;
  for (const seqno of [start, start + 1, start + 2]) {
    lag = start + ahead - seqno;
    while (producer.head.seqno < seqno) await producer.step();
    await waitForHead(wire.url, seqno);
    expect((await resultOf(wire.url, "getConsensusBlock")).consensus_block).toBe(seqno);
    const generated = chainRequests(facts, { count: requests, seed: seqno }).map(httpRequest);
    const found = await differences([direct.url, wire.url], generated);
    expect(found, `at ${seqno}`).toMatchObject({ different: [] });
    expect(found.statuses).not.toHaveProperty("542");
  }
});
