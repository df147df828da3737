import { expect, test } from "vitest";
import { Scheme } from "../../src/wire/tl/codec.ts";
import { functions, types, waitPrefix } from "../../src/wire/tl/scheme.ts";

/** As the public lite servers use them. */
const ids = `
  tonNode.blockId b7cdb167, tonNode.blockIdExt 6752eb78, tonNode.zeroStateIdExt 1d7235ae, liteServer.error bba9e148
  liteServer.accountId 75a0e2c5, liteServer.masterchainInfo 85832881, liteServer.masterchainInfoExt a8cce0f5
  liteServer.currentTime e953000d, liteServer.version 5a0491e5, liteServer.blockData a574ed6c, liteServer.blockState abaddc0c
  liteServer.blockHeader 752d8219, liteServer.accountState 7079c751, liteServer.shardInfo 9fe6cd84
  liteServer.allShardsInfo 098fe72d, liteServer.transactionInfo 0edeed47, liteServer.transactionList 6f26c60b
  liteServer.transactionMetadata ff706385, liteServer.transactionId b12f65af, liteServer.transactionId3 2c81da77
  liteServer.blockTransactions bd8cad2b, liteServer.blockTransactionsExt fb8ffce4, liteServer.signature a3def855
  liteServer.signatureSet.ordinary f644a6e6, liteServer.signatureSet.simplex ac249800, liteServer.blockLinkBack ef7e1bef
  liteServer.blockLinkForward 520fce1c, liteServer.partialBlockProof 8ed0d2c1, liteServer.configInfo ae7b272f
  liteServer.shardBlockLink d30dcf72, liteServer.shardBlockProof 1d62a07a, liteServer.lookupBlockResult 99786be7
  liteServer.outMsgQueueSize a7c64c85, liteServer.outMsgQueueSizes f8504a03, liteServer.blockOutMsgQueueSize 8acdbe1b
  liteProxy.requestRateLimit 14cb3f0c
  liteServer.getMasterchainInfo 89b5e62e
  liteServer.getMasterchainInfoExt 70a671df, liteServer.getTime 16ad5a34, liteServer.getVersion 232b940b
  liteServer.getBlock 6377cf0d, liteServer.getState ba6e2eb6, liteServer.getBlockHeader 21ec069e
  liteServer.lookupBlock fac8f71e, liteServer.lookupBlockWithProof 9c045ff8, liteServer.getAccountState 6b890e25
  liteServer.getAccountStatePrunned 5a698507, liteServer.getShardInfo 46a2f425, liteServer.getAllShardsInfo 74d3fd6b
  liteServer.getOneTransaction d40f24ea, liteServer.getTransactions 1c40e7a1, liteServer.listBlockTransactions adfcc7da
  liteServer.listBlockTransactionsExt 0079dd5c, liteServer.getBlockProof 8aea9c44, liteServer.getConfigAll 911b26b7
  liteServer.getConfigParams 2a111c19, liteServer.getShardBlockProof 4ca60350, liteServer.getOutMsgQueueSizes 7bc19c36
  liteServer.getBlockOutMsgQueueSize 8f6c7779, liteProxy.getRequestRateLimit f0f83e86
  liteServer.waitMasterchainSeqno baeab892`;

test("each constructor and function has its public id", () => {
  const scheme = new Scheme(types);
  const compiled = [...types, ...functions, waitPrefix].map((line) => scheme.compile(line));
  const text = compiled.map(({ name, id }) => `${name} ${id.toString(16).padStart(8, "0")}`);
  expect(text.sort()).toEqual(
    ids
      .trim()
      .split(/,\s+|\n\s*/)
      .sort(),
  );
});
