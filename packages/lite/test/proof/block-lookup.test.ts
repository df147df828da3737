import { createMerkleProof, writeBoc } from "@chain-query/format/cells";
import type { ShardId } from "@chain-query/format/identifiers";
import { lookUpPastBlock } from "@chain-query/format/states";
import { describe, expect, test } from "vitest";
import { checkAncestor, checkBlockLookup, type LookupQuestion, verifyShardBlockProof } from "../../src/proof/block-lookup.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import type { LiteAnswer } from "../../src/wire/tl/scheme.ts";
import { expectUnproven, headerProof, lookupAnswer } from "./honest-answers.ts";
import { LEFT, MASTER, RIGHT, type SampleBlock, sampleChain } from "./sample-chain.ts";

const chain = sampleChain(6);
const at = chain.block(MASTER, 6);
/** The 60 bits of an account in the left shard. */
const leaf: ShardId = { workchain: 0, shard: 0x1101010101010108n };
const all = chain.blocks.filter(({ root }) => root);

function look(shard: ShardId, selector: LookupQuestion["selector"], found: SampleBlock, from = at) {
  return checkBlockLookup({ at: from.id, shard, selector }, lookupAnswer(chain, from, found));
}

describe("checkAncestor", () => {
  const before = chain.block(MASTER, 2);
  const honest = lookupAnswer(chain, at, before);
  const forged = { ...before.id, rootHash: at.id.rootHash };

  test("proves the header of a block and every block before it, in one answer", () => {
    for (const seqno of [1, 2, 3, 4, 5]) {
      const { id } = chain.block(MASTER, seqno);
      const { block, ancestor } = checkAncestor(at.id, seqno, lookupAnswer(chain, at, chain.block(MASTER, seqno)));
      expect(ancestor).toEqual(id);
      expect(block).toMatchObject({ id: at.id, endLt: at.endLt, time: at.time, stateRootHash: at.state.hash });
    }
  });

  test.each<[string, Partial<LiteAnswer<"lookupBlockWithProof">>, RegExp]>([
    ["another number", lookupAnswer(chain, at, chain.block(MASTER, 3)), /must have number 2, got \(-1,8000000000000000,3\)/],
    ["another id", { id: chain.block(MASTER, 3).id }, /must have number 2/],
    ["another hash", { id: forged }, /^the ancestor must be/],
    ["another master", { mcBlockId: { ...before.id, fileHash: at.id.fileHash } }, /must be/],
    ["a block that is not in the history", { id: forged, mcBlockId: forged }, /^the masterchain block of its number must be/],
    ["no proof", { clientMcStateProof: new Uint8Array() }, /./],
    ["the state of another block", { clientMcStateProof: writeBoc(headerProof(chain.block(MASTER, 5))) }, /./],
    ["the block itself", { id: at.id, mcBlockId: at.id }, /must have number 2/],
  ])("refuses %s", (_, part, message) => {
    expectUnproven(() => checkAncestor(at.id, 2, { ...honest, ...part }), message);
  });
});

describe("checkBlockLookup", () => {
  test("finds every block by number, lt and time", () => {
    for (const block of all) {
      const { id, endLt, time } = block;
      const found = look(id, { seqno: id.seqno }, block);
      expect(found.block).toMatchObject({ id, endLt, time, stateRootHash: undefined });
      expect(found.isFirst).toBe(true);
      expect(found.previous.seqno).toBe(id.seqno - 1);
      expect(look(id, { lt: endLt }, block).block.id).toEqual(id);
      const before = chain.block(id, id.seqno - 1);
      expect(look(id, { lt: before.endLt + 1n }, block).block.id).toEqual(id);
      expect(look(id, { time }, block).isFirst).toBe(id.seqno === 1 || before.time < time);
    }
  });

  test("finds the block of the shard that contains an account", () => {
    const block = chain.block(LEFT, 3);
    expect(look(leaf, { seqno: 3 }, block).block.id).toEqual(block.id);
    expect(() => look(leaf, { seqno: 3 }, chain.block(RIGHT, 3))).toThrow(
      "the block must be of the shard of 0:1101010101010108",
    );
    // A whole workchain is looked up as the address 80…: lite servers do so.
    expect(look({ ...leaf, shard: MASTER.shard }, { seqno: 3 }, chain.block(RIGHT, 3)).block.id.seqno).toBe(3);
    expect(() => look({ ...leaf, shard: MASTER.shard }, { seqno: 3 }, block)).toThrow("must be of the shard of");
  });

  test("finds the trusted block and the blocks that it commits, without its state", () => {
    expect(look(MASTER, { seqno: 6 }, at).block.id).toEqual(at.id);
    expect(look(LEFT, { seqno: 11 }, chain.block(LEFT, 11)).block.id.seqno).toBe(11);
  });
});

describe("checkBlockLookup rejects", () => {
  const block = chain.block(LEFT, 5);
  const honest = lookupAnswer(chain, at, block);
  const next = lookupAnswer(chain, at, chain.block(LEFT, 6));
  const master = chain.block(MASTER, 3);
  const seqno = { seqno: 5 };

  type Answer = LiteAnswer<"lookupBlockWithProof">;
  const falseAnswers: readonly [what: string, selector: LookupQuestion["selector"], answer: Answer, message: string][] = [
    ["the next block", seqno, next, "the block must have number 5, got 6"],
    ["the block before", { seqno: 6 }, honest, "the block must have number 6, got 5"],
    ["a block after an lt", { lt: block.endLt }, next, "the block must be the first up to lt"],
    ["a block before an lt", { lt: block.endLt + 1n }, honest, "the block must be the first up to lt"],
    ["a block before a time", { time: block.time + 1 }, honest, "or later, got"],
    ["a block after a time", { time: block.time - 1 }, lookupAnswer(chain, at, chain.block(LEFT, 6)), "or earlier, got"],
    ["a hidden block before", { time: block.time }, { ...honest, prevHeader: new Uint8Array() }, "ends within its first"],
    ["another block before", { time: block.time }, { ...honest, prevHeader: next.prevHeader }, "a Merkle proof must prove"],
    ["another id", seqno, { ...honest, id: next.id }, "the last block of the chain must be"],
    [
      "another file hash",
      seqno,
      { ...honest, id: { ...block.id, fileHash: block.id.rootHash } },
      "the last block of the chain must be",
    ],
    ["the header of another block", seqno, { ...honest, header: next.header }, "a Merkle proof must prove the tree"],
    ["a masterchain block that is not one", seqno, { ...honest, mcBlockId: block.id }, "expected a block of the masterchain"],
    [
      "a masterchain block of another fork",
      seqno,
      { ...honest, mcBlockId: { ...master.id, rootHash: block.id.rootHash } },
      "the masterchain block of its number must be",
    ],
    ["a later masterchain block", seqno, { ...honest, mcBlockId: { ...master.id, seqno: 7 } }, "is a pruned branch"],
    ["no proof of the masterchain block", seqno, { ...honest, mcBlockProof: new Uint8Array() }, "ends within its first"],
    ["no header of the trusted block", seqno, { ...honest, clientMcStateProof: new Uint8Array() }, "ends within its first"],
    [
      "a header that hides its state",
      seqno,
      { ...honest, clientMcStateProof: writeBoc(headerProof(at, false)) },
      "must show the hash of its state",
    ],
    [
      "the state of another block",
      seqno,
      {
        ...honest,
        mcBlockProof: writeBoc(createMerkleProof(chain.block(MASTER, 5).state, (state) => void lookUpPastBlock(state, 3))),
      },
      "a Merkle proof must prove",
    ],
  ];

  test.each(falseAnswers)("%s", (_, selector, answer, message) => {
    expectUnproven(() => checkBlockLookup({ at: at.id, shard: LEFT, selector }, answer), message);
  });

  test("a later block of the second to be the first", () => {
    const { time } = block;
    const blocks = all.filter(({ id, time: of }) => id.shard === LEFT.shard && of === time);
    expect(blocks.length).toBe(4);
    expect(blocks.map((one) => look(LEFT, { time }, one).isFirst)).toEqual([true, false, false, false]);
  });

  test("a block after the trusted one", () => {
    const before = chain.block(MASTER, 2);
    const answer = lookupAnswer(chain, at, block);
    expect(() => checkBlockLookup({ at: before.id, shard: LEFT, selector: seqno }, answer)).toThrow(LiteError);
    const absent = { ...answer, clientMcStateProof: writeBoc(headerProof(before)) };
    const mcBlockProof = writeBoc(createMerkleProof(before.state, (state) => void lookUpPastBlock(state, 3)));
    expect(() => checkBlockLookup({ at: before.id, shard: LEFT, selector: seqno }, { ...absent, mcBlockProof })).toThrow(
      "is not an ancestor of",
    );
  });
});

describe("verifyShardBlockProof", () => {
  type Proof = LiteAnswer<"getShardBlockProof">;
  const proofOf = (found: SampleBlock): Proof => {
    const { mcBlockId, shardLinks } = lookupAnswer(chain, at, found);
    return { masterchainId: mcBlockId, links: shardLinks };
  };
  const { id } = chain.block(LEFT, 3);
  const honest = proofOf(chain.block(LEFT, 3));
  const [first, second] = honest.links;
  if (!first || !second) throw new Error("the way to the block must have two links");

  test("every block leads to the masterchain block that commits it", () => {
    for (const one of all) {
      const seqno = one.id.shard === LEFT.shard ? Math.ceil(one.id.seqno / 2) : one.id.seqno;
      expect(verifyShardBlockProof(one.id, proofOf(one))).toEqual(chain.block(MASTER, seqno).id);
    }
  });

  test.each<[what: string, proof: Partial<Proof>, message: string]>([
    ["a masterchain block that is not one", { masterchainId: id }, "expected a block of the masterchain"],
    ["another masterchain block", { masterchainId: chain.block(MASTER, 1).id }, "a Merkle proof must prove the tree"],
    ["no links", { links: [] }, "the last block of the chain must be"],
    ["a way that ends early", { links: [first] }, "the last block of the chain must be"],
    ["a missing link", { links: [second] }, "a Merkle proof must prove the tree"],
    ["a way to another block", { links: [first, { ...second, id: chain.block(LEFT, 2).id }] }, "does not lead to"],
    ["a way through another shard", { links: proofOf(chain.block(RIGHT, 2)).links }, "leaves the shard of"],
    [
      "a link to another file hash",
      { links: [{ ...first, id: { ...first.id, fileHash: first.id.rootHash } }] },
      "does not lead to",
    ],
    ["a way of many links", { links: Array.from({ length: 9 }, () => first) }, "at most 8 links, got 9"],
  ])("%s is refused", (_, part, message) => {
    expectUnproven(() => verifyShardBlockProof(id, { ...honest, ...part }), message);
  });
});
