/** Many reads through a pool with false answers and restarts of servers. */

import { expect, test } from "vitest";
import type { LiteBehaviour } from "../../src/answers/behaviour.ts";
import { type LiteServer, startLiteServer } from "../../src/answers/server.ts";
import { liteChain } from "../../src/answers/signing-chain.ts";
import { flipBit, forgeBoc, hiddenAccount, otherAccount } from "../../src/faults/false-answers.ts";
import { startFaultyLiteServer } from "../../src/faults/faulty-server.ts";
import { type LiteClient, liteClient } from "../../src/lite-client.ts";
import type { LiteEvent } from "../../src/servers/events.ts";
import { existing, serveChain } from "../served-chain.ts";

const served = await serveChain(12);

let keys = 0;

async function start(...behaviours: readonly LiteBehaviour[]): Promise<LiteServer> {
  const key = new Uint8Array(32).fill(++keys);
  return await startFaultyLiteServer({ chain: liteChain(served.chain), key, behaviours });
}

function clientOf(servers: readonly LiteServer[], onEvent?: (event: LiteEvent) => void): LiteClient {
  // Without a cache every read is a query. No read fails only because the machine is slow.
  return liteClient(served.configOf(servers), { rate: 100_000, cacheBytes: 1, timeoutMs: 60_000, ...(onEvent && { onEvent }) });
}

/** Waits until some servers of a client are ready. */
async function untilReady(client: LiteClient, expected: number): Promise<void> {
  await expect.poll(() => client.servers.filter(({ state }) => state === "ready").length).toBe(expected);
}

/** Reads accounts concurrently while `isOn`. Counts right, wrong and failed reads. */
async function readAccounts(
  client: LiteClient,
  isOn: (asked: number) => boolean,
  count = { read: 0, wrong: 0, failed: 0 },
): Promise<typeof count> {
  const at = served.chain.head().block.id;
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

const reads = 10_000;

test(`of five servers four sometimes give false answers: ${reads} reads have no wrong answer and no error`, async () => {
  const account = existing(served.accounts.find(({ workchain }) => workchain === 0));
  const servers = await Promise.all([
    start(flipBit("getAccountState", "state", { after: reads / 40 })),
    start(forgeBoc("getAccountState", "proof")),
    start(hiddenAccount()),
    start(otherAccount(account)),
    start(),
  ]);
  const quarantined = new Set<string>();
  const client = clientOf(servers, (event) => event.type === "quarantine" && quarantined.add(event.server));
  await untilReady(client, 5);
  // Servers are chosen at random: reads continue until three of them gave a false answer. The fourth gives it late.
  const count = await readAccounts(client, (asked) => asked < reads || quarantined.size < 3);
  await client.close();
  await Promise.all(servers.map((server) => server.close()));
  expect(count).toMatchObject({ wrong: 0, failed: 0 });
  expect(count.read).toBeGreaterThanOrEqual(reads);
});

test("two of three servers end during reads: no read fails, and a restarted server is used again", async () => {
  const servers = await Promise.all([start(), start(), start()]);
  const client = clientOf(servers);
  await untilReady(client, 3);
  let isOver = false;
  const count = { read: 0, wrong: 0, failed: 0 };
  const all = readAccounts(client, () => !isOver, count);
  const someReads = async () => {
    const enough = count.read + reads / 10;
    await expect.poll(() => count.read).toBeGreaterThan(enough);
  };
  const [first, second, third] = servers;
  await someReads();
  await first?.close();
  await untilReady(client, 2);
  await someReads();
  await second?.close();
  await untilReady(client, 1);
  await someReads();
  const again = await startLiteServer({
    chain: liteChain(served.chain),
    key: new Uint8Array(32).fill(keys - 2),
    port: existing(first).port,
  });
  await untilReady(client, 2);
  await someReads();
  isOver = true;
  expect(await all).toMatchObject({ wrong: 0, failed: 0 });
  await client.close();
  await Promise.all([third?.close(), again.close()]);
});
