/** Which responses have the member proof (D-53), and its parts. That clients believe the proofs is tested in verify.test.ts. */
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { type AnswerProofs, ChainReadError } from "@chain-query/format/store";
import { chainProofs } from "@chain-query/lite/answers";
import { madeChain } from "@chain-query/local-chain/testing";
import type { ResultOf } from "@chain-query/types";
import { describe, expect, test } from "vitest";
import { appWith } from "../fixtures/app.ts";
import { ask, askProof } from "../fixtures/ask.ts";
import { busiestAddress, headSeqno, knownChain, rawAddress } from "../fixtures/chain.ts";
import { chainOptions, sharedService, startService } from "../fixtures/service.ts";

const service = sharedService();
const { reader } = knownChain();

test("links lead from a trusted key block over each later one to the head, in the form of its time", async () => {
  const options = { seed: 3, accounts: 20, blockInterval: 1, validators: 11, keyBlocks: 10, consensus: 15, steps: 26 } as const;
  await using linked = await startService({ source: { ...chainOptions, folder: await madeChain(options) } });
  const linksFrom = async (key: number) => {
    const { proof } = await askProof(linked.url, "getMasterchainInfo", {}, `proof; key=${key}`);
    return [proof.head?.block_id.seqno, proof.links?.map(({ head }) => [head.block_id.seqno, "session" in head])];
  };
  const [first, second, head] = [
    [10, false],
    [20, true],
    [26, true],
  ];
  expect(await linksFrom(0)).toEqual([undefined, [first, second, head]]);
  expect(await linksFrom(10)).toEqual([undefined, [second, head]]);
  expect(await linksFrom(11)).toEqual([26, undefined]);
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
  expect(proof.head?.block_id.seqno).toBe(headSeqno);
});

test("a block is not proved as of a head before it, though its proof as of a later one is kept", () => {
  const proofs = chainProofs(reader) ?? expect.unreachable();
  const { block, shards } = reader.head();
  const { id } = shards[1] ?? expect.unreachable();
  const before = reader.block(MASTERCHAIN, { seqno: headSeqno - 1 }) ?? expect.unreachable();
  const { signal } = new AbortController();
  const proveAsOf = (head: typeof id) => proofs.block(id, { seqno: id.seqno }, head, signal);
  proveAsOf(block.id);
  expect(() => proveAsOf(before.id)).toThrow("older");
});

test("the head is left out if the caller has it, and a page after the newest one needs no proof", async () => {
  const { proof } = await askProof(service.url, "getConsensusBlock");
  expect([proof.head?.block_id.seqno, proof.cells]).toEqual([headSeqno, undefined]);
  const known = await askProof(service.url, "getConsensusBlock", {}, `proof; head=${headSeqno}`);
  const page = { address: busiestAddress(0), limit: 2 };
  const { result } = await askProof(service.url, "getTransactionsStd", page);
  const { lt, hash } = (result as ResultOf<"getTransactionsStd">).previous_transaction_id;
  const later = await askProof(service.url, "getTransactionsStd", { ...page, lt, hash });
  expect([known.proof, later.proof]).toEqual([{ "@type": "chain.proof" }, { "@type": "chain.proof" }]);
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
