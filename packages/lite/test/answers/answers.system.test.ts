import { decodeAccount } from "@chain-query/format/accounts";
import { lookUpTransaction, readBlockHeader, readBlockShards, readTransactions } from "@chain-query/format/blocks";
import { hex, openMerkleProof, readBoc, readBocRoots } from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import { intersects, isSameBlock, isSameShard, namedBlock } from "@chain-query/format/identifiers";
import { lookUpShard, readMasterchainParts, readShardTops, readStateShards } from "@chain-query/format/states";
import { describe, expect, test } from "vitest";
import { startLiteServer } from "../../src/answers/server.ts";
import { liteChain } from "../../src/answers/signing-chain.ts";
import { verifyShardBlockProof } from "../../src/proof/block-lookup.ts";
import { queries } from "../../src/wire/tl/queries.ts";
import { existing, serveChain } from "../served-chain.ts";

const served = await serveChain();
const masters = served.headers.filter(({ id }) => id.workchain === -1);

describe("an account", () => {
  test("is read as of the newest block if the number is ffffffff", async () => {
    const { id } = served.chain.head().block;
    const account = existing(served.accounts[0]);
    const answer = await served.ask(queries.getAccountState({ id: { ...id, seqno: -1 }, account }));
    expect(answer).toEqual(await served.ask(queries.getAccountState({ id, account })));
  });

  test("can be proved without its code and data", async () => {
    const { id } = served.chain.head().block;
    const account = existing(served.accounts.find((one) => served.chain.account(one)?.code));
    const { state } = await served.ask(queries.getAccountStatePrunned({ id, account }));
    const whole = readBoc((await served.ask(queries.getAccountState({ id, account }))).state);
    expect(decodeAccount(openMerkleProof(readBoc(state), whole.hash)).balance).toBe(decodeAccount(whole).balance);
  });

  test("must belong to the shard of the block", async () => {
    const { id } = existing(served.headers.find(({ id }) => id.workchain === 0));
    const account = { workchain: 0, hash: new Uint8Array(32).fill(id.shard > 0n ? 0xff : 0) };
    await expect(served.ask(queries.getAccountState({ id, account }))).rejects.toMatchObject({ code: -400 });
  });
});

describe("transactions", () => {
  test("of a block are listed by what the mode asks for", async () => {
    const { id } = existing(served.headers.find(({ transactionCount }) => transactionCount > 10));
    const all = Array.from(readTransactions(readBoc(existing(served.chain.blockData(id)))));
    const [first, ...others] = all.map(({ account, lt, cell }) => ({ mode: 7, account, lt, hash: cell.hash }));
    const { ids, incomplete } = await served.ask(queries.listBlockTransactions({ id, count: 256, mode: 7 }));
    expect([ids, incomplete]).toEqual([[first, ...others], false]);
    const { account, lt } = existing(first);
    const query = queries.listBlockTransactions({ id, count: 1, mode: 2 + 128, after: { account, lt } });
    expect(await served.ask(query)).toMatchObject({ ids: [{ mode: 2, lt: others[0]?.lt }], incomplete: true });
  });

  test("of a block are proved one by one, present or absent", async () => {
    const header = existing(served.headers.find(({ transactionCount }) => transactionCount > 3));
    const [first] = readTransactions(readBoc(existing(served.chain.blockData(header.id))));
    const { account: hash, lt, cell } = existing(first);
    const account = { workchain: header.id.workchain, hash };
    for (const [asked, expected] of [
      [lt, cell],
      [lt + 1n, undefined],
    ] as const) {
      const answer = await served.ask(queries.getOneTransaction({ id: header.id, account, lt: asked }));
      const proof = openMerkleProof(readBoc(answer.proof), header.id.rootHash);
      expect(hex(lookUpTransaction(proof, { account: hash, lt: asked })?.hashAt(0))).toBe(hex(expected?.hash));
      expect(answer.transaction.length > 0 ? hex(readBoc(answer.transaction).hash) : "").toBe(hex(expected?.hash));
    }
  });

  test("are refused if lt and hash do not belong together", async () => {
    const account = existing(served.accounts[0]);
    const { lt } = existing(served.chain.account(account)).last;
    const ask = (from: { lt: bigint; hash: Uint8Array }) => served.ask(queries.getTransactions({ count: 1, account, ...from }));
    await expect(ask({ lt, hash: new Uint8Array(32) })).rejects.toMatchObject({
      code: -400,
      message: expect.stringMatching(/hash mismatch/),
    });
    await expect(ask({ lt: lt + 1n, hash: new Uint8Array(32) })).rejects.toMatchObject({ code: -400 });
  });
});

describe("blocks", () => {
  test("are found by number, lt and time, in their shard or by an account", async () => {
    for (const header of served.headers.filter((_, i) => i % 11 === 0)) {
      const { id, endLt, time } = header;
      const prefix = { ...id, shard: id.workchain === -1 ? id.shard : BigInt.asIntN(64, BigInt.asUintN(64, id.shard) | 8n) };
      for (const shard of [id, prefix]) {
        const blockId = { workchain: id.workchain, shard: shard.shard, seqno: id.seqno };
        const selectors = [
          [{ mode: 1 }, { seqno: id.seqno }],
          [{ mode: 2, lt: endLt }, { lt: endLt }],
          [{ mode: 4, utime: time }, { time }],
        ] as const;
        for (const [by, selector] of selectors) {
          const expected = existing(served.chain.block(shard, selector));
          const answer = await served.ask(queries.lookupBlock({ ...by, id: blockId }));
          expect(answer.id).toEqual(expected.id);
          const proved = readBlockHeader(openMerkleProof(readBoc(answer.headerProof), expected.id.rootHash));
          expect([proved.seqno, proved.endLt, proved.time]).toEqual([expected.id.seqno, expected.endLt, expected.time]);
        }
      }
    }
  });

  test("are proved from the masterchain blocks that commit them, on both sides of each split and merge", async () => {
    const shards = served.headers.filter(({ id }) => id.workchain === 0);
    const firsts = shards.filter(({ id, previous }) => !isSameShard(id, previous));
    const lasts = firsts.flatMap(({ previous }) => shards.filter(({ id }) => isSameBlock(id, previous)));
    expect(Math.min(firsts.length, lasts.length)).toBeGreaterThan(10);
    for (const { id, masterchainSeqno } of [...firsts, ...lasts]) {
      const proof = await served.ask(queries.getShardBlockProof({ id }));
      expect(verifyShardBlockProof(id, proof)).toEqual(masters.find((master) => master.id.seqno === masterchainSeqno)?.id);
    }
  });
});

describe("shards, queues and configuration", () => {
  test("of a shard are proved as of a masterchain block", async () => {
    for (const { id } of masters.filter((_, i) => i % 10 === 0)) {
      for (const top of readShardTops(readBlockShards(readBoc(existing(served.chain.blockData(id)))))) {
        const { workchain, shard } = top;
        const { shardblk, shardProof } = await served.ask(queries.getShardInfo({ id, workchain, shard, exact: true }));
        expect(isSameBlock(shardblk, namedBlock(top, top.block))).toBe(true);
        const [header, state] = readBocRoots(shardProof);
        const { newHash } = readBlockHeader(openMerkleProof(existing(header), id.rootHash)).readStateHashes();
        const shards = readStateShards(openMerkleProof(existing(state), newHash));
        expect(lookUpShard(shards, top)?.block.seqno).toBe(top.block.seqno);
      }
    }
  });

  test("have the sizes of all queues as of the head", async () => {
    const { shards } = await served.ask(queries.getOutMsgQueueSizes({ mode: 0 }));
    const expected = served.chain.shards().map(({ id, queueSize }) => [id.shard, queueSize]);
    expect(shards.map(({ id, size }) => [id.shard, size])).toEqual(expected);
    const left = { workchain: 0, shard: 2n ** 62n };
    const some = await served.ask(queries.getOutMsgQueueSizes({ mode: 1, wc: left.workchain, shard: left.shard }));
    const within = served.chain.shards().filter(({ id }) => intersects(id, left));
    expect(some.shards.map(({ id }) => id.shard)).toEqual(within.map(({ id }) => id.shard));
  });

  test("have the parameters that are asked for", async () => {
    const { id } = existing(masters.at(-1));
    const some = await served.ask(queries.getConfigParams({ mode: 0, id, paramList: [0, 18, 77] }));
    const { newHash } = readBlockHeader(openMerkleProof(readBoc(some.stateProof), id.rootHash)).readStateHashes();
    const config = readMasterchainParts(openMerkleProof(readBoc(some.configProof), newHash)).config;
    expect(lookUp(config, uint32Key(18), 32)?.ref().type).toBe("ordinary");
    expect(lookUp(config, uint32Key(77), 32)).toBeUndefined();
    const all = await served.ask(queries.getConfigAll({ mode: 0, id }));
    expect(all.configProof.length).toBeGreaterThan(some.configProof.length);
  });
});

test("a port in use and a key of the wrong length are refused", async () => {
  const chain = liteChain(served.chain);
  const { port } = served.server;
  await expect(startLiteServer({ chain, key: new Uint8Array(32), port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await expect(startLiteServer({ chain, key: new Uint8Array(31) })).rejects.toThrow(RangeError);
});
