/** The member proof of a response (D-53), checked as a client does, from the zero state that it trusts. */
import { decodeAccount, readSuspendedList } from "@chain-query/format/accounts";
import { lookUpTransaction, readBlockHeader } from "@chain-query/format/blocks";
import { readBoc } from "@chain-query/format/cells";
import { blockName, MASTERCHAIN, namedBlock, smallestShard } from "@chain-query/format/identifiers";
import {
  lookUpAccount,
  lookUpPastBlock,
  lookUpShard,
  readMasterchainParts,
  readQueueSize,
  readStateShards,
} from "@chain-query/format/states";
import { type AnswerProofs, ChainReadError } from "@chain-query/format/store";
import { chainProofs } from "@chain-query/lite/answers";
import { openChain } from "@chain-query/local-chain/reader";
import { madeChain } from "@chain-query/local-chain/testing";
import type { ResultOf } from "@chain-query/types";
import { describe, expect, test } from "vitest";
import { appWith } from "../fixtures/app.ts";
import { ask } from "../fixtures/ask.ts";
import { headSeqno, internalMessages, knownChain, longestHistory, messageKey, rawAddress } from "../fixtures/chain.ts";
import { askProof, blockIdIn, bytesIn, openHead, Roots, verifyLinks } from "../fixtures/proofs.ts";
import { chainOptions, sharedService, startService } from "../fixtures/service.ts";

const service = sharedService();
const { reader } = knownChain();
const zeroState = reader.genesis().block;

test("links lead from a trusted key block to the head", async () => {
  const { result, proof } = await askProof(service.url, "getMasterchainInfo", {}, "proof; key=0");
  const { last, state_root_hash } = result as ResultOf<"getMasterchainInfo">;
  expect(await verifyLinks(zeroState, proof)).toEqual(blockIdIn(last));
  expect(proof.head).toBeUndefined();
  const head = openHead(proof.links?.at(-1) ?? expect.unreachable());
  expect(Buffer.from(head.stateHash).toString("base64")).toBe(state_root_hash);
});

test("links lead over each key block, whose validators sign in one form or the other", async () => {
  const options = { seed: 3, accounts: 20, blockInterval: 1, validators: 11, keyBlocks: 10, consensus: 15, steps: 26 } as const;
  const folder = await madeChain(options);
  const chain = openChain(folder);
  const { id } = chain.head().block;
  const [first, key] = [chain.genesis().block, chain.block(MASTERCHAIN, { seqno: 10 })?.id ?? expect.unreachable()];
  await chain.close();
  await using linked = await startService({ source: { ...chainOptions, folder } });
  const all = await askProof(linked.url, "getMasterchainInfo", {}, "proof; key=0");
  expect(all.proof.links?.map(({ head }) => [head.block_id.seqno, "session" in head])).toEqual([
    [10, false],
    [20, true],
    [26, true],
  ]);
  expect(await verifyLinks(first, all.proof)).toEqual(id);
  const some = await askProof(linked.url, "getMasterchainInfo", {}, "proof; key=10");
  expect(await verifyLinks(key, some.proof)).toEqual(id);
  const none = await askProof(linked.url, "getMasterchainInfo", {}, "proof; key=11");
  expect([openHead(none.proof).id, none.proof.links]).toEqual([id, undefined]);
});

test("a page that is newer than the head of the request is proved as of its own", async () => {
  const { account } =
    knownChain().transactions.find(({ masterchainSeqno }) => masterchainSeqno === headSeqno) ?? expect.unreachable();
  const { block } = reader.head();
  const before = { block: reader.block(MASTERCHAIN, { seqno: headSeqno - 1 }) ?? block };
  const heads = [before];
  const app = appWith({}, { head: () => heads.pop() ?? { block } }, chainProofs(reader));
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const { proof } = await askProof(url, "getTransactionsStd", { address: rawAddress(account) });
  expect(openHead(proof).id.seqno).toBe(headSeqno);
});

test("the head is signed, and left out if the caller has it", async () => {
  const { result, proof } = await askProof(service.url, "getConsensusBlock");
  const { consensus_block } = result as ResultOf<"getConsensusBlock">;
  expect(openHead(proof).id.seqno).toBe(consensus_block);
  expect(proof.cells).toBeUndefined();
  const known = await askProof(service.url, "getConsensusBlock", {}, `proof; head=${consensus_block}`);
  expect(known.proof).toEqual({ "@type": "chain.proof" });
});

describe("getAddressInformation", () => {
  const accounts = knownChain().histories.flatMap(([newest]) => newest?.account ?? []);

  test.each([undefined, headSeqno, 30, 1])("proves every account as of block %s", async (seqno) => {
    const states = new Set<string>();
    for (const account of [...accounts.slice(0, 40), ...accounts.filter(({ workchain }) => workchain === -1)]) {
      const input = { address: rawAddress(account), ...(seqno !== undefined && { seqno: String(seqno) }) };
      const { result, proof } = await askProof(service.url, "getAddressInformation", input);
      const { block_id, balance, code, data, last_transaction_id, state } = result as ResultOf<"getAddressInformation">;
      const [head, roots] = [openHead(proof), new Roots(proof)];
      const at = blockIdIn(block_id);
      let stateHash = head.stateHash;
      if (at.seqno < head.id.seqno) {
        expect(lookUpPastBlock(roots.open(stateHash), at.seqno)).toMatchObject({ ...at });
        stateHash = at.seqno === 0 ? at.rootHash : readBlockHeader(roots.open(at.rootHash)).readStateHashes().newHash;
      } else expect(at).toEqual(head.id);
      const master = roots.open(stateHash);
      expect(readSuspendedList(readMasterchainParts(master).config)).toBeUndefined();
      const shard = roots.accountState(master, account);
      const entry = shard && lookUpAccount(shard, account.hash);
      const shown = entry && decodeAccount(entry.account);
      expect(roots.left).toBe(0);
      expect([String(shown?.balance ?? 0n), shown?.status ?? "uninitialized"]).toEqual([balance, state]);
      expect(String(entry?.last.lt ?? 0n)).toBe(last_transaction_id.lt);
      for (const [cell, text] of [
        [shown?.code, code],
        [shown?.data, data],
      ] as const) {
        expect(cell?.hashAt(0)).toEqual(text === "" ? undefined : readBoc(bytesIn(text)).hash);
      }
      states.add(entry === undefined ? "absent" : account.workchain === -1 ? "masterchain" : "basechain");
    }
    if (seqno === undefined) expect([...states].sort()).toEqual(["absent", "basechain", "masterchain"]);
  });
});

test("getTransactionsStd: the newest page begins with the proven last transaction, a later page needs no proof", async () => {
  const account = longestHistory(0)[0]?.account ?? expect.unreachable();
  const address = rawAddress(account);
  const { result, proof } = await askProof(service.url, "getTransactionsStd", { address, limit: 2 });
  const { transactions, previous_transaction_id } = result as ResultOf<"getTransactionsStd">;
  const roots = new Roots(proof);
  const shard = roots.accountState(roots.open(openHead(proof).stateHash), account) ?? expect.unreachable();
  const { last } = lookUpAccount(shard, account.hash) ?? expect.unreachable();
  expect(transactions[0]?.transaction_id).toMatchObject({
    lt: String(last.lt),
    hash: Buffer.from(last.hash).toString("base64"),
  });
  const { lt, hash } = previous_transaction_id;
  const later = await askProof(service.url, "getTransactionsStd", { address, limit: 2, lt, hash });
  expect(later.proof).toEqual({ "@type": "chain.proof" });
});

test("a located transaction is at its place in a block of the chain", async () => {
  const messages = internalMessages().slice(0, 20);
  for (const { message, sentBy } of messages) {
    for (const id of ["tryLocateSourceTx", "tryLocateResultTx"] as const) {
      if (id === "tryLocateResultTx" && !reader.findReceiver(message)) continue;
      const { result, proof } = await askProof(service.url, id, messageKey(message));
      const { data, transaction_id } = result as ResultOf<"tryLocateSourceTx">;
      const account = id === "tryLocateSourceTx" ? message.source : message.destination;
      const lt = BigInt(transaction_id.lt);
      const { masterchainSeqno = 0 } = reader.transaction(account, lt) ?? {};
      const roots = new Roots(proof);
      const block = roots.block(openHead(proof), smallestShard(account), masterchainSeqno);
      const placed = lookUpTransaction(roots.open(block.hashAt(0)), { account: account.hash, lt });
      expect(placed?.hashAt(0)).toEqual(readBoc(bytesIn(data)).hash);
      expect(roots.left).toBe(0);
      if (id === "tryLocateSourceTx") expect(lt).toBe(sentBy.id.lt);
    }
  }
});

test("the sizes of all queues are in the states of their shards", async () => {
  const { result, proof } = await askProof(service.url, "getOutMsgQueueSize");
  const { shards } = result as ResultOf<"getOutMsgQueueSize">;
  const roots = new Roots(proof);
  const master = roots.open(openHead(proof).stateHash);
  const states = shards.slice(1).map(({ id }) => {
    const top = lookUpShard(readStateShards(master), blockIdIn(id)) ?? expect.unreachable();
    expect(namedBlock(top, top.block)).toMatchObject(blockIdIn(id));
    return roots.state(blockIdIn(id));
  });
  expect([master, ...states].map(readQueueSize)).toEqual(shards.map(({ size }) => size));
  expect([shards.length > 2, roots.left]).toEqual([true, 0]);
});

describe("lookupBlock", () => {
  const found = [...Array(headSeqno).keys()].map((at) => reader.block(MASTERCHAIN, { seqno: at + 1 }) ?? expect.unreachable());
  const ofShards = knownChain()
    .transactions.slice(0, 40)
    .map(({ account, id }) => {
      return reader.block({ workchain: account.workchain, shard: MASTERCHAIN.shard }, { lt: id.lt }) ?? expect.unreachable();
    });

  test("proves blocks by seqno, lt and time", async () => {
    for (const { id, endLt, time, masterchainSeqno } of [...found.slice(-3), ...ofShards]) {
      for (const selector of [{ seqno: String(id.seqno) }, { lt: String(endLt) }, { unixtime: String(time) }]) {
        const { workchain, shard } = id;
        const { result, proof } = await askProof(service.url, "lookupBlock", { workchain, shard: String(shard), ...selector });
        const block = blockIdIn(result as ResultOf<"lookupBlock">);
        const [head, roots] = [openHead(proof), new Roots(proof)];
        const header = readBlockHeader(roots.block(head, block, masterchainSeqno));
        expect(blockName(header)).toBe(blockName(block));
        const [previous] = header.readPrevious();
        if ("lt" in selector) expect((previous?.endLt ?? endLt) < endLt && endLt <= header.endLt).toBe(true);
        if ("unixtime" in selector && previous?.seqno) {
          expect(readBlockHeader(roots.open(previous.rootHash)).time).toBeLessThan(time);
        }
        expect(roots.left).toBe(0);
      }
    }
  });
});

describe("a response has no proof", () => {
  const past = { workchain: -1, shard: String(MASTERCHAIN.shard), seqno: "4000000" };

  test.each([
    ["with another preference", "getConsensusBlock", {}, "wait=1"],
    ["with a preference that cannot be read", "getConsensusBlock", {}, "proof; head=one"],
    ["if it is a failure", "lookupBlock", past, "proof"],
  ] as const)("%s", async (_, id, input, prefer) => {
    const { headers, body } = await ask(service.url, id, input, { prefer });
    expect([headers.get("preference-applied"), "proof" in body]).toEqual([null, false]);
  });
});

test("Preference-Applied names the wait as well", async () => {
  const headers = { prefer: "wait=5, proof", "chain-min-head": String(headSeqno) };
  const response = await ask(service.url, "getMasterchainInfo", {}, headers);
  expect(response.headers.get("preference-applied")).toBe("wait, proof");
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("an error while a proof is made is one of the read", async () => {
  const unreadable = () => {
    throw new ChainReadError("unavailable", "the chain cannot be read");
  };
  const proofs = { ...chainProofs(reader), head: unreadable } as AnswerProofs;
  const app = appWith({}, {}, proofs);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const { status, headers } = await ask(url, "getConsensusBlock", {}, { prefer: "proof" });
  expect([status, headers.get("preference-applied")]).toEqual([542, null]);
});
