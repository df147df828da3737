/** The lite client reads the same from lite servers over a chain as the chain's own reader. */

import { writeBoc } from "@chain-query/format/cells";
import type { AccountId, BlockHeader, BlockSelector, ChainTransaction, MessageKey, ShardId } from "@chain-query/format/store";
import { type ChainReader, openChain } from "@chain-query/local-chain";
import { madeChain, stepsOf } from "@chain-query/local-chain/testing";
import { FAST } from "@chain-query/testing/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiteServer, startLiteServer } from "../src/answers/server.ts";
import { liteChain } from "../src/answers/signing-chain.ts";
import { type LiteClient, liteClient } from "../src/lite-client.ts";
import { parseGlobalConfig } from "../src/servers/global-config.ts";

const MASTERCHAIN: ShardId = { workchain: -1, shard: -(2n ** 63n) };

/** Blocks, accounts and transactions as text. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return `${part}`;
    if (part instanceof Uint8Array) return Buffer.from(part).toString("hex");
    const isObject = typeof part === "object" && part !== null && !Array.isArray(part);
    return isObject ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1))) : part;
  });
}

function headerOf(block: Pick<BlockHeader, "id" | "startLt" | "endLt" | "time" | "stateRootHash"> | undefined): string {
  if (!block) return "none";
  const { id, startLt, endLt, time, stateRootHash } = block;
  const { workchain, shard, seqno, rootHash, fileHash } = id;
  return shown({ workchain, shard, seqno, rootHash, fileHash, startLt, endLt, time, stateRootHash });
}

function transactionOf(transaction: Pick<ChainTransaction, "account" | "id" | "previous" | "fee"> | undefined): string {
  return transaction ? shown([transaction.account, transaction.id, transaction.previous, transaction.fee]) : "none";
}

/** Compares some reads of a chain of some steps: one of `every` accounts and messages, and fewer look-ups of blocks. */
export function testReads(steps: number, every: number): void {
  const some = <T>(items: readonly T[]): T[] => items.filter((_, i) => i % every === 0);
  let chain: ChainReader;
  let servers: LiteServer[];
  let headers: readonly BlockHeader[];
  let accounts: readonly AccountId[];

  beforeAll(async () => {
    const directory = await madeChain({ ...FAST, validators: 4, steps });
    chain = openChain(directory);
    const keys = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
    servers = await Promise.all(keys.map((key) => startLiteServer({ chain: liteChain(chain), key })));
    const blocks = (await stepsOf(directory)).flatMap(({ shards, masterchain }) => [...shards, masterchain]);
    headers = blocks.flatMap(({ id }) => chain.block(id, id) ?? []);
    const touched = blocks.flatMap(({ transactions }) => transactions.map(({ account }) => [shown(account), account] as const));
    accounts = [...new Map(touched).values()];
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

    test("finds the same blocks by number, logical time and time", async () => {
      const shards = [
        ...chain.shards().map(({ id }) => id),
        { workchain: 0, shard: -(2n ** 63n) },
        { workchain: 0, shard: 12345n },
        { workchain: 7, shard: 8n },
      ];
      const selectors: BlockSelector[] = headers
        .filter((_, i) => i % (5 * every) === 3)
        .flatMap(({ id, endLt, startLt, time }) => [{ seqno: id.seqno }, { lt: endLt }, { lt: startLt + 1n }, { time }]);
      const { id: last, endLt, time } = chain.head().block;
      const beyond = [{ seqno: last.seqno + 1 }, { seqno: 0 }, { lt: endLt + 1n }, { lt: 0n }, { time: time + 1 }, { time: 0 }];
      for (const shard of shards) {
        for (const selector of [...selectors, ...beyond]) {
          const found = await client.lookupBlock(shard, selector);
          expect([shown({ shard, selector }), headerOf(found)]).toEqual([
            shown({ shard, selector }),
            headerOf(chain.block(shard, selector)),
          ]);
        }
      }
    });

    test("reads the same accounts, now and before, present and absent", async () => {
      const absent = { workchain: 0, hash: new Uint8Array(32).fill(0xab) };
      const early = await client.lookupBlock(MASTERCHAIN, { seqno: 9 });
      for (const account of [...some(accounts), absent]) {
        for (const at of [undefined, early?.id]) {
          const expected = chain.account(account, at?.seqno);
          const { account: found, last, block } = await client.getAccount(account, { at });
          const status = found?.status ?? "uninitialized";
          expect([status, found?.balance ?? 0n, headerOf(block)]).toEqual([
            expected?.status,
            expected?.balance,
            headerOf(expected?.block),
          ]);
          // A state has no last transaction of an account that it does not have.
          expect(shown(last)).toBe(shown(found ? expected?.last : { lt: 0n, hash: new Uint8Array(32) }));
          expect(shown(found?.data && new Uint8Array(writeBoc(found.data)))).toBe(shown(expected?.data));
        }
      }
    });

    test("reads the same histories", async () => {
      for (const account of some(accounts)) {
        const expected = [...chain.transactions(account)];
        const [newest] = expected;
        if (!newest) continue;
        const found = await client.getTransactions(account, newest.id, 1_000);
        expect(found.map(transactionOf)).toEqual(expected.map(transactionOf));
        const few = await client.getTransactions(account, newest.id, 3);
        expect(few.map(transactionOf)).toEqual(expected.slice(0, 3).map(transactionOf));
      }
    });

    test("finds the transactions that sent and received each message, and none for others", async () => {
      const all = accounts.flatMap((account) => [...chain.transactions(account)]);
      const keys = all.flatMap(({ account, outMessages }) =>
        outMessages.flatMap(({ destination, createdLt }): MessageKey[] =>
          destination ? [{ source: account, destination, createdLt }] : [],
        ),
      );
      const waiting = keys.filter((key) => !chain.locate(key).consumer).slice(0, 8);
      const delivered = some(keys.filter((key) => chain.locate(key).consumer)).slice(0, 200);
      expect([delivered.length > 20, waiting.length > 0]).toEqual([true, true]);
      const wrong = delivered.slice(0, 4).flatMap((key) => [
        { ...key, createdLt: key.createdLt + 1n },
        { ...key, source: key.destination },
        { ...key, destination: key.source },
      ]);
      for (const key of [...delivered, ...waiting, ...wrong]) {
        const { producer, consumer } = chain.locate(key);
        const found = [await client.findSender(key), await client.findReceiver(key)];
        expect([shown(key), ...found.map(transactionOf)]).toEqual([
          shown(key),
          transactionOf(producer),
          transactionOf(consumer),
        ]);
      }
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
}
