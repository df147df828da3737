import { describe, expect, test } from "vitest";
import { examples } from "./contract.ts";
import type { ExampleTransaction, Queues } from "./scenario.ts";
import {
  type BlockId,
  type Consensus,
  type ExampleAccount,
  type ExampleHead,
  example,
  inputOf,
  keyOf,
  type Page,
  rawAddress,
  resultOf,
  shardHolds,
} from "./scenario.ts";

const active = resultOf<ExampleAccount>("getAddressInformation.active");
const head = resultOf<ExampleHead>("getMasterchainInfo.head");
const alice = rawAddress(String(inputOf("getAddressInformation.active")["address"]));
const source = resultOf<ExampleTransaction>("tryLocateSourceTx.transfer");
const result = resultOf<ExampleTransaction>("tryLocateResultTx.transfer");
const history = ["first-page", "next-page", "last-page"].flatMap(
  (condition) => resultOf<Page>(`getTransactionsStd.${condition}`).transactions,
);

describe("an account", () => {
  test("is read as of the head", () => {
    for (const condition of ["active", "uninitialized", "frozen"]) {
      const account = resultOf<ExampleAccount>(`getAddressInformation.${condition}`);
      expect(account.block_id).toEqual(head.last);
      expect(account.state).toBe(condition);
    }
  });

  test("has code while it is active, and a hash instead while it is frozen", () => {
    const { code, data, frozen_hash } = active;
    expect([code === "", data === "", frozen_hash]).toEqual([false, false, ""]);
    const uninitialized = resultOf<ExampleAccount>("getAddressInformation.uninitialized");
    expect(uninitialized).toMatchObject({ code: "", data: "", frozen_hash: "" });
    const frozen = resultOf<ExampleAccount>("getAddressInformation.frozen");
    expect([frozen.code, frozen.data, frozen.frozen_hash === ""]).toEqual(["", "", false]);
  });

  test("holds the balance that it received before it has code", () => {
    const carol = rawAddress(String(inputOf("getAddressInformation.uninitialized")["address"]));
    const { balance, last_transaction_id } = resultOf<ExampleAccount>("getAddressInformation.uninitialized");
    const gift = history.flatMap(({ out_msgs }) => out_msgs).find((message) => keyOf(message).destination === carol);
    expect(balance).toBe(gift?.value);
    expect(BigInt(last_transaction_id.lt)).toBeGreaterThan(BigInt(gift?.created_lt ?? "0"));
  });

  test("is read as of an earlier block", () => {
    const then = resultOf<ExampleAccount>("getAddressInformation.as-of-block");
    expect(rawAddress(String(inputOf("getAddressInformation.as-of-block")["address"]))).toBe(alice);
    expect(String(then.block_id.seqno)).toBe(inputOf("getAddressInformation.as-of-block")["seqno"]);
    expect(then.block_id.seqno).toBeLessThan(head.last.seqno);
    const last = history.find(({ utime }) => utime <= then.sync_utime);
    expect(then.last_transaction_id).toEqual(last?.transaction_id);
    expect(then.balance).toBe(last?.in_msg?.value);
  });

  test("is requested with a key only in the examples about keys", () => {
    const withKey = examples.filter(({ request }) => "X-API-Key" in request.headers);
    expect(withKey.map(({ condition, response }) => `${condition} ${response.status}`)).toEqual([
      "unknown-key 401",
      "other-network-key 403",
    ]);
  });
});

describe("a block", () => {
  const blocks = examples.flatMap(({ response }) => blocksIn(response.body));

  test("has the same hashes wherever it is named", () => {
    const known = new Map<string, BlockId>();
    for (const block of blocks) {
      const name = `${block.workchain} ${block.shard} ${block.seqno}`;
      expect(block).toEqual(known.get(name) ?? block);
      known.set(name, block);
    }
    expect(known.size).toBeLessThan(blocks.length);
    expect(new Set([...known.values()].map(({ root_hash }) => root_hash)).size).toBe(known.size);
    expect(new Set([...known.values()].map(({ file_hash }) => file_hash)).size).toBe(known.size);
  });

  test("of the masterchain is never past the head", () => {
    for (const { workchain, seqno } of blocks) if (workchain === -1) expect(seqno).toBeLessThanOrEqual(head.last.seqno);
  });

  test("is found by its seqno", () => {
    const { workchain, shard, seqno } = inputOf("lookupBlock.by-seqno");
    expect(resultOf<BlockId>("lookupBlock.by-seqno")).toMatchObject({ workchain, shard, seqno });
  });

  test("is found by a logical time in the shard of the account of the transaction", () => {
    const { workchain, shard, lt } = inputOf("lookupBlock.by-lt");
    expect(lt).toBe(source.transaction_id.lt);
    const found = resultOf<BlockId>("lookupBlock.by-lt");
    expect(found.workchain).toBe(workchain);
    // The shard of the account at the head is not its shard of then.
    expect(resultOf<Queues>("getOutMsgQueueSize.backlog").shards.map(({ id }) => id.shard)).toContain(shard);
    expect(found.shard).not.toBe(shard);
    for (const one of [found.shard, String(shard)]) expect(shardHolds(one, alice)).toBe(true);
  });

  test("is found by a time up to its own and after the time of the block before", () => {
    const { unixtime } = inputOf("lookupBlock.by-unixtime");
    const found = resultOf<BlockId>("lookupBlock.by-unixtime").seqno;
    expect(timeOf(found)).toBeGreaterThanOrEqual(Number(unixtime));
    expect(timeOf(found - 1)).toBeLessThan(Number(unixtime));
  });

  test("is not found past the head", () => {
    expect(Number(inputOf("lookupBlock.past-head")["seqno"])).toBeGreaterThan(head.last.seqno);
    expect(example("lookupBlock.past-head").response.body).toMatchObject({
      error: expect.stringContaining(String(head.last.seqno)),
    });
  });

  test("is agreed upon at the head or before it", () => {
    const current = resultOf<Consensus>("getConsensusBlock.current");
    const lagging = resultOf<Consensus>("getConsensusBlock.lagging");
    expect(current.consensus_block).toBe(head.last.seqno);
    expect(lagging.consensus_block).toBeLessThan(head.last.seqno);
    expect([current, lagging].map(({ timestamp }) => timestamp)).toEqual(
      [current, lagging].map(({ consensus_block }) => timeOf(consensus_block)),
    );
  });

  test("is the latest of its shard where queues are counted, the masterchain first", () => {
    const idle = resultOf<Queues>("getOutMsgQueueSize.idle").shards;
    const backlog = resultOf<Queues>("getOutMsgQueueSize.backlog").shards;
    const names = (shards: Queues["shards"]) => shards.map(({ id: { workchain, shard } }) => ({ workchain, shard }));
    expect(names(idle)).toEqual(names(backlog));
    expect(backlog[0]?.id).toEqual(head.last);
    expect(idle[0]?.id.seqno).toBeLessThan(head.last.seqno);
    expect(idle.map(({ size }) => size)).toEqual(idle.map(() => 0));
    expect(backlog.filter(({ size }) => size > 0)).toHaveLength(2);
    for (const transaction of [source, result]) {
      const holding = idle.slice(1).filter(({ id }) => shardHolds(id.shard, transaction.address.account_address));
      expect(holding).toHaveLength(1);
    }
  });

  test("of the beginning is the same for the young chain and the old", () => {
    const young = resultOf<ExampleHead>("getMasterchainInfo.young-chain");
    expect(young.init).toEqual(head.init);
    expect(young.init).toMatchObject({ workchain: -1, shard: "0", seqno: 0 });
    expect(young.last.seqno).toBe(1);
  });
});

/** The time of a masterchain block: the chain makes blocks at a steady pace, computed from two known blocks. */
function timeOf(seqno: number): number {
  const then = resultOf<ExampleAccount>("getAddressInformation.as-of-block");
  const pace = (active.sync_utime - then.sync_utime) / (active.block_id.seqno - then.block_id.seqno);
  return active.sync_utime + (seqno - active.block_id.seqno) * pace;
}

function blocksIn(node: unknown): BlockId[] {
  if (typeof node !== "object" || node === null) return [];
  if ("@type" in node && node["@type"] === "chain.blockIdExt") return [node as BlockId];
  return Object.values(node).flatMap(blocksIn);
}
