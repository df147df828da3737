/** Many reads through a pool whose servers end and start again. */

import { expect, onTestFinished, test } from "vitest";
import { startLiteServer } from "../../src/answers/server.ts";
import { liteChain } from "../../src/answers/signing-chain.ts";
import { connectClient, existing, serve, serveChain } from "../served-chain.ts";

const served = await serveChain(12);

test("two of three servers end during reads: no read fails, and a restarted server is used again", async () => {
  const key = new Uint8Array(32).fill(1);
  const first = await startLiteServer({ chain: liteChain(served.chain), key });
  const second = await serve(served.chain);
  const config = served.configOf([first, second, await serve(served.chain)]);
  // Without a cache every read is a query. No read fails only because the machine is slow.
  const { client } = connectClient(config, { cacheBytes: 1, timeoutMs: 60_000 });
  const untilReady = (expected: number) =>
    expect.poll(() => client.servers.filter(({ state }) => state === "ready").length).toBe(expected);
  await untilReady(3);
  const at = served.chain.head().block.id;
  let [isOver, count] = [false, 0];
  const reader = async () => {
    while (!isOver) {
      const account = existing(served.accounts[count++ % served.accounts.length]);
      const { account: found } = await client.getAccount(account, { at });
      expect(found?.balance ?? 0n).toBe(served.chain.account(account, at.seqno)?.balance);
    }
  };
  const readers = Promise.all(Array.from({ length: 20 }, reader));
  const someReads = async () => {
    const enough = count + 1_000;
    await expect.poll(() => count).toBeGreaterThan(enough);
  };
  await someReads();
  await first.close();
  await untilReady(2);
  await someReads();
  await second.close();
  await untilReady(1);
  await someReads();
  const again = await startLiteServer({ chain: liteChain(served.chain), key, port: first.port });
  onTestFinished(() => again.close());
  await untilReady(2);
  await someReads();
  isOver = true;
  await readers;
});
