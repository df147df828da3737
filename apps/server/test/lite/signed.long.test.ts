/** A service on five lite servers, of which four agree on another head: it has the honest head within 15 seconds, and no wrong response. */
import type { BlockId } from "@chain-query/format/identifiers";
import { falseSignatures, type LiteBehaviour, otherOrigin } from "@chain-query/lite/faults";
import { type LocalChain, openChain } from "@chain-query/local-chain";
import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { expect, test } from "vitest";
import { serversOf } from "../fixtures/lite-command.ts";
import { namedBlock, onLiteServers, startLiteNetwork, trust, waitForHead } from "../fixtures/lite-network.ts";
import { startService } from "../fixtures/service.ts";
import { chainRequests, factsOf } from "./chain-requests.ts";
import { differences, httpRequest } from "./compare.ts";

/** The last block of both chains, after two rotations of validators, and the newest block of the right one. */
const [FORK, HEAD] = [5, 12];
const chainOptions: MadeChainOptions = {
  ...{
    seed: 6,
    accounts: 10,
    shards: 1,
    validators: 4,
    keyBlocks: 2,
    blockInterval: 1,
    rate: 1,
    consensus: "simplex",
    steps: HEAD,
  },
};
/** The requests of each case. */
const count = 250;

/** The chain of the four, the seqno of the trusted block, and what they answer so that it fits the network. */
interface OtherHead {
  readonly name: string;
  readonly other: Partial<MadeChainOptions>;
  readonly init: number;
  readonly behaviour: (zeroState: BlockId, other: LocalChain) => LiteBehaviour | undefined;
}

test.each<OtherHead>([
  {
    name: "former validators signed, after a block that both chains have",
    other: { fork: { after: FORK, rate: 2 } },
    init: FORK - 1,
    behaviour: (_, other) =>
      falseSignatures(other, FORK + 1).find(({ name }) => name === "an old set of validators")?.behaviour,
  },
  {
    name: "former validators signed, before the trusted block",
    other: { rate: 2 },
    init: FORK + 3,
    behaviour: (zeroState) => otherOrigin(zeroState),
  },
  { name: "has no validators", other: { validators: 0 }, init: 0, behaviour: () => otherOrigin() },
  {
    name: "is of another chain",
    other: { seed: 7 },
    init: 0,
    behaviour: (_, other) => otherOrigin(other.genesis().block),
  },
])("a head that four servers of five agree on, and that $name, is not believed", async ({ other, init, behaviour }) => {
  await using stack = new AsyncDisposableStack();
  const open = (chain: string): LocalChain => stack.adopt(openChain(chain), (opened) => opened.close());
  const right = await madeChain(chainOptions);
  const wrong = await madeChain({ ...chainOptions, ...other, steps: HEAD + 3 });
  const zeroState = open(right).genesis().block;
  const sameNetwork: LiteBehaviour = { chain: (served) => ({ ...served, zeroState: () => zeroState }) };
  const lies = [sameNetwork, behaviour(zeroState, open(wrong)) ?? expect.unreachable()];
  const network = stack.use(await startLiteNetwork(right, 5, [lies, lies, lies, lies, []]));
  for (const index of [0, 1, 2, 3]) {
    await network.stop(index);
    await network.start(index, wrong);
  }
  if (init > 0) trust(network.config, { init_block: await namedBlock(right, init) });
  const direct = stack.use(await startService({ source: { kind: "chain", folder: right } }));
  const requests = chainRequests(await factsOf(right), { count, seed: 8 }).map(httpRequest);
  const startedAt = performance.now();
  const { url } = stack.use(await startService(onLiteServers(network.config)));
  await waitForHead(url, HEAD);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  const { different, statuses } = await differences([direct.url, url], requests);
  expect(different).toEqual([]);
  expect(statuses["200"]).toBeGreaterThan(count / 2);
  const states = (await serversOf(url)).map(({ state }) => state);
  expect(states.filter((state) => state === "ready")).toHaveLength(1);
});
