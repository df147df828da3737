/** A service that verifies signatures, on lite servers that agree on a false chain. */

import { MASTERCHAIN } from "@chain-query/format/identifiers";
import type { LiteBehaviour } from "@chain-query/lite-server/testing";
import { openChain } from "@chain-query/local-chain";
import { falseSignatures, madeChain } from "@chain-query/local-chain/testing";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { serversOf } from "../fixtures/lite-command.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService } from "../fixtures/service.ts";
import { chainRequests, factsOf } from "./chain-requests.ts";
import { type Difference, differences, httpRequest } from "./compare.ts";

const validators = { seed: 6, accounts: 10, shards: 1, validators: 4, keyBlocks: 2, blockInterval: 1, rate: 1 } as const;
/** The last block of both chains, after two rotations of validators, and the newest block of the right one. */
const [FORK, HEAD] = [5, 12];

/**
 * Compares a service on lite servers whose chain is false after a fork with one on a folder: each response is right, or refused as
 * unavailable.
 *
 * @param count - Requests of each of three comparisons for each false chain.
 * @param names - Of the false chains; all if absent.
 */
export function compareWithFalseSignatures(count: number, names?: readonly string[]): void {
  test.each(["ordinary", "simplex"] as const)("false signatures in the %s form are not believed", async (consensus) => {
    const options = { ...validators, consensus };
    const right = await madeChain({ ...options, steps: HEAD });
    const wrong = await madeChain({ ...options, steps: HEAD + 3, fork: { after: FORK, rate: 2 } });
    await using stack = new AsyncDisposableStack();
    const chain = stack.adopt(openChain(wrong), (opened) => opened.close());
    const whole = await comparison(right, stack);
    const atFork = await comparison(await madeChain({ ...options, steps: FORK }), stack);
    const lies = falseSignatures(chain, FORK + 1).filter(({ name }) => names?.includes(name) !== false);
    /** Runs a service on five lite servers, of which the first ones have the false chain. */
    const onServers = async (
      liars: number,
      behaviours: readonly LiteBehaviour[],
      run: (url: string) => Promise<void>,
    ): Promise<void> => {
      const each = [1, 2, 3, 4, 5].map((number) => (number > liars ? [] : behaviours));
      await using network = await startLiteNetwork(wrong, each.length, each);
      if (liars < each.length) {
        await network.stop(liars);
        await network.start(liars, right);
      }
      await using service = await startService(onLiteServers(network.config, "signatures"));
      await run(service.url);
    };
    for (const { name, behaviour } of lies) {
      await onServers(5, [behaviour], async (url) => {
        expect((await fetch(`${url}/readyz`)).status, name).toBe(503);
        expect((await whole(url, count)).unavailable, name).toBeGreaterThan(count / 2);
      });
      await onServers(4, [behaviour], async (url) => {
        await waitForHead(url, HEAD);
        const { unavailable, statuses } = await whole(url, count);
        expect(unavailable, name).toBe(0);
        expect(statuses["200"], name).toBeGreaterThan(count / 2);
      });
      let isForked = false;
      const later: LiteBehaviour = {
        chain: (served) => ({
          ...served,
          head: () => (isForked ? served.head() : (served.findBlock(MASTERCHAIN, { seqno: FORK }) ?? expect.unreachable())),
        }),
      };
      await onServers(5, [behaviour, later], async (url) => {
        await waitForHead(url, FORK);
        isForked = true;
        expect((await atFork(url, count / 2)).statuses["200"], name).toBeGreaterThan(count / 4);
        await until(async () => (await serversOf(url)).every(({ state }) => state === "quarantined") || undefined);
        // Other requests: blocks and accounts of the first ones are in memory.
        expect((await atFork(url, count / 2, 9)).unavailable, name).toBeGreaterThan(0);
      });
    }
    expect(lies).toHaveLength(names?.length ?? (consensus === "simplex" ? 9 : 6));
  });
}

/** Compares services with one on a folder. */
async function comparison(folder: string, stack: AsyncDisposableStack) {
  const facts = await factsOf(folder);
  const direct = stack.use(await startService({ source: { kind: "chain", folder, produce: false } }));
  return async (url: string, count: number, seed = 8) => {
    const requests = chainRequests(facts, { count, seed }).map(httpRequest);
    const { different, statuses } = await differences([direct.url, url], requests);
    expect(different.filter((one) => !isUnavailable(one))).toEqual([]);
    return { unavailable: different.length, statuses };
  };
}

function isUnavailable({ answers }: Difference): boolean {
  return answers[1]?.startsWith("542") === true;
}
