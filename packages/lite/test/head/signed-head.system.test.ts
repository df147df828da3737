import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import type { LiteBehaviour } from "../../src/answers/behaviour.ts";
import type { LiteServer } from "../../src/answers/server.ts";
import { unknownSignatures } from "../../src/faults/failing-answers.ts";
import { changeAnswer } from "../../src/faults/false-answers.ts";
import type { LiteClient, LiteClientOptions } from "../../src/lite-client.ts";
import type { GlobalConfig } from "../../src/servers/global-config.ts";
import { connectClient, existing, FALSE_RATE, openMade, SIGNED, SIGNED_STEPS, serve, serveChain } from "../served-chain.ts";

const served = await serveChain(SIGNED_STEPS, SIGNED);
const head = served.chain.head().block.id;

function connect(servers: readonly LiteServer[], options: LiteClientOptions & Partial<GlobalConfig> = {}) {
  return connectClient({ ...served.configOf(servers), ...options }, { timeoutMs: 2_000, ...options });
}

async function read(client: LiteClient): Promise<void> {
  const { account, block } = await client.getAccount({ workchain: -1, hash: new Uint8Array(32).fill(0x55) });
  expect(account?.balance).toBe(served.chain.account({ workchain: -1, hash: new Uint8Array(32).fill(0x55) })?.balance);
  expect(block.id).toEqual(head);
}

test("a client continues from a former one, unless the configuration has a hard fork or another trusted block", async () => {
  const idOf = (seqno: number) => existing(served.chain.block(MASTERCHAIN, { seqno })).id;
  const former = { initBlock: idOf(4), trusted: idOf(20), provers: [] };
  const trusted = (config: Partial<GlobalConfig>) => connect([], { ...config, former }).client.trusted.seqno;
  expect(trusted({ initBlock: idOf(4) })).toBe(20);
  expect(trusted({ initBlock: idOf(10) })).toBe(20);
  expect(trusted({ initBlock: idOf(24) })).toBe(24);
  expect(trusted({ initBlock: idOf(10), hardforks: [idOf(10)] })).toBe(10);
  expect(trusted({ initBlock: { ...idOf(4), rootHash: idOf(5).rootHash } })).toBe(4);
  expect(trusted({})).toBe(0);
});

test("after validators have signed another block, nothing is read any more", async () => {
  // No key block makes one of the chains the only one that descends from the trusted block.
  const options = { ...SIGNED, keyBlocks: "none" } as const;
  const right = await openMade({ ...options, steps: 4 });
  const fork = await openMade({ ...options, rate: FALSE_RATE, steps: 6 });
  let isForked = false;
  const later: LiteBehaviour = { chain: (chain) => ({ ...chain, head: () => (isForked ? chain.head() : chain.zeroState()) }) };
  const initBlock = right.genesis().block;
  const { client, events } = connect([await serve(right), await serve(fork, later)], { zeroState: initBlock, initBlock });
  const { block } = await client.waitForHead();
  await client.getShards();
  isForked = true;
  await until(
    () => client.problem,
    (problem) => expect(problem).toMatch(/^validators have signed two chains/),
  );
  expect(client.head).toBeUndefined();
  await expect(client.getShards()).rejects.toThrow("nothing is read from block 4 on");
  await expect(client.getShards({ at: block })).rejects.toThrow(expect.objectContaining({ kind: "unavailable" }));
  expect(events.filter(({ type }) => type === "signed-fork")).toHaveLength(1);
});

test("servers that withhold links, or sign in an unknown form, are named as the problem, and not quarantined", async () => {
  const withheld = changeAnswer("getBlockProof", (answer) => ({ ...answer, steps: [], to: answer.from, complete: false }));
  const check = async (behaviour: LiteBehaviour, reason: string) => {
    const server = await serve(served.chain, behaviour);
    const alone = connect([server]);
    await until(
      () => alone.client.problem,
      (problem) => expect(problem).toContain(reason),
    );
    expect(alone.client.problem).toMatch(/^no block is verified yet: signatures are verified up to block 0, towards block /);
    await expect(alone.client.getShards()).rejects.toThrow(reason);
    const beside = connect([server, await serve(served.chain)]);
    expect((await beside.client.waitForHead()).block).toEqual(head);
    await read(beside.client);
    const believing = connect([server], { headFrom: server.publicKey });
    await read(believing.client);
    for (const { client, events } of [alone, beside, believing]) {
      expect(client.servers.map(({ state }) => state)).not.toContain("quarantined");
      expect(events.filter(({ type }) => type === "quarantine" || type === "server-down")).toEqual([]);
    }
  };
  await Promise.all([check(withheld, "the lite server gives no links from"), check(unknownSignatures(), "dec0adde")]);
});
