import { expect, test } from "vitest";
import { verifyShardBlockProof } from "../../src/proof/block-lookup.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import type { LiteAnswer } from "../../src/wire/tl/scheme.ts";
import { lookupAnswer } from "./honest-answers.ts";
import { LEFT, MASTER, RIGHT, type SampleBlock, sampleChain } from "./sample-chain.ts";

type Proof = LiteAnswer<"getShardBlockProof">;

const chain = sampleChain(3);
const block = chain.block(LEFT, 3);
const honest = proofOf(block);
const right = proofOf(chain.block(RIGHT, 2));
const [first, second] = honest.links;
if (!first || !second) throw new Error("the way to the block must have two links");

function proofOf(found: SampleBlock): Proof {
  const { mcBlockId, shardLinks } = lookupAnswer(chain, chain.block(MASTER, 3), found);
  return { masterchainId: mcBlockId, links: shardLinks };
}

test("every block leads to the masterchain block that commits it", () => {
  for (const one of chain.blocks.filter(({ root }) => root)) {
    const { id } = one;
    const seqno = id.shard === LEFT.shard ? Math.ceil(id.seqno / 2) : id.seqno;
    expect(verifyShardBlockProof(id, proofOf(one))).toEqual(chain.block(MASTER, seqno).id);
  }
});

test.each<[what: string, proof: Partial<Proof>, message: string]>([
  ["a masterchain block that is not one", { masterchainId: block.id }, "expected a block of the masterchain"],
  ["another masterchain block", { masterchainId: chain.block(MASTER, 1).id }, "a Merkle proof must prove the tree"],
  ["no links", { links: [] }, "the last block of the chain must be"],
  ["a way that ends early", { links: [first] }, "the last block of the chain must be"],
  ["a missing link", { links: [second] }, "a Merkle proof must prove the tree"],
  ["a way through another shard", { links: right.links }, "leaves the shard of"],
  [
    "a link to another file hash",
    { links: [{ ...first, id: { ...first.id, fileHash: first.id.rootHash } }] },
    "does not lead to",
  ],
  ["a way of many links", { links: Array.from({ length: 9 }, () => first) }, "at most 8 links, got 9"],
])("%s is refused", (_, part, message) => {
  const check = () => verifyShardBlockProof(block.id, { ...honest, ...part });
  expect(check).toThrow(LiteError);
  expect(check).toThrow(expect.objectContaining({ kind: "proof" }));
  expect(check).toThrow(message);
});
