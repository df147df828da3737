/** Clients of lite servers behind relays that lose all data. On a virtual clock, so that the minutes of an outage take seconds. */
import { readFileSync } from "node:fs";
import { setImmediate as nextTick } from "node:timers/promises";
import { hex } from "@chain-query/format/cells";
import { liteClient, parseGlobalConfig } from "@chain-query/lite-client";
import { openChain, openProducer } from "@chain-query/local-chain";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { forkedChains } from "../fixtures/chain.ts";
import { type LiteNetwork, startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";
import { startWire } from "../fixtures/wire.ts";

/** Milliseconds of the virtual clock in which data have time to arrive. */
const STEP = 500;

/** Advances the virtual clock. */
async function seconds(count: number): Promise<void> {
  for (let i = 0; i < (count * 1_000) / STEP; i++) {
    await vi.advanceTimersByTimeAsync(STEP);
    for (let turn = 0; turn < 8; turn++) await nextTick();
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 300 && !condition(); i++) await seconds(1);
  expect(condition()).toBe(true);
}

/** Clients of the servers of a network, each server behind a relay. */
async function startRelayed(network: LiteNetwork, count: number) {
  const config = parseGlobalConfig(readFileSync(network.config, "utf8"));
  const wires = await Promise.all(config.servers.map(({ port }) => startWire(port)));
  const portOf = (index: number): number => Number(new URL(wires[index]?.to("tcp://127.0.0.1:1") ?? "").port);
  const servers = config.servers.map((server, index) => ({ ...server, port: portOf(index) }));
  // Each client has the heads that it has accepted, by their hashes.
  const clients = Array.from({ length: count }, () => {
    const client = liteClient({ ...config, servers }, { rate: 10_000 });
    const heads: string[] = [];
    client.watchHead(({ block }) => heads.push(hex(block.rootHash)));
    return { client, heads };
  });
  onTestFinished(async () => {
    vi.useRealTimers();
    await Promise.all(clients.map(({ client }) => client.close()));
  });
  return { wires, clients };
}

/** The hashes of the blocks of a chain. */
async function blocksOf(folder: string): Promise<ReadonlySet<string>> {
  const chain = openChain(folder);
  const { block } = chain.head();
  const ids = Array.from({ length: block.id.seqno }, (_, index) => chain.block(block.id, { seqno: index + 1 })?.id);
  await chain.close();
  return new Set(ids.flatMap((id) => (id === undefined ? [] : hex(id.rootHash))));
}

/**
 * Cuts all relays for 135 s and restores first that of a server of a fork, which is alone for ten minutes and makes blocks.
 *
 * @param counts - Numbers of servers.
 * @param clients - The number of clients of each network.
 */
export function surviveHostileServers(counts: readonly number[], clients: number): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.for(counts)("after an outage of %i relays, a hostile server alone for ten minutes changes no head", async (count) => {
    using folder = temporaryFolder();
    const [fork, right] = await forkedChains(folder.path);
    // Before the lite servers open the chains.
    const [producer, forger] = [await openProducer(right.chain), await openProducer(fork.chain)];
    await using network = await startLiteNetwork(right.chain, count);
    const { wires, clients: running } = await startRelayed(network, clients);
    await until(() => running.every(({ client }) => client.head?.block.seqno === right.seqno));
    for (const wire of wires) wire.freeze();
    await seconds(135);
    if (count > 1) {
      await network.stop(0);
      await network.start(0, fork.chain);
      wires[0]?.thaw();
      for (let minute = 0; minute < 10; minute++) {
        await forger.step();
        await seconds(60);
      }
      for (const { client } of running) {
        const newest = Math.max(...client.servers.map(({ seqno = 0 }) => seqno));
        expect([newest > right.seqno + 1, client.head?.block.seqno]).toEqual([true, right.seqno]);
      }
    }
    await producer.step();
    await Promise.all([producer.close(), forger.close()]);
    for (const wire of wires) wire.thaw();
    // Of two servers, both have to report a block.
    const last = count === 2 ? right.seqno : right.seqno + 1;
    await until(() => running.every(({ client }) => client.head?.block.seqno === last));
    if (count === 2) await seconds(120);
    const known = await blocksOf(right.chain);
    for (const { client, heads } of running) {
      expect(heads.filter((hash) => !known.has(hash))).toEqual([]);
      expect(heads.length).toBeGreaterThan(0);
      expect(client.head?.block.seqno).toBe(last);
      if (count === 2) expect(client.problem).toMatch(/^no new block can be accepted: 2 of 2 .* of another chain: \w{8}; /);
    }
  });
}
