/** Serves answers of three sizes; prints its port and the public key. */
import { adnlKey, serveAdnl } from "@chain-query/lite-protocol/adnl";
import { readQuery, writeAnswer, writeError } from "@chain-query/lite-protocol/tl";

const hash = Buffer.alloc(32, 2);
const id = { workchain: -1, shard: -(2n ** 63n), seqno: 7, rootHash: hash, fileHash: hash };
const signature = { nodeIdShort: hash, signature: Buffer.alloc(64) };
const signatures = {
  type: "signatureSet.ordinary",
  validatorSetHash: 1,
  catchainSeqno: 1,
  signatures: Array(66).fill(signature),
} as const;
const proof = Buffer.alloc(19_000, 1);
const link = {
  type: "blockLinkForward",
  toKeyBlock: true,
  from: id,
  to: id,
  destProof: proof,
  configProof: proof,
  signatures,
} as const;
const answers: Readonly<Record<string, Uint8Array>> = {
  getMasterchainInfo: writeAnswer("getMasterchainInfo", { last: id, stateRootHash: hash, init: id }),
  getAccountState: writeAnswer("getAccountState", {
    id,
    shardblk: id,
    shardProof: Buffer.alloc(1700, 1),
    proof: Buffer.alloc(2900, 1),
    state: Buffer.alloc(720, 1),
  }),
  getBlockProof: writeAnswer("getBlockProof", { complete: true, from: id, to: id, steps: [link] }),
};

const key = adnlKey(Buffer.alloc(32, 1));
const server = await serveAdnl({
  key,
  port: 0,
  onQuery: (bytes) => answers[readQuery(bytes).name] ?? writeError(621, "unknown"),
});
process.send?.({ port: server.port, publicKey: Buffer.from(key.publicKey).toString("hex") });
process.once("disconnect", () => process.exit());
