/** A service on lite servers that agree on a false chain. */

import { type BlockId, MASTERCHAIN } from "@chain-query/format/identifiers";
import { falseSignatures, type LiteBehaviour, otherOrigin } from "@chain-query/lite/faults";
import { openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { until } from "@chain-query/testing/until";
import { expect, onTestFinished, test } from "vitest";
import { serversOf } from "../fixtures/lite-command.ts";
import { namedBlock, onLiteServers, startLiteNetwork, trust, waitForHead } from "../fixtures/lite-network.ts";
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
 */
function compareWithFalseSignatures(count: number): void {
  test.each(["ordinary", "simplex"] as const)("false signatures in the %s form are not believed", async (consensus) => {
    const options = { ...validators, consensus };
    const right = await madeChain({ ...options, steps: HEAD });
    const wrong = await madeChain({ ...options, steps: HEAD + 3, fork: { after: FORK, rate: 2 } });
    await using stack = new AsyncDisposableStack();
    const chain = stack.adopt(openChain(wrong), (opened) => opened.close());
    const whole = await comparison(right, stack);
    const atFork = await comparison(await madeChain({ ...options, steps: FORK }), stack);
    const lies = falseSignatures(chain, FORK + 1);
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
      await using service = await startService(onLiteServers(network.config));
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
    expect(lies).toHaveLength(consensus === "simplex" ? 9 : 6);
  });
}

/**
 * Compares a service on five lite servers, of which four agree on another head, with one on a folder: it has the honest head within 15
 * seconds, and no response is another one.
 */
function compareWithFalseHeads(count: number): void {
  const options = { ...validators, consensus: "simplex" } as const;
  const others = {
    "former validators signed, after a block that both chains have": async () => {
      const folder = await madeChain({ ...options, steps: HEAD + 3, fork: { after: FORK, rate: 2 } });
      const chain = openChain(folder);
      onTestFinished(() => chain.close());
      const [former] = falseSignatures(chain, FORK + 1).filter(({ name }) => name === "an old set of validators");
      return { folder, behaviours: [former?.behaviour ?? expect.unreachable()], init: FORK - 1 };
    },
    "former validators signed, before the trusted block": async (zeroState: BlockId) => {
      const folder = await madeChain({ ...options, rate: 2, steps: HEAD + 3 });
      return { folder, behaviours: [otherOrigin(zeroState)], init: FORK + 3 };
    },
    "has no validators": async () => {
      const folder = await madeChain({ ...options, validators: 0, steps: HEAD + 3 });
      return { folder, behaviours: [otherOrigin()], init: 0 };
    },
    "is of another chain": async () => {
      const folder = await madeChain({ ...options, seed: 7, steps: HEAD + 3 });
      const chain = openChain(folder);
      onTestFinished(() => chain.close());
      return { folder, behaviours: [otherOrigin(chain.genesis().block)], init: 0 };
    },
  };
  test.each(Object.entries(others))("four servers of five agree on a head that %s: it is not believed", async (_, make) => {
    const right = await madeChain({ ...options, steps: HEAD });
    await using stack = new AsyncDisposableStack();
    const chain = stack.adopt(openChain(right), (opened) => opened.close());
    const zeroState = chain.genesis().block;
    const { folder, behaviours, init } = await make(zeroState);
    const sameNetwork: LiteBehaviour = { chain: (served) => ({ ...served, zeroState: () => zeroState }) };
    const each = [1, 2, 3, 4].map(() => [sameNetwork, ...behaviours]);
    await using network = await startLiteNetwork(right, 5, [...each, []]);
    for (const index of each.keys()) {
      await network.stop(index);
      await network.start(index, folder);
    }
    if (init > 0) trust(network.config, { init_block: await namedBlock(right, init) });
    const whole = await comparison(right, stack);
    const startedAt = performance.now();
    await using service = await startService(onLiteServers(network.config));
    await waitForHead(service.url, HEAD);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    const { unavailable, statuses } = await whole(service.url, count);
    expect(unavailable).toBe(0);
    expect(statuses["200"]).toBeGreaterThan(count / 2);
    const states = (await serversOf(service.url)).map(({ state }) => state);
    expect(states.filter((state) => state === "ready")).toHaveLength(1);
  });
}

// 15 false chains, each compared three times: 10,800 requests.
compareWithFalseSignatures(240);
compareWithFalseHeads(5_000);

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
