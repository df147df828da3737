/** The lite client: what the responses of the service, which are compared with those of a folder, do not show of it. */

import { writeBoc } from "@chain-query/format/cells";
import { type LocalChain, openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { FAST } from "@chain-query/testing/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiteServer, startLiteServer } from "../src/answers/server.ts";
import { liteChain } from "../src/answers/signing-chain.ts";
import { type LiteClient, liteClient } from "../src/lite-client.ts";
import { parseGlobalConfig } from "../src/servers/global-config.ts";

/** Blocks as text. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return `${part}`;
    if (part instanceof Uint8Array) return Buffer.from(part).toString("hex");
    const isObject = typeof part === "object" && part !== null && !Array.isArray(part);
    return isObject ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1))) : part;
  });
}

const steps = 12;
let chain: LocalChain;
let servers: LiteServer[];

beforeAll(async () => {
  chain = openChain(await madeChain({ ...FAST, validators: 4, steps }));
  const keys = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
  servers = await Promise.all(keys.map((key) => startLiteServer({ chain: liteChain(chain), key })));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await chain.close();
});

describe("with three servers", () => {
  let client: LiteClient;
  const problems: string[] = [];

  beforeAll(async () => {
    const [first] = servers;
    const config = { ...first?.config(), liteservers: servers.flatMap((server) => server.config().liteservers) };
    client = liteClient(parseGlobalConfig(JSON.stringify(config)), {
      rate: 100_000,
      onEvent: (event) => {
        if (event.type === "quarantine" || event.type === "server-down") problems.push(`${event.type}: ${event.reason}`);
      },
    });
    await client.waitForHead({ seqno: steps });
  });

  afterAll(async () => {
    await client.close();
    expect(problems).toEqual([]);
  });

  test("has the same head and shards", async () => {
    const head = chain.head().block;
    expect(shown(client.head)).toBe(
      shown({ block: head.id, endLt: head.endLt, time: head.time, stateRootHash: head.stateRootHash }),
    );
    expect(shown(await client.getShards())).toBe(shown(chain.shards().map(({ id }) => id)));
    const queues = chain.shards().map(({ id, queueSize }) => ({ block: id, size: queueSize }));
    expect(shown(await client.getQueueSizes())).toBe(shown(queues));
    for (const { id } of chain.shards()) expect(shown(await client.getBlock(id))).toBe(shown(chain.blockData(id)));
    const zero = chain.genesis().block;
    expect(shown(new Uint8Array(writeBoc(await client.getZeroState())))).toBe(shown(chain.blockData(zero)));
    await expect(client.getZeroState(head.id)).rejects.toThrow("id.seqno: must be 0");
  });
});

describe("archival servers", () => {
  const configOf = (server: LiteServer | undefined) => parseGlobalConfig(JSON.stringify(server?.config()));

  test("do not decide on the head, even while the others are unavailable", async () => {
    const down = await startLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(9) });
    await down.close();
    const { promise: isUp, resolve } = Promise.withResolvers<void>();
    await using client = liteClient(configOf(down), {
      archival: configOf(servers[0]).servers,
      onEvent: ({ type }) => type === "server-up" && resolve(),
    });
    await isUp;
    await expect(client.getShards()).rejects.toThrow("no lite server is connected");
    expect(client.servers.map(({ archival, state }) => [archival, state])).toContainEqual([true, "ready"]);
    expect(client.head).toBeUndefined();
  });

  test("without others are asked for everything", async () => {
    const config = configOf(servers[0]);
    await using client = liteClient({ ...config, servers: [] }, { archival: config.servers });
    expect((await client.waitForHead()).block.seqno).toBe(chain.head().block.id.seqno);
    expect((await client.getShards()).length).toBe(5);
  });
});
