/** The lite client: heads, anchors, and forks. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { type LocalChain, openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { until } from "@chain-query/testing/until";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { LiteBehaviour } from "../../src/answers/behaviour.ts";
import type { LiteServer } from "../../src/answers/server.ts";
import { liteChain } from "../../src/answers/signing-chain.ts";
import { futureHead } from "../../src/faults/chain-tips.ts";
import { changeCalls, unknownSignatures } from "../../src/faults/failing-answers.ts";
import { changeAnswer } from "../../src/faults/false-answers.ts";
import { startFaultyLiteServer } from "../../src/faults/faulty-server.ts";
import { type LiteClient, type LiteClientOptions, liteClient } from "../../src/lite-client.ts";
import type { LiteEvent } from "../../src/servers/events.ts";
import type { GlobalConfig } from "../../src/servers/global-config.ts";
import { queries, writeAnswer } from "../../src/wire/tl/queries.ts";
import type { LiteArguments } from "../../src/wire/tl/scheme.ts";
import { existing, serveChain } from "../served-chain.ts";
import { FALSE_RATE, KEY_BLOCKS, SIGNED, SIGNED_STEPS } from "../signed-servers.ts";

const served = await serveChain(SIGNED_STEPS, SIGNED);
/** Longer than the right chain. */
const other = openChain(await madeChain({ ...SIGNED, rate: FALSE_RATE, steps: SIGNED_STEPS + 3 }));
afterAll(() => other.close());
const head = served.chain.head().block.id;

async function serve(chain: LocalChain, ...behaviours: readonly LiteBehaviour[]): Promise<LiteServer> {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const server = await startFaultyLiteServer({ chain: liteChain(chain), key, behaviours });
  onTestFinished(() => server.close());
  return server;
}

/** A client of servers, with its events. */
function connect(servers: readonly LiteServer[], options: LiteClientOptions & Partial<GlobalConfig> = {}) {
  const events: LiteEvent[] = [];
  const onEvent = (event: LiteEvent) => void events.push(event);
  const config = { ...served.configOf(servers), ...options };
  const client = liteClient(config, { rate: 100_000, timeoutMs: 2_000, onEvent, ...options });
  onTestFinished(() => client.close());
  return { client, events };
}

async function read(client: LiteClient): Promise<void> {
  const { account, block } = await client.getAccount({ workchain: -1, hash: new Uint8Array(32).fill(0x55) });
  expect(account?.balance).toBe(served.chain.account({ workchain: -1, hash: new Uint8Array(32).fill(0x55) })?.balance);
  expect(block.id).toEqual(head);
}

test("the head is verified from the zero state, and the next start verifies from the anchor", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signed-head-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const anchorFile = join(folder, "anchor.json");
  const servers = [await serve(served.chain)];
  const signatures: number[] = [];
  for (const _ of [1, 2]) {
    const { client, events } = connect(servers, { anchorFile });
    expect((await client.waitForHead()).block).toEqual(head);
    await read(client);
    await client.close();
    expect(existsSync(anchorFile)).toBe(true);
    signatures.push(...events.flatMap((event) => (event.type === "verified" && event.isFirst ? event.signatures : [])));
  }
  // Of four validators with weights 1 and 2, three or all four are needed.
  expect(signatures[0]).toBeGreaterThanOrEqual((SIGNED_STEPS / KEY_BLOCKS) * 3);
  expect(signatures[1]).toBeLessThanOrEqual(4);
  writeFileSync(anchorFile, "{}");
  expect(() => connect(servers, { anchorFile })).toThrow("anchor.json: the anchor is damaged; remove it to verify from");
});

test("a client continues from a former one, unless the configuration has a hard fork or another trusted block", async () => {
  const idOf = (seqno: number) => existing(served.chain.block(MASTERCHAIN, { seqno })).id;
  const former = { initBlock: idOf(4), trusted: idOf(20), provers: [] };
  const trusted = (config: Partial<GlobalConfig>) => connect([], { ...config, former }).client.trusted.seqno;
  expect(trusted({ initBlock: idOf(4) })).toBe(20);
  expect(trusted({ initBlock: idOf(10) })).toBe(20);
  expect(trusted({ initBlock: idOf(24) })).toBe(24);
  expect(trusted({ initBlock: idOf(10), hardforks: [idOf(10)] })).toBe(10);
  expect(trusted({ initBlock: existing(other.block(MASTERCHAIN, { seqno: 4 })).id })).toBe(4);
  expect(trusted({})).toBe(0);
});

test.each([
  ["at the same seqno", 4],
  ["above the head", 6],
])("after validators have signed another block %s, nothing is read any more", async (_, steps) => {
  // No key block makes one of the chains the only one that descends from the trusted block.
  const options = { ...SIGNED, keyBlocks: "none" } as const;
  const [right, fork] = [
    await madeChain({ ...options, steps: 4 }),
    await madeChain({ ...options, rate: FALSE_RATE, steps }),
  ].map(openChain);
  if (!right || !fork) return expect.unreachable();
  onTestFinished(async () => void (await Promise.all([right.close(), fork.close()])));
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

test("a chain that the same validators signed beside verified key blocks is refused and reported, and reads go on", async () => {
  let isForked = false;
  const later: LiteBehaviour = { chain: (chain) => ({ ...chain, head: () => (isForked ? chain.head() : chain.zeroState()) }) };
  const { client, events } = connect([await serve(served.chain), await serve(other, later)]);
  await client.waitForHead();
  isForked = true;
  await until(() => events.find(({ type }) => type === "refused-fork"));
  const blocks = [head, other.head().block.id];
  expect(events.filter(({ type }) => type === "refused-fork")).toMatchObject([{ seqno: SIGNED_STEPS + 3, blocks }]);
  await read(client);
});

test("a server that claims a far block and proves one link in two seconds does not delay the first head", async () => {
  const slow = changeCalls({ name: "getBlockProof" }, async ({ call, ask, signal }) => {
    const { knownBlock } = call.args as LiteArguments<"getBlockProof">;
    const query = queries.getBlockProof({ mode: 0, knownBlock });
    const { steps, ...answer } = query.read(ask({ name: "getBlockProof", args: { mode: 0, knownBlock } }));
    await setTimeout(2_000, undefined, { signal });
    const link = steps[0] ?? expect.unreachable();
    return writeAnswer("getBlockProof", { ...answer, complete: false, to: link.to, steps: [link] });
  });
  // The slow one is connected first.
  let isConnected = false;
  const later = changeCalls({ name: "getVersion" }, async (_, next) => {
    await until(() => isConnected);
    return next();
  });
  const servers = [await serve(served.chain, slow, futureHead()), await serve(served.chain, later)];
  const { client, events } = connect(servers, { timeoutMs: 10_000 });
  await until(
    () => client.servers[0]?.state,
    (state) => state === "ready",
  );
  isConnected = true;
  expect((await client.waitForHead()).block).toEqual(head);
  const asked = events.filter(
    (event) => event.type === "answer" && event.function === "getBlockProof" && event.outcome === "ok",
  );
  expect(asked.length).toBeLessThan(10);
  expect(client.servers.map(({ state }) => state)).not.toContain("quarantined");
});

test("servers that withhold links, or sign in an unknown form, are asked seldom, named as the problem, and not quarantined", async () => {
  const withheld = changeAnswer("getBlockProof", (answer) => ({ ...answer, steps: [], to: answer.from, complete: false }));
  const check = async (behaviour: LiteBehaviour, reason: string) => {
    const server = await serve(served.chain, behaviour);
    const alone = connect([server]);
    await until(() => alone.client.problem);
    expect(alone.client.problem).toMatch(/^no block is verified yet: signatures are verified up to block 0, towards block /);
    expect(alone.client.problem).toContain(reason);
    await expect(alone.client.getShards()).rejects.toThrow(reason);
    // After pauses of one, two and four seconds.
    const asked = alone.events.filter((event) => event.type === "answer" && event.function === "getBlockProof");
    expect(asked.length).toBeLessThan(6);
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
