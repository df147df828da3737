/** A third-party client reads from the lite server, as a check that the protocol is not specific to our client. */

import { once } from "node:events";
import { hex } from "@chain-query/format/cells";
import { type AccountId, addressPrefix } from "@chain-query/format/identifiers";
import { Address, Cell, loadTransaction } from "@ton/core";
import { LiteClient, LiteSingleEngine } from "ton-lite-client";
import { afterAll, describe, expect, test } from "vitest";
import { existing, serveChain } from "../served-chain.ts";

/** Shards split and merge in it. */
const served = await serveChain(20);
const { host, port, publicKey } = served.server;
const engine = new LiteSingleEngine({ host: `tcp://${host}:${port}`, publicKey: Buffer.from(publicKey) });
// Without a listener, an error of the engine ends the process.
engine.on("error", () => undefined);
await once(engine, "ready");
const client = new LiteClient({ engine });
afterAll(() => engine.close());

function addressOf({ workchain, hash }: AccountId): Address {
  return new Address(workchain, Buffer.from(hash));
}

describe("ton-lite-client", () => {
  test("reads the newest block, the version and the time", async () => {
    const { block } = served.chain.head();
    const { last, stateRootHash } = await client.getMasterchainInfo();
    expect([last.seqno, hex(last.rootHash), hex(last.fileHash)]).toEqual([
      block.id.seqno,
      hex(block.id.rootHash),
      hex(block.id.fileHash),
    ]);
    expect(hex(stateRootHash)).toBe(hex(block.stateRootHash));
    expect((await client.getMasterchainInfoExt()).lastUtime).toBe(block.time);
    expect(await client.getVersion()).toMatchObject({ version: 0x101, capabilities: "11" });
    expect(await client.getCurrentTime()).toBeGreaterThan(1_700_000_000);
  });

  test("reads accounts, active and absent", async () => {
    const { last } = await client.getMasterchainInfo();
    for (const account of [...served.accounts.slice(0, 20), { workchain: 0, hash: new Uint8Array(32) }]) {
      const expected = existing(served.chain.account(account));
      const state = await client.getAccountState(addressOf(account), last);
      expect(state.balance.coins).toBe(expected.balance);
      if (state.lastTx) {
        const found = { lt: BigInt(state.lastTx.lt), hash: BigInt(state.lastTx.hash) };
        expect(found).toEqual({ lt: expected.last.lt, hash: BigInt(`0x${hex(expected.last.hash)}`) });
      }
      expect((await client.getAccountStatePrunned(addressOf(account), last)).shardBlock.seqno).toBe(state.shardBlock.seqno);
    }
  });

  test("reads transactions of an account", async () => {
    const account = existing(served.accounts.toSorted((a, b) => count(b) - count(a))[0]);
    const { lt, hash } = existing(served.chain.account(account)).last;
    const { ids, transactions } = await client.getAccountTransactions(addressOf(account), lt.toString(), Buffer.from(hash), 8);
    const read = Cell.fromBoc(transactions).map((cell) => loadTransaction(cell.beginParse()).lt);
    const expected = Array.from(served.chain.transactions(account), ({ id }) => id.lt).slice(0, 8);
    expect(read).toEqual(expected);
    const one = await client.getAccountTransaction(addressOf(account), lt.toString(), existing(ids[0]));
    expect(loadTransaction(existing(Cell.fromBoc(one.transaction)[0]).beginParse()).lt).toBe(lt);
  });

  test("reads shards, blocks and headers", async () => {
    const { last } = await client.getMasterchainInfo();
    const { shards } = await client.getAllShardsInfo(last);
    const expected = served.chain.shards().filter(({ id }) => id.workchain === 0);
    expect(Object.values(existing(shards["0"])).toSorted()).toEqual(expected.map(({ id }) => id.seqno).toSorted());
    const { shards: blocks } = await client.getFullBlock(last.seqno);
    const transactions = blocks.flatMap((block) => block.transactions.map((one) => hex(one.hash)));
    expect(transactions.length).toBe(served.chain.shards().reduce((sum, { transactionCount }) => sum + transactionCount, 0));
    const listed = await client.listBlockTransactions(last);
    expect(listed.incomplete).toBe(false);
    expect((await client.getBlockHeader(last)).id.seqno).toBe(last.seqno);
    expect((await client.getConfig(last)).configAddress).toBeDefined();
  });

  test("looks up blocks by number, time and lt", async () => {
    const account = existing(served.accounts.find(({ workchain }) => workchain === 0));
    const shard = BigInt.asIntN(64, (addressPrefix(account.hash) & ~15n) | 8n);
    const { id, time, endLt } = existing(served.chain.block({ workchain: 0, shard }, { seqno: 5 }));
    const at = { workchain: 0, shard: shard.toString() };
    const found = [
      await client.lookupBlockByID({ ...at, seqno: 5 }),
      await client.lookupBlockByUtime({ ...at, utime: time }),
      await client.lookupBlockByLt({ ...at, lt: endLt }),
    ];
    expect(found.map((header) => hex(header.id.rootHash))).toEqual([id, id, id].map(({ rootHash }) => hex(rootHash)));
  });
});

function count(account: AccountId): number {
  return Array.from(served.chain.transactions(account)).length;
}
