import type { InputOf } from "@chain-query/client";
import { accountName, MASTERCHAIN } from "@chain-query/format/identifiers";
import { madeChain, stepsOf } from "@chain-query/local-chain/testing";
import { describe, expect, test } from "vitest";
import { accountsOf } from "../fuzz/requests.ts";
import { messagesOf, PROVED, provingService } from "./fixtures/proving-service.ts";

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
    expect(accounts.filter(({ workchain }) => workchain === -1).length).toBeGreaterThan(1);
    for (const [i, account] of accounts.entries()) {
      const address = accountName(account);
      const input = i % 2 ? { address } : { address, seqno: 1 + (i % 24) };
      const honest = await client.getAddressInformation(input);
      expect(await verified.getAddressInformation(input), JSON.stringify(input)).toEqual(honest);
    }
  });

  test.for([
    ["", PROVED],
    [", some of which are suspended", { ...PROVED, suspended: 30 * 86_400 }],
  ] as const)("of accounts in each form, of which the service keeps the proofs of the others%s", async ([, made]) => {
    const { verified, client, chain } = await provingService(made);
    const accounts = accountsOf(chain).map(accountName);
    const pages = accounts.map((address) => async () => {
      const page = { address, limit: 1 };
      expect(await verified.getTransactionsStd(page)).toEqual(await client.getTransactionsStd(page));
    });
    const states = [{}, { seqno: 5 }, { seqno: 9 }, {}].flatMap((at) =>
      accounts.map((address) => async () => {
        const input = { address, ...at };
        expect(await verified.getAddressInformation(input), JSON.stringify(input)).toEqual(
          await client.getAddressInformation(input),
        );
      }),
    );
    for (const check of [...pages, ...states, ...pages]) await check();
    expect(accounts.length).toBeGreaterThan(20);
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

  test("of blocks by number, logical time and time, before and after splits and merges", async () => {
    const { verified, client, chain } = await provingService();
    const steps = await stepsOf(await madeChain(PROVED));
    const blocks = steps.flatMap(({ shards, masterchain }) => [...shards, masterchain]);
    let found = 0;
    for (const [i, { id }] of blocks.entries()) {
      const { endLt = 0n, time = 0 } = chain.block(id, id) ?? {};
      const { workchain, shard, seqno } = id;
      const selectors = [{ seqno }, { lt: endLt - 1n }, { unixtime: time }];
      const input = { workchain, shard, ...selectors[i % 3] } as InputOf<"lookupBlock">;
      // Those of the last seconds may be past the head.
      const honest = await client.lookupBlock(input).safe();
      if (!honest.ok) continue;
      expect(await verified.lookupBlock(input), JSON.stringify({ ...input, shard: `${shard}`, lt: `${endLt - 1n}` })).toEqual(
        honest.result,
      );
      found++;
    }
    expect(found).toBeGreaterThan(0.9 * blocks.length);
  });

  test("of the first block of a shard, from logical time 0 on", async () => {
    const { verified, client, chain } = await provingService();
    for (const shard of [MASTERCHAIN, chain.head().shards.at(-1)?.id ?? expect.unreachable()]) {
      const { id, endLt } = chain.block(shard, { lt: 1n }) ?? expect.unreachable();
      const where = { workchain: id.workchain, shard: String(shard.shard) };
      expect(id.seqno).toBe(1);
      for (const lt of [0n, 1n, endLt, endLt + 1n]) {
        const found = await verified.lookupBlock({ ...where, lt });
        expect(found).toEqual(await client.lookupBlock({ ...where, lt }));
        expect(found.seqno).toBe(lt > endLt ? 2 : 1);
      }
    }
  });

  test("of the transactions at both ends of messages", async () => {
    const { verified, client, chain } = await provingService();
    const messages = messagesOf(chain).slice(0, 51);
    for (const input of messages) {
      expect(await verified.tryLocateResultTx(input)).toEqual(await client.tryLocateResultTx(input));
      expect(await verified.tryLocateSourceTx(input)).toEqual(await client.tryLocateSourceTx(input));
    }
    expect(messages).toHaveLength(51);
  });

  test("of queue sizes", async () => {
    const { verified, client } = await provingService();
    expect(await verified.getOutMsgQueueSize()).toEqual(await client.getOutMsgQueueSize());
  });
});
