import { decodeAccount } from "@chain-query/format/accounts";
import { lookUpTransaction, readBlockHeader, readBlockShards, readTransactions } from "@chain-query/format/blocks";
import { type Cell, CellReader, hex, openMerkleProof, readBoc, readBocRoots } from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import { intersects, isSameBlock, isSameShard, namedBlock } from "@chain-query/format/identifiers";
import { lookUpShard, readMasterchainParts, readQueueSize, readShardTops, readStateShards } from "@chain-query/format/states";
import type { BlockId } from "@chain-query/format/store";
import { describe, expect, test } from "vitest";
import { verifyShardBlockProof } from "../../src/proof/block-lookup.ts";
import { queries } from "../../src/wire/tl/queries.ts";
import { existing, serveChain } from "../served-chain.ts";

const served = await serveChain();
const masters = served.headers.filter(({ id }) => id.workchain === -1);

/** The state after a block, as a proof with two roots shows it. */
function provedState(id: BlockId, proof: Uint8Array): Cell {
  const [header, state] = readBocRoots(proof);
  const { newHash } = readBlockHeader(openMerkleProof(existing(header), id.rootHash)).readStateHashes();
  return openMerkleProof(existing(state), newHash);
}

describe("the newest block", () => {
  test("is the chain's head", async () => {
    const { block } = served.chain.head();
    const info = await served.ask(queries.getMasterchainInfo());
    expect(info.last).toEqual(block.id);
    expect(info.stateRootHash).toEqual(block.stateRootHash);
    const { rootHash, fileHash } = served.chain.genesis().block;
    expect(info.init).toEqual({ workchain: -1, rootHash, fileHash });
    const more = await served.ask(queries.getMasterchainInfoExt({ mode: 1 }));
    expect(more).toMatchObject({ ...info, mode: 1, lastUtime: block.time, capabilities: 11n });
  });
});

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
  test("of a block come in pages, forwards and backwards, with proofs", async () => {
    const { id } = existing(served.headers.find(({ transactionCount }) => transactionCount > 10));
    const root = readBoc(existing(served.chain.blockData(id)));
    const all = [...readTransactions(root)];
    for (const falling of [false, true]) {
      const mode = 7 + 32 + (falling ? 64 : 0);
      const pages: string[] = [];
      let after: { account: Uint8Array; lt: bigint } | undefined;
      for (let isComplete = false; !isComplete; ) {
        const args = { id, count: 3, mode: mode + (after ? 128 : 0), ...(after && { after }) };
        const answer = await served.ask(queries.listBlockTransactions(args));
        const proved = readTransactions(openMerkleProof(readBoc(answer.proof), id.rootHash), { after, falling });
        const ext = await served.ask(queries.listBlockTransactionsExt(args));
        const roots = ext.transactions.length > 0 ? readBocRoots(ext.transactions) : [];
        for (const [i, item] of answer.ids.entries()) {
          const shown = existing(proved.next().value as { account: Uint8Array; lt: bigint; cell: Cell } | undefined);
          expect([hex(item.account), item.lt, hex(item.hash)]).toEqual([
            hex(shown.account),
            shown.lt,
            hex(shown.cell.hashAt(0)),
          ]);
          expect(hex(roots[i]?.hash)).toBe(hex(item.hash));
          after = { account: shown.account, lt: shown.lt };
          pages.push(hex(item.hash));
        }
        if (!answer.incomplete) expect(proved.next().done).toBe(true);
        isComplete = !answer.incomplete;
      }
      expect(pages).toEqual((falling ? all.toReversed() : all).map(({ cell }) => hex(cell.hash)));
    }
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
        for (const by of [{ mode: 1 }, { mode: 2, lt: endLt }, { mode: 4, utime: time }]) {
          const expected = existing(
            served.chain.block(
              shard,
              by.lt === undefined ? (by.utime === undefined ? { seqno: id.seqno } : { time }) : { lt: endLt },
            ),
          );
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

  test("that an older masterchain block cannot prove are refused", async () => {
    const newest = existing(served.headers.findLast(({ id }) => id.workchain === 0));
    const { id: old } = existing(masters[3]);
    const query = queries.lookupBlockWithProof({ mode: 1, id: newest.id, mcBlockId: old });
    await expect(served.ask(query)).rejects.toMatchObject({ code: 0, message: expect.stringMatching(/older/) });
  });
});

describe("shards, queues and configuration", () => {
  test("are proved as of a masterchain block", async () => {
    for (const { id } of masters.filter((_, i) => i % 10 === 0)) {
      const { proof, data } = await served.ask(queries.getAllShardsInfo({ id }));
      const shards = new CellReader(readBoc(data)).maybeRef();
      expect(hex(readBlockShards(openMerkleProof(readBoc(proof), id.rootHash))?.hashAt(0))).toBe(hex(shards?.hash));
      for (const top of readShardTops(shards)) {
        const expected = namedBlock(top, top.block);
        const { workchain, shard } = top;
        const info = await served.ask(queries.getShardInfo({ id, workchain, shard, exact: true }));
        expect(isSameBlock(info.shardblk, expected)).toBe(true);
        expect(lookUpShard(readStateShards(provedState(id, info.shardProof)), top)?.block.seqno).toBe(top.block.seqno);
        if (top.block.seqno === 0) continue;
        const queue = await served.ask(queries.getBlockOutMsgQueueSize({ mode: 1, id: expected }));
        const { queueSize } = existing(served.chain.block(top, { seqno: top.block.seqno }));
        const size = existing(queueSize);
        expect([queue.size, readQueueSize(provedState(expected, existing(queue.proof)))]).toEqual([BigInt(size), size]);
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

test("missing blocks and unsupported functions have the error codes of lite servers", async () => {
  const { id } = served.chain.head().block;
  const missing = { ...id, rootHash: new Uint8Array(32) };
  const suffix = `(last known masterchain block: ${id.seqno})`;
  await expect(served.ask(queries.getBlock({ id: missing }))).rejects.toMatchObject({
    code: 651,
    message: expect.stringMatching(/ is not in db$/),
  });
  await expect(served.ask(queries.lookupBlock({ mode: 1, id: { ...id, seqno: id.seqno + 1 } }))).rejects.toMatchObject({
    code: 651,
    message: expect.stringContaining(suffix),
  });
  await expect(served.ask(queries.lookupBlock({ mode: 3, id, lt: 1n }))).rejects.toMatchObject({ code: -400 });
  await expect(served.ask(queries.lookupBlock({ mode: 1, id: { ...id, shard: 0n } }))).rejects.toMatchObject({ code: -400 });
  const { rootHash, fileHash } = served.chain.genesis().block;
  const zero = { ...id, seqno: 0, rootHash, fileHash };
  await expect(served.ask(queries.getShardBlockProof({ id: zero }))).rejects.toMatchObject({ code: 651 });
  await expect(served.ask(queries.getRequestRateLimit())).rejects.toMatchObject({ code: 621 });
});
