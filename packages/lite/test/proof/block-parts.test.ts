/** Headers, blocks, shards and queues. */
import { readSuspendedList } from "@chain-query/format/accounts";
import { type Cell, CellBuilder, CellReader, createMerkleProof, writeBoc, writeBocRoots } from "@chain-query/format/cells";
import { readMasterchainParts, readQueueSize, readStateShards } from "@chain-query/format/states";
import { describe, expect, test } from "vitest";
import {
  checkAllShards,
  checkBlockData,
  checkBlockHeader,
  checkQueueSize,
  checkSuspendedList,
  checkZeroState,
} from "../../src/proof/block.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import { configAnswer, headerProof, queueAnswer, shardsAnswer, stateProofs } from "./honest-answers.ts";
import { LEFT, MASTER, RIGHT, SUSPENDED, sampleChain } from "./sample-chain.ts";

const chain = sampleChain(3);
const at = chain.block(MASTER, 3);
const before = chain.block(MASTER, 2);
const block = chain.block(LEFT, 4);
const { id } = block;

describe("checkBlockHeader", () => {
  const header = { id, mode: 1, headerProof: writeBoc(headerProof(block)) };

  test("returns the fields of the header", () => {
    const { state, endLt, time } = block;
    expect(checkBlockHeader(id, header)).toMatchObject({ id, endLt, time, stateRootHash: state.hash });
    expect(checkBlockHeader(id, { ...header, headerProof: writeBoc(headerProof(block, false)) }).stateRootHash).toBeUndefined();
  });

  test("rejects another block", () => {
    const other = chain.block(LEFT, 3);
    expect(() => checkBlockHeader(id, { ...header, id: other.id })).toThrow("the block of a header must be");
    expect(() => checkBlockHeader(id, { ...header, headerProof: writeBoc(headerProof(other)) })).toThrow("must prove the tree");
    const whole = writeBoc(block.root ?? block.state);
    expect(() => checkBlockHeader(id, { ...header, headerProof: whole })).toThrow("must be a Merkle proof, got type ordinary");
  });

  test.each([{ seqno: 5 }, { shard: RIGHT.shard }, { workchain: -1 }, { workchain: 1 }])(
    "rejects an id with another %o",
    (part) => {
      const wrong = { ...id, ...part };
      expect(() => checkBlockHeader(wrong, { ...header, id: wrong })).toThrow(/the header of .* is one of/);
    },
  );
});

describe("checkBlockData", () => {
  test("accepts the block of both hashes alone", () => {
    const data = block.boc;
    expect(checkBlockData(id, { id, data })).toBe(data);
    expect(() => checkBlockData(id, { id, data: chain.block(LEFT, 3).boc })).toThrow("the file hash of");
    const wrong = { ...id, rootHash: id.fileHash };
    expect(() => checkBlockData(wrong, { id: wrong, data })).toThrow("the root hash of");
    expect(() => checkBlockData(id, { id: wrong, data })).toThrow("the block of data must be");
  });
});

describe("checkZeroState", () => {
  const zero = chain.block(LEFT, 0);
  const { rootHash, fileHash } = zero.id;
  const answer = { id: zero.id, rootHash, fileHash, data: zero.boc };

  test("accepts the state of both hashes alone", () => {
    expect(checkZeroState(zero.id, answer).hash).toEqual(rootHash);
    expect(() => checkZeroState(zero.id, { ...answer, data: chain.block(RIGHT, 0).boc })).toThrow("the file hash of");
    const wrong = { ...zero.id, rootHash: fileHash };
    expect(() => checkZeroState(wrong, { ...answer, id: wrong })).toThrow("the root hash of");
    expect(() => checkZeroState(zero.id, { ...answer, id: wrong })).toThrow("the block of a state must be");
  });
});

describe("checkAllShards", () => {
  test.each([1, 2] as const)("lists the newest block of each shard, from a proof of %i roots", (roots) => {
    const found = checkAllShards(at.id, shardsAnswer(chain, at, roots));
    expect(found.map(({ block: newest }) => newest.rootHash)).toEqual(
      [chain.block(LEFT, 6), chain.block(RIGHT, 3)].map((newest) => newest.id.rootHash),
    );
  });

  test("lists those of a zero state", () => {
    const zero = chain.block(MASTER, 0);
    const data = writeBoc(new CellBuilder().maybeRef(readStateShards(zero.state)).cell());
    const proof = stateProofs(zero, readStateShards);
    expect(checkAllShards(zero.id, { id: zero.id, proof, data }).map(({ block: { seqno } }) => seqno)).toEqual([0, 0]);
  });

  test("rejects the shards of another block", () => {
    for (const roots of [1, 2] as const) {
      const answer = shardsAnswer(chain, at, roots);
      const other = shardsAnswer(chain, before, roots);
      expect(() => checkAllShards(at.id, { ...answer, data: other.data })).toThrow("are not those of its proof");
      expect(() => checkAllShards(at.id, { ...answer, proof: other.proof })).toThrow("must prove the tree");
      expect(() => checkAllShards(at.id, { ...answer, id: other.id })).toThrow("the block of shards must be");
      const none = writeBoc(new CellBuilder().bit(false).cell());
      expect(() => checkAllShards(at.id, { ...answer, data: none })).toThrow("are not those of its proof");
      const shards = readStateShards(at.state);
      const hidden = shards && createMerkleProof(shards, () => undefined).refs[0];
      const data = writeBoc(new CellBuilder().maybeRef(hidden).cell());
      expect(() => checkAllShards(at.id, { ...answer, data })).toThrow("are not those of its proof");
    }
  });
});

describe("checkSuspendedList", () => {
  const answer = configAnswer(chain, at);

  test("returns the list as of a block, and of a zero state", () => {
    for (const one of [at, chain.block(MASTER, 0)])
      expect(checkSuspendedList(one.id, configAnswer(chain, one))?.hash).toEqual(SUSPENDED.hash);
  });

  test("rejects another block or state, and a proof that hides the list or some accounts of it", () => {
    expect(() => checkSuspendedList(at.id, { ...answer, id: before.id })).toThrow("the block of a configuration must be");
    expect(() => checkSuspendedList(at.id, { ...answer, stateProof: configAnswer(chain, before).stateProof })).toThrow(
      "must prove the tree",
    );
    expect(() => checkSuspendedList(at.id, { ...answer, stateProof: new Uint8Array() })).toThrow(LiteError);
    const shows = (read: (state: Cell) => unknown) => writeBoc(createMerkleProof(at.state, (state) => void read(state)));
    const configOf = (state: Cell) => readMasterchainParts(state).config;
    expect(() => checkSuspendedList(at.id, { ...answer, configProof: shows(configOf) })).toThrow("is a pruned branch");
    const list = shows((state) => new CellReader(readSuspendedList(configOf(state)) as Cell));
    expect(() => checkSuspendedList(at.id, { ...answer, configProof: list })).toThrow("must show all suspended accounts");
  });
});

describe("checkQueueSize", () => {
  test("returns the size of a block's queue", () => {
    for (const one of [block, at, chain.block(RIGHT, 0)]) expect(checkQueueSize(one.id, queueAnswer(chain, one))).toBe(0);
  });

  test("rejects another size, and the size of another block", () => {
    const answer = queueAnswer(chain, block);
    expect(() => checkQueueSize(id, { ...answer, size: 1n })).toThrow("must have 0 messages, got 1");
    expect(() => checkQueueSize(id, { ...answer, id: at.id })).toThrow("the block of a queue must be");
    expect(() => checkQueueSize(id, { ...answer, proof: queueAnswer(chain, at).proof })).toThrow("must prove the tree");
    expect(() => checkQueueSize(id, { ...answer, proof: undefined })).toThrow("has no proof");
    const hidden = writeBocRoots([headerProof(block), createMerkleProof(block.state, () => undefined)]);
    expect(() => checkQueueSize(id, { ...answer, proof: hidden })).toThrow("is a pruned branch");
  });

  test.each([
    ["shard", chain.block(RIGHT, 0).id, chain.block(LEFT, 0)],
    ["workchain", chain.block(MASTER, 0).id, chain.block(LEFT, 0)],
    ["number", chain.block(LEFT, 0).id, block],
  ])("rejects a state of another %s in the place of a zero state", (_, zero, { state }) => {
    const wrong = { ...zero, rootHash: state.hash };
    const proof = writeBoc(createMerkleProof(state, (cell) => void readQueueSize(cell)));
    expect(() => checkQueueSize(wrong, { ...queueAnswer(chain, block), id: wrong, proof })).toThrow("is one of");
  });
});
