/** The lite client: what the responses of the service, which are compared with those of a folder, do not show of it. */
import { getEventListeners } from "node:events";
import { writeBoc } from "@chain-query/format/cells";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { LiteChain } from "../src/answers/lite-chain.ts";
import { startLiteServer } from "../src/answers/server.ts";
import { liteChain } from "../src/answers/signing-chain.ts";
import { type LiteClientOptions, liteClient } from "../src/lite-client.ts";
import { connectClient, existing, serveChain } from "./served-chain.ts";

const CLOSED = { name: "LiteError", kind: "unavailable", message: "the client is closed" };

const served = await serveChain(12);

const connected = (options?: LiteClientOptions) => connectClient(served.configOf([served.server]), options).client;

test("has the head, the shards, the queues and the blocks of the chain, without a problem", async () => {
  const { client, events } = connectClient(served.configOf([served.server]));
  const { id, endLt, time, stateRootHash } = served.chain.head().block;
  expect(await client.waitForHead()).toEqual({ block: id, endLt, time, stateRootHash });
  const shards = served.chain.shards();
  expect(await client.getShards()).toEqual(shards.map((shard) => shard.id));
  expect(await client.getQueueSizes()).toEqual(shards.map((shard) => ({ block: shard.id, size: shard.queueSize })));
  for (const shard of shards) expect(await client.getBlock(shard.id)).toEqual(served.chain.blockData(shard.id));
  const zeroState = new Uint8Array(writeBoc(await client.getZeroState()));
  expect(zeroState).toEqual(served.chain.blockData(served.chain.genesis().block));
  await expect(client.getZeroState(id)).rejects.toThrow("id.seqno: must be 0");
  expect(events.filter(({ type }) => type === "quarantine" || type === "server-down")).toEqual([]);
});

describe("archival servers", () => {
  test("do not decide on the head, even while the others are unavailable", async () => {
    const down = await startLiteServer({ chain: liteChain(served.chain), key: new Uint8Array(32).fill(9) });
    await down.close();
    const archival = served.configOf([served.server]).servers;
    const client = liteClient(served.configOf([down]), { archival });
    onTestFinished(() => client.close());
    const states = () => client.servers.map((server) => [server.archival, server.state]);
    await expect.poll(states).toContainEqual([true, "ready"]);
    await expect(client.getShards()).rejects.toThrow("no lite server is connected");
    expect(client.head).toBeUndefined();
  });

  test("without others are asked for everything", async () => {
    const { servers: archival, ...config } = served.configOf([served.server]);
    const { client } = connectClient({ ...config, servers: [] }, { archival });
    expect((await client.waitForHead()).block).toEqual(served.chain.head().block.id);
    expect(await client.getShards()).toHaveLength(served.chain.shards().length);
  });
});

test("each head takes two queries: links, and its header or, after a gap, a proof of its history", async () => {
  const chain = liteChain(served.chain);
  let seqno = 5;
  const growing: LiteChain = { ...chain, head: () => existing(chain.findBlock(MASTERCHAIN, { seqno })) };
  const server = await startLiteServer({ chain: growing, key: new Uint8Array(32).fill(11) });
  onTestFinished(() => server.close());
  const { client, events } = connectClient(served.configOf([server]));
  for (seqno of [5, 6, 10]) expect((await client.waitForHead({ seqno })).block.seqno).toBe(seqno);
  const histories = ["getBlockHeader", "getBlockHeader", "lookupBlockWithProof"];
  const asked = events.flatMap((event) => (event.type === "answer" ? `${event.outcome} ${event.function}` : []));
  expect(asked).toEqual(histories.flatMap((name) => ["ok getBlockProof", `ok ${name}`]));
});

describe("a closed client", () => {
  test("fails reads and waits for a head, those before and those after", async () => {
    const client = connected();
    await client.waitForHead();
    const waiting = client.waitForHead({ seqno: 1_000 }).catch((error: unknown) => error);
    await client.close();
    expect(await waiting).toMatchObject(CLOSED);
    await expect(client.waitForHead({ seqno: 1_000 })).rejects.toMatchObject(CLOSED);
    await expect(client.waitForHead()).rejects.toMatchObject(CLOSED);
    await expect(client.getShards()).rejects.toMatchObject(CLOSED);
  });

  test("leaves no listener on the signal of its options", async () => {
    const { signal } = new AbortController();
    const client = connected({ signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await client.close();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

describe("callbacks that throw", () => {
  const unhandled = vi.fn();

  beforeAll(() => {
    process.on("unhandledRejection", unhandled);
  });

  afterAll(() => {
    process.off("unhandledRejection", unhandled);
  });

  afterEach(() => {
    expect(unhandled).not.toHaveBeenCalled();
  });

  const fail = () => {
    throw new Error("a fault of the user's");
  };

  test("for events do not stop the client", async () => {
    const onEvent = vi.fn(fail);
    const client = connected({ onEvent });
    await client.waitForHead();
    expect(await client.getShards()).toHaveLength(served.chain.shards().length);
    expect(onEvent).toHaveBeenCalled();
  });

  test("for heads do not stop the client, nor keep the head from others", async () => {
    const client = connected();
    const failing = vi.fn(fail);
    const other = vi.fn();
    client.watchHead(failing);
    client.watchHead(other);
    const head = await client.waitForHead();
    expect(failing).toHaveBeenCalledWith(head);
    expect(other).toHaveBeenCalledWith(head);
  });
});

test("the bytes of a block are the caller's own", async () => {
  const client = connected();
  const { block } = await client.waitForHead();
  const first = await client.getBlock(block);
  const original = new Uint8Array(first);
  first.fill(0);
  expect(await client.getBlock(block)).toEqual(original);
});

test.each([
  ["selector.time: must be an integer from 0 to 2^32 - 1, got -1", { time: -1 }],
  ["selector.time: must be an integer from 0 to 2^32 - 1, got 5.5", { time: 5.5 }],
  ["selector.time: must be an integer from 0 to 2^32 - 1, got NaN", { time: Number.NaN }],
  ["selector.time: must be an integer from 0 to 2^32 - 1, got 4294967296", { time: 2 ** 32 }],
  ["selector.seqno: must be an integer from 0 to 2^32 - 1, got -1", { seqno: -1 }],
  ["selector.seqno: must be an integer from 0 to 2^32 - 1, got 1.5", { seqno: 1.5 }],
  ["selector.seqno: must be an integer from 0 to 2^32 - 1, got 4294967296", { seqno: 2 ** 32 }],
  ["selector.lt: must be from 0 to 2^64 - 1, got -1", { lt: -1n }],
  ["selector.lt: must be from 0 to 2^64 - 1, got 18446744073709551616", { lt: 2n ** 64n }],
])("a look-up is refused before a server is asked: %s", async (message, selector) => {
  const client = connected();
  await expect(client.lookupBlock(MASTERCHAIN, selector)).rejects.toThrow(new RangeError(message));
});
