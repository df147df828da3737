/** Many reads through a pool with false answers and restarts of servers. */

import { expect, onTestFinished, test } from "vitest";
import { startLiteServer } from "../../src/answers/server.ts";
import { liteChain } from "../../src/answers/signing-chain.ts";
import { flipBit, forgeBoc, hiddenAccount, otherAccount } from "../../src/faults/false-answers.ts";
import type { LiteClient } from "../../src/lite-client.ts";
import { connectClient, existing, serve, serveChain } from "../served-chain.ts";

const served = await serveChain(12);

/** Without a cache every read is a query. No read fails only because the machine is slow. */
const options = { cacheBytes: 1, timeoutMs: 60_000 };

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
  const faults = [
    flipBit("getAccountState", "state", { after: reads / 40 }),
    forgeBoc("getAccountState", "proof"),
    hiddenAccount(),
    otherAccount(account),
  ];
  const faulty = await Promise.all(faults.map((fault) => serve(served.chain, fault)));
  const { client, events } = connectClient(served.configOf([...faulty, await serve(served.chain)]), options);
  await untilReady(client, 5);
  // Servers are chosen at random: reads continue until three of them gave a false answer. The fourth gives it late.
  const quarantined = () => events.filter(({ type }) => type === "quarantine").length;
  const count = await readAccounts(client, (asked) => asked < reads || quarantined() < 3);
  expect(count).toMatchObject({ wrong: 0, failed: 0 });
  expect(count.read).toBeGreaterThanOrEqual(reads);
});

test("two of three servers end during reads: no read fails, and a restarted server is used again", async () => {
  const key = new Uint8Array(32).fill(1);
  const first = await startLiteServer({ chain: liteChain(served.chain), key });
  const second = await serve(served.chain);
  const { client } = connectClient(served.configOf([first, second, await serve(served.chain)]), options);
  await untilReady(client, 3);
  let isOver = false;
  const count = { read: 0, wrong: 0, failed: 0 };
  const all = readAccounts(client, () => !isOver, count);
  const someReads = async () => {
    const enough = count.read + reads / 10;
    await expect.poll(() => count.read).toBeGreaterThan(enough);
  };
  await someReads();
  await first.close();
  await untilReady(client, 2);
  await someReads();
  await second.close();
  await untilReady(client, 1);
  await someReads();
  const again = await startLiteServer({ chain: liteChain(served.chain), key, port: first.port });
  onTestFinished(() => again.close());
  await untilReady(client, 2);
  await someReads();
  isOver = true;
  expect(await all).toMatchObject({ wrong: 0, failed: 0 });
});
