/** Proofs of blocks by the lite server, as our client verifies them, over rotations of validators and in both forms of signatures. */
import { type BlockId, MASTERCHAIN } from "@chain-query/format/identifiers";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { followBlockProof } from "../../src/head/follow-block-proof.ts";
import { liteClient } from "../../src/lite-client.ts";
import { verifyBlockProof } from "../../src/proof/block-links.ts";
import { queries } from "../../src/wire/tl/queries.ts";
import { existing, SIGNED, SIGNED_STEPS, serveChain } from "../served-chain.ts";

const { signal } = new AbortController();
const served = await serveChain(SIGNED_STEPS, SIGNED);
const at = (seqno: number): BlockId =>
  seqno === 0 ? served.chain.genesis().block : existing(served.chain.block(MASTERCHAIN, { seqno })).id;

test("later and earlier blocks are proved over all rotations", async () => {
  for (const from of [0, 1, 4, 11, SIGNED_STEPS]) {
    for (let to = 0; to <= SIGNED_STEPS; to += 3) {
      const connection = { query: (bytes: Uint8Array) => served.send(bytes) };
      const { block } = await followBlockProof(connection, at(from), { target: at(to), signal });
      expect(block).toEqual(at(to));
    }
  }
});

test("an answer has 16 links at most, key block after key block, in the form of its time", async () => {
  const proof = await served.ask(queries.getBlockProof({ mode: 0, knownBlock: at(0) }));
  expect((await verifyBlockProof(at(0), proof)).block).toEqual(at(16 * SIGNED.keyBlocks));
  expect(proof.complete).toBe(false);
  expect(proof.steps.map(({ to }) => to.seqno)).toEqual(
    Array.from({ length: 16 }, (_, index) => (index + 1) * SIGNED.keyBlocks),
  );
  const forms = proof.steps.map((step) => (step.type === "blockLinkForward" ? step.signatures.type : step.type));
  const expected = proof.steps.map(({ to }) => `signatureSet.${to.seqno < SIGNED.consensus ? "ordinary" : "simplex"}`);
  expect(forms).toEqual(expected);
  expect(new Set(forms).size).toBe(2);
  const rest = await served.ask(queries.getBlockProof({ mode: 2, knownBlock: proof.to }));
  expect([rest.complete, rest.to]).toEqual([true, at(SIGNED_STEPS)]);
});

test("with a base, the newer block of the query is the newest one", async () => {
  // Without a base, the links lead to the next key block, and back.
  for (const [mode, seqnos] of [
    [1, [4, 3]],
    [0x1001, [3]],
  ] as const) {
    const proof = await served.ask(queries.getBlockProof({ mode, knownBlock: at(2), targetBlock: at(3) }));
    expect(proof.steps.map(({ to }) => to.seqno)).toEqual(seqnos);
    expect((await verifyBlockProof(at(2), proof)).block).toEqual(at(3));
  }
});

test("unknown blocks, and blocks of shards, are refused", async () => {
  const refused = (code: number) => expect.objectContaining({ kind: "refused", code });
  const unknown = { ...at(3), rootHash: new Uint8Array(32) };
  await expect(served.ask(queries.getBlockProof({ mode: 0, knownBlock: unknown }))).rejects.toThrow(refused(651));
  const shard = existing(served.headers.find(({ id }) => id.workchain === 0)).id;
  await expect(served.ask(queries.getBlockProof({ mode: 0, knownBlock: shard }))).rejects.toThrow(refused(-400));
});

test("a chain without validators is refused in one line that says how to make another one", async () => {
  const unsigned = await serveChain(1, { ...SIGNED, validators: 0, consensus: "simplex" });
  await using client = liteClient(unsigned.configOf([unsigned.server]));
  const remedy = "this chain has no validators; make one with signatures: chain-query-local-chain init --validators 4";
  await until(
    () => client.problem,
    (problem) => expect(problem).toMatch(new RegExp(`^no block is verified yet: .*: ${remedy}$`)),
  );
});
