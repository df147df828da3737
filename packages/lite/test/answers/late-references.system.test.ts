/** Proofs of shard blocks that refer to an older masterchain block than the newest one. */
import { readBlockHeader } from "@chain-query/format/blocks";
import { readBoc } from "@chain-query/format/cells";
import type { BlockHeader } from "@chain-query/format/store";
import { UNEVEN } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { verifyShardBlockProof } from "../../src/proof/block-lookup.ts";
import { queries } from "../../src/wire/tl/queries.ts";
import { existing, serveChain } from "../served-chain.ts";

const { steps, ...options } = UNEVEN;
const served = await serveChain(steps, options);
const masters = served.headers.filter(({ id }) => id.workchain === -1);
const masterAt = (seqno: number) => existing(masters.find(({ id }) => id.seqno === seqno)).id;

/** By how many blocks the reference is behind the newest masterchain block. */
function lagOf({ id, masterchainSeqno }: BlockHeader): number {
  const master = readBlockHeader(readBoc(existing(served.chain.blockData(id)))).readMaster();
  return masterchainSeqno - 1 - existing(master).seqno;
}

const blocks = served.headers.filter(({ id, masterchainSeqno }) => id.workchain === 0 && masterchainSeqno > 1);
const late = blocks.filter((header) => lagOf(header) > 0);

test("a block is proved from the masterchain block that commits it, and from later ones", async () => {
  expect(new Set(late.map(lagOf))).toEqual(new Set([1, 2]));
  for (const { id, masterchainSeqno } of late) {
    const proof = await served.ask(queries.getShardBlockProof({ id }));
    expect(verifyShardBlockProof(id, proof)).toEqual(masterAt(masterchainSeqno));
    for (const seqno of [masterchainSeqno, steps]) {
      const answer = await served.ask(queries.lookupBlockWithProof({ mode: 1, id, mcBlockId: masterAt(seqno) }));
      expect([answer.id, answer.mcBlockId]).toEqual([id, masterAt(masterchainSeqno)]);
    }
  }
});

test("a masterchain block before the one that commits it is refused, also after the one that it refers to", async () => {
  for (const { id, masterchainSeqno } of blocks) {
    for (const seqno of [1, masterchainSeqno - 1]) {
      const query = queries.lookupBlockWithProof({ mode: 1, id, mcBlockId: masterAt(seqno) });
      await expect(served.ask(query)).rejects.toMatchObject({ code: 0, message: expect.stringMatching(/older/) });
    }
  }
});
