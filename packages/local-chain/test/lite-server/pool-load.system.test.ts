/** Many reads through a pool in which servers lie or end. */
import { type LiteClient, type LiteEvent, liteClient } from "@chain-query/lite-client";
import { type LiteServer, startLiteServer } from "@chain-query/lite-server";
import {
  flipBit,
  forgeBoc,
  hiddenAccount,
  type LiteBehaviour,
  otherAccount,
  startFaultyLiteServer,
} from "@chain-query/lite-server/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { liteChain } from "../../src/reading/lite-chain.ts";
import { existing, type ServedChain, serveChain } from "./served-chain.ts";

let served: ServedChain;

beforeAll(async () => {
  served = await serveChain(12);
}, 120_000);

afterAll(() => served.close());

async function start(...behaviours: readonly LiteBehaviour[]): Promise<LiteServer> {
  const key = crypto.getRandomValues(new Uint8Array(32));
  return await startFaultyLiteServer({ chain: liteChain(served.chain), key, behaviours });
}

function clientOf(servers: readonly LiteServer[], events: LiteEvent[]): LiteClient {
  const addresses = servers.map(({ host, port, publicKey }) => ({ host, port, publicKey, slices: [] }));
  const zeroState = served.chain.genesis().block;
  const config = { servers: addresses, zeroState, initBlock: zeroState, hardforks: [], warnings: [] };
  // Without a cache every read is a query.
  return liteClient(config, { rate: 100_000, cacheBytes: 1, onEvent: (event) => events.push(event) });
}

function readyIn({ servers }: LiteClient): number {
  return servers.filter(({ state }) => state === "ready").length;
}

/** Reads accounts, some at a time, while `isOn`. Returns how many were read, wrong, and failed. */
async function readAccounts(client: LiteClient, isOn: (count: number) => boolean) {
  const at = served.chain.head().block.id;
  const count = { read: 0, wrong: 0, failed: 0 };
  let next = 0;
  const reader = async () => {
    while (isOn(next)) {
      const i = next++;
      const account = existing(served.accounts[i % served.accounts.length]);
      try {
        const { account: found } = await client.getAccount(account, { at });
        const expected = served.chain.account(account, at.seqno);
        const isRight = (found?.balance ?? 0n) === expected?.balance && (found?.status ?? "uninitialized") === expected.status;
        count.read += 1;
        if (!isRight) count.wrong += 1;
      } catch {
        count.failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 20 }, reader));
  return count;
}

test("of five servers four lie, now and then: 10,000 reads have no wrong answer and no error", async () => {
  const account = existing(served.accounts.find(({ workchain }) => workchain === 0));
  const servers = await Promise.all([
    start(flipBit("getAccountState", "state", { after: 300 })),
    start(forgeBoc("getAccountState", "proof")),
    start(hiddenAccount()),
    start(otherAccount(account)),
    startLiteServer({ chain: liteChain(served.chain), key: new Uint8Array(32).fill(8) }),
  ]);
  const events: LiteEvent[] = [];
  const client = clientOf(servers, events);
  await client.waitForHead();
  const count = await readAccounts(client, (asked) => asked < 10_000);
  await client.close();
  await Promise.all(servers.map((server) => server.close()));
  expect(count).toEqual({ read: 10_000, wrong: 0, failed: 0 });
  expect(events.filter(({ type }) => type === "quarantine").length).toBeGreaterThanOrEqual(3);
});

test("two of three servers end while reads are made: no read fails, and one that comes back is used again", async () => {
  const key = new Uint8Array(32).fill(8);
  const servers = await Promise.all([startLiteServer({ chain: liteChain(served.chain), key }), start(), start()]);
  const events: LiteEvent[] = [];
  const client = clientOf(servers, events);
  await client.waitForHead();
  let isOver = false;
  const reads = readAccounts(client, () => !isOver);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await servers[0]?.close();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await servers[1]?.close();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(readyIn(client)).toBe(1);
  const again = await startLiteServer({ chain: liteChain(served.chain), key, port: existing(servers[0]).port });
  while (readyIn(client) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  isOver = true;
  const { read, wrong, failed } = await reads;
  expect({ wrong, failed }).toEqual({ wrong: 0, failed: 0 });
  expect(read).toBeGreaterThan(100);
  expect(events.filter(({ type }) => type === "server-down").length).toBeGreaterThanOrEqual(2);
  await client.close();
  await Promise.all([servers[2]?.close(), again.close()]);
});
