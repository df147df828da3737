import { describe, expect, test } from "vitest";
import { ask, resultOf } from "../fixtures/ask.ts";
import { knownChain } from "../fixtures/chain.ts";
import { sharedService, startService } from "../fixtures/service.ts";

const masterchain = { workchain: -1, shard: "-9223372036854775808" };
const service = sharedService();

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

describe("getMasterchainInfo", () => {
  test("returns the head, its state and the zero state with shard 0", async () => {
    const { block } = knownChain().reader.head();
    const genesis = knownChain().reader.genesis().block;
    expect(await resultOf(service.url, "getMasterchainInfo")).toEqual({
      "@type": "blocks.masterchainInfo",
      last: {
        "@type": "chain.blockIdExt",
        ...masterchain,
        seqno: block.id.seqno,
        root_hash: base64(block.id.rootHash),
        file_hash: base64(block.id.fileHash),
      },
      state_root_hash: base64(block.stateRootHash),
      init: {
        "@type": "chain.blockIdExt",
        workchain: -1,
        shard: "0",
        seqno: 0,
        root_hash: base64(genesis.rootHash),
        file_hash: base64(genesis.fileHash),
      },
    });
  });

  test("names the configured network in block ids", async () => {
    await using other = await startService({ networkName: "lab2" });
    const { last, init } = await resultOf(other.url, "getMasterchainInfo");
    expect([last["@type"], init["@type"]]).toEqual(["lab2.blockIdExt", "lab2.blockIdExt"]);
  });
});

describe("getConsensusBlock", () => {
  test("returns the head and its time in whole seconds", async () => {
    const { block } = knownChain().reader.head();
    expect(await resultOf(service.url, "getConsensusBlock")).toEqual({
      "@type": "ext.blocks.consensusBlock",
      consensus_block: block.id.seqno,
      timestamp: block.time,
    });
  });
});

describe("getOutMsgQueueSize", () => {
  test("returns the queue size of each shard, the masterchain first", async () => {
    const { shards, ext_msg_queue_size_limit } = await resultOf(service.url, "getOutMsgQueueSize");
    expect(shards.map(({ id, size }) => [id.workchain, id.shard, id.seqno, size])).toEqual(
      knownChain()
        .reader.shards()
        .map(({ id, queueSize }) => [id.workchain, String(id.shard), id.seqno, queueSize]),
    );
    expect(shards[0]?.id).toMatchObject(masterchain);
    expect(shards.length).toBe(5);
    expect(ext_msg_queue_size_limit).toBe(8000);
  });
});

describe("lookupBlock", () => {
  test("finds a block by its sequence number, as a number or as text", async () => {
    const expected = knownChain().reader.block({ workchain: -1, shard: -(2n ** 63n) }, { seqno: 7 });
    for (const input of [
      { workchain: -1, shard: masterchain.shard, seqno: 7 },
      { workchain: "-1", shard: masterchain.shard, seqno: "7" },
    ]) {
      const found = await resultOf(service.url, "lookupBlock", input);
      expect([found.seqno, found.root_hash]).toEqual([7, base64(expected?.id.rootHash ?? new Uint8Array())]);
    }
  });

  test("finds the block of a shard that contains a logical time", async () => {
    for (const transaction of knownChain()
      .transactions.filter(({ account }) => account.workchain === 0)
      .slice(0, 50)) {
      const { hash } = transaction.account;
      const shard = BigInt.asIntN(64, (Buffer.from(hash).readBigUInt64BE() & ~15n) | 8n);
      const { lt } = transaction.id;
      const found = await resultOf(service.url, "lookupBlock", { workchain: 0, shard: String(shard), lt: String(lt) });
      const header = knownChain().reader.block({ workchain: 0, shard: BigInt(found.shard) }, { seqno: found.seqno });
      expect(header !== undefined && header.startLt <= lt && lt < header.endLt).toBe(true);
    }
  });

  test("finds the first block at or after a time", async () => {
    const header = knownChain().reader.block({ workchain: -1, shard: -(2n ** 63n) }, { seqno: 30 });
    const time = header?.time ?? 0;
    expect((await resultOf(service.url, "lookupBlock", { ...masterchain, unixtime: time })).seqno).toBe(30);
    expect((await resultOf(service.url, "lookupBlock", { ...masterchain, unixtime: time - 1 })).seqno).toBe(30);
    expect((await resultOf(service.url, "lookupBlock", { ...masterchain, unixtime: String(time + 1) })).seqno).toBe(31);
  });

  test("keeps all digits of numbers beyond the range of doubles", async () => {
    const found = await fetch(`${service.url}/api/v2/lookupBlock`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"workchain":-1,"shard":-9223372036854775808,"lt":9223372036854775807}',
    });
    expect(await found.json()).toMatchObject({
      code: 404,
      error: expect.stringContaining("lt 9223372036854775807 is past the head"),
    });
  });

  test.each([
    [{ ...masterchain, seqno: 1_000_000 }, "block was not found: seqno 1000000 is past the head, 60"],
    [{ ...masterchain, lt: "9223372036854775807" }, "block was not found: lt 9223372036854775807 is past the head, 60"],
    [{ ...masterchain, unixtime: 4294967295 }, "block was not found: unixtime 4294967295 is past the head, 60"],
    [
      { workchain: -1, shard: "0", seqno: 7 },
      "block was not found: seqno 7 of shard 0; the shards of workchain -1 are -9223372036854775808 up to 60",
    ],
    [{ workchain: 5, shard: masterchain.shard, seqno: 1 }, "block was not found: the chain has no workchain 5"],
  ])("finds nothing past the head: %j", async (input, error) => {
    expect((await ask(service.url, "lookupBlock", input)).body).toMatchObject({ code: 404, error });
  });
});
