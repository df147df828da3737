/** Responses of a process that stands still again and again, longer than a lite server may take for an answer. */
import { setTimeout as sleep } from "node:timers/promises";
import { madeChain } from "@chain-query/local-chain/testing";
import { expect, test } from "vitest";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService } from "../fixtures/service.ts";
import { reshardedChain } from "../postgres/indexed-chain.ts";
import { chainRequests, factsOf } from "./chain-requests.ts";
import { differences, httpRequest } from "./compare.ts";
import { patientDeadline } from "./parity.ts";

/** Milliseconds: a lite server has 3,000 for an answer. */
const stall = 3_100;

test("are those of the folder", async () => {
  const chain = await madeChain(reshardedChain);
  const facts = await factsOf(chain);
  await using network = await startLiteNetwork(chain, 3);
  const start = (source: Parameters<typeof startService>[0]) => startService({ deadline: patientDeadline, ...source });
  await using direct = await start({ source: { kind: "chain", folder: chain } });
  await using wire = await start(onLiteServers(network.config));
  await waitForHead(wire.url, facts.head);
  let isOver = false;
  const standStill = async (): Promise<void> => {
    for (let count = 0; !isOver && count < 3; count++) {
      await sleep(100 + 150 * (count % 4));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stall);
    }
  };
  const requests = chainRequests(facts, { count: 120, seed: 5 }).map(httpRequest);
  const compared = differences([direct.url, wire.url], requests).finally(() => {
    isOver = true;
  });
  const [found] = await Promise.all([compared, standStill()]);
  expect(found).toMatchObject({ different: [] });
});
