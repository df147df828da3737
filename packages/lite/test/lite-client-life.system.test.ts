/** Errors of callers of the lite client, and the end of a client. */
import { getEventListeners } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { LiteChain } from "../src/answers/lite-chain.ts";
import { startLiteServer } from "../src/answers/server.ts";
import { liteChain } from "../src/answers/signing-chain.ts";
import { type LiteClientOptions, liteClient } from "../src/lite-client.ts";
import type { LiteEvent } from "../src/servers/events.ts";
import { parseGlobalConfig } from "../src/servers/global-config.ts";
import { existing, serveChain } from "./served-chain.ts";

const MASTERCHAIN = { workchain: -1, shard: -(2n ** 63n) };
const CLOSED = { name: "LiteError", kind: "unavailable", message: "the client is closed" };

const served = await serveChain(12);

const connected = (options?: LiteClientOptions) =>
  liteClient(parseGlobalConfig(JSON.stringify(served.server.config())), { rate: 1_000, ...options });

test("each head takes two queries: links, and its header or, after a gap, a proof of its history", async () => {
  const chain = liteChain(served.chain);
  let seqno = 5;
  const growing: LiteChain = {
    head: () => existing(chain.findBlock(MASTERCHAIN, { seqno })),
    zeroState: () => chain.zeroState(),
    findBlock: (...asked) => chain.findBlock(...asked),
    blockData: (id) => chain.blockData(id),
    state: (id) => chain.state(id),
    signatures: (id) => chain.signatures?.(id),
  };
  const server = await startLiteServer({ chain: growing, key: new Uint8Array(32).fill(11) });
  const asked: string[] = [];
  const onEvent = (event: LiteEvent) => event.type === "answer" && asked.push(`${event.outcome} ${event.function}`);
  const client = liteClient(served.configOf([server]), { rate: 1_000, onEvent });
  for (seqno of [5, 6, 10]) expect((await client.waitForHead({ seqno })).block.seqno).toBe(seqno);
  const histories = ["getBlockHeader", "getBlockHeader", "lookupBlockWithProof"];
  expect(asked).toEqual(histories.flatMap((name) => ["ok getBlockProof", `ok ${name}`]));
  await client.close();
  await server.close();
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
    await client.close();
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
    await client.close();
  });
});

test("the bytes of a block are the caller's own", async () => {
  await using client = connected();
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
  await using client = connected();
  await expect(client.lookupBlock(MASTERCHAIN, selector)).rejects.toThrow(new RangeError(message));
});
