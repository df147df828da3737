/** A service that verifies signatures, on lite servers that agree on a false chain. */

import type { LiteBehaviour } from "@chain-query/lite-server/testing";
import { openChain } from "@chain-query/local-chain";
import { falseSignatures, madeChain } from "@chain-query/local-chain/testing";
import { beforeAll, expect, test } from "vitest";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService } from "../fixtures/service.ts";
import { type ChainFacts, chainRequests, factsOf } from "./chain-requests.ts";
import { type Difference, differences, httpRequest } from "./compare.ts";

const validators = { seed: 6, accounts: 10, shards: 1, validators: 4, keyBlocks: 2, blockInterval: 1 } as const;

/**
 * Compares a service on lying lite servers with one on the folder: each response is right, or refused as unavailable.
 *
 * @param count - Requests of each test.
 * @param names - Of the behaviours; all if absent.
 */
export function compareWithFalseSignatures(count: number, names?: readonly string[]): void {
  let [right, wrong] = ["", ""];
  let facts: ChainFacts;
  beforeAll(async () => {
    [right, wrong] = [
      await madeChain({ ...validators, rate: 1, steps: 12 }),
      await madeChain({ ...validators, rate: 2, steps: 15 }),
    ];
    facts = await factsOf(right);
  });

  /** Sends requests to a service on five servers, of which some have the false chain. */
  const compare = async (behaviours: readonly LiteBehaviour[], liars: number, head: number | undefined) => {
    await using network = await startLiteNetwork(
      right,
      5,
      behaviours.map((behaviour) => [behaviour]),
    );
    for (let index = 0; index < liars; index++) {
      await network.stop(index);
      await network.start(index, wrong);
    }
    await using direct = await startService({ source: { kind: "chain", folder: right, produce: false } });
    await using wire = await startService(onLiteServers(network.config, "signatures"));
    if (head !== undefined) await waitForHead(wire.url, head);
    else expect((await fetch(`${wire.url}/readyz`)).status).toBe(503);
    const requests = chainRequests(facts, { count, seed: 8 }).map(httpRequest);
    const { different, statuses } = await differences([direct.url, wire.url], requests);
    expect(different.filter((one) => !isUnavailable(one))).toEqual([]);
    return { unavailable: different.length, statuses };
  };

  test("five servers with wrong signatures are not believed, and one honest server suffices", async () => {
    const chain = openChain(wrong);
    try {
      const all = falseSignatures(chain).filter(([name]) => names === undefined || names.includes(name));
      for (const [name, behaviour] of all) {
        const liars = Array.from({ length: 5 }, () => behaviour);
        expect((await compare(liars, 5, undefined)).unavailable, name).toBeGreaterThan(count / 2);
        const { unavailable, statuses } = await compare(liars.slice(1), 4, facts.head);
        expect(unavailable, name).toBe(0);
        expect(statuses["200"]).toBeGreaterThan(count / 2);
      }
      expect(all.length).toBe(names?.length ?? 8);
    } finally {
      await chain.close();
    }
  });
}

function isUnavailable({ answers }: Difference): boolean {
  return answers[1]?.startsWith("542") === true;
}
