import { accountName } from "@chain-query/format/identifiers";
import { describe, expect, test } from "vitest";
import { accountsOf } from "../fuzz/requests.ts";
import { provingService } from "./fixtures/proving-service.ts";

test("moves the trust from the zero state to the head, over each key block", async () => {
  const { trust, client, saved, seen } = await provingService();
  await trust.advance(client);
  expect(saved.map(({ seqno }) => seqno)).toEqual([7, 14, 21]);
  expect(trust.head).toEqual({ seqno: 24, time: expect.any(Number) });
  expect(seen).toEqual(["getMasterchainInfo proof; key=0"]);
});

describe("an honest answer is verified", () => {
  test("of the head, whose validators are asked for once", async () => {
    const { verified, client, seen } = await provingService();
    expect(await verified.getMasterchainInfo()).toEqual(await client.getMasterchainInfo());
    expect(await verified.getConsensusBlock()).toEqual(await client.getConsensusBlock());
    expect(seen.filter((line) => line.includes("proof"))).toEqual([
      "getMasterchainInfo proof",
      "getMasterchainInfo proof; key=0",
      "getConsensusBlock proof; head=24",
    ]);
  });

  test("of accounts, now and as of each earlier block", async () => {
    const { verified, client, chain } = await provingService();
    const accounts = [
      ...accountsOf(chain),
      { workchain: 0, hash: new Uint8Array(32).fill(9) },
      { workchain: 5, hash: new Uint8Array(32) },
      { workchain: -1, hash: new Uint8Array(32) },
    ];
    for (const [i, account] of accounts.entries()) {
      const address = accountName(account);
      for (const input of [{ address }, { address, seqno: 1 + (i % 24) }]) {
        expect(await verified.getAddressInformation(input), JSON.stringify(input)).toEqual(
          await client.getAddressInformation(input),
        );
      }
    }
  });

  test("of histories, page after page", async () => {
    const { verified, client, chain } = await provingService();
    let pages = 0;
    for (const account of accountsOf(chain).slice(0, 15)) {
      const address = accountName(account);
      for (let cursor: { lt?: string; hash?: string } | undefined = {}; cursor; pages++) {
        const input = { address, limit: 3, archival: true, ...cursor } as { address: string };
        const page = await verified.getTransactionsStd(input);
        expect(page).toEqual(await client.getTransactionsStd(input));
        const { lt, hash } = page.previous_transaction_id;
        cursor = lt === "0" ? undefined : { lt, hash };
      }
    }
    expect(pages).toBeGreaterThan(15);
  });

  test("of blocks by number, logical time and time", async () => {
    const { verified, client, chain } = await provingService();
    for (const { id, endLt, time } of allBlocks(chain)) {
      const { workchain, shard, seqno } = id;
      for (const selector of [{ seqno }, { lt: endLt - 1n }, { unixtime: time }, { unixtime: time - 1 }]) {
        const input = { workchain, shard, ...selector } as { workchain: number; shard: bigint; seqno: number };
        const name = `${workchain} ${shard} ${Object.entries(selector)}`;
        const honest = await client.lookupBlock(input).safe();
        if (honest.ok)
          expect(
            await verified.lookupBlock(input).catch((error) => {
              throw new Error(`${name}: ${error}`, { cause: error });
            }),
            name,
          ).toEqual(honest.result);
      }
    }
  });

  test("of the transactions at both ends of messages", async () => {
    const { verified, client, chain } = await provingService();
    let found = 0;
    for (const account of accountsOf(chain)) {
      for (const { inMessage } of chain.transactions(account)) {
        if (!inMessage?.source || !inMessage.destination || found > 200) continue;
        const input = {
          source: accountName(inMessage.source),
          destination: accountName(inMessage.destination),
          createdLt: inMessage.createdLt,
        };
        expect(await verified.tryLocateResultTx(input)).toEqual(await client.tryLocateResultTx(input));
        expect(await verified.tryLocateSourceTx(input)).toEqual(await client.tryLocateSourceTx(input));
        found++;
      }
    }
    expect(found).toBeGreaterThan(100);
  });

  test("of queue sizes", async () => {
    const { verified, client } = await provingService();
    expect(await verified.getOutMsgQueueSize()).toEqual(await client.getOutMsgQueueSize());
  });
});

function* allBlocks(chain: Awaited<ReturnType<typeof provingService>>["chain"]) {
  for (let seqno = 1; seqno <= 24; seqno++) {
    const master = chain.block({ workchain: -1, shard: -(2n ** 63n) }, { seqno });
    if (master) yield master;
  }
  for (let seqno = 1; seqno < 60; seqno++) {
    for (const shard of [-(2n ** 63n), 2n ** 62n, -(2n ** 62n), 2n ** 61n, 3n * 2n ** 61n, -(2n ** 61n), -3n * 2n ** 61n]) {
      const block = chain.block({ workchain: 0, shard }, { seqno });
      if (block) yield block;
    }
  }
}
