import { createHook } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import { CellBuilder, createMerkleProof, writeBoc } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { readMasterchainParts } from "@chain-query/format/states";
import { writeCandidate } from "@chain-query/proof/signatures";
import { describe, expect, test } from "vitest";
import { verifyBlockProof } from "../../src/proof/block-links.ts";
import { queries, writeAnswer } from "../../src/wire/tl/queries.ts";
import type { LiteAnswer, LiteSignatureSet } from "../../src/wire/tl/scheme.ts";
import {
  backLink,
  catchainConfig,
  configOf,
  type Form,
  type ForwardLink,
  forwardLink,
  type Link,
  proofWith,
  type SignedBlock,
  setOf,
  signatures,
  signedChain,
  validator,
} from "./signed-chain.ts";

const FIRST = [1, 2, 3, 4, 5, 6, 7].map((number) => validator(number));
const SECOND = [5, 6, 7, 8, 9, 10].map((number) => validator(number));
const shuffled = catchainConfig(true);
const chain = signedChain(9, {
  0: configOf({ 28: shuffled, 34: setOf(FIRST) }),
  3: configOf({ 28: shuffled, 34: setOf(SECOND) }),
  6: configOf({ 28: shuffled, 34: setOf(FIRST) }),
});
const at = (seqno: number) => chain[seqno] as SignedBlock;
const forms: readonly Form[] = ["ordinary", "simplex"];
const invalid = (message: string) => expect.objectContaining({ kind: "proof", message: expect.stringContaining(message) });

describe.each(forms)("with %s signatures", (form) => {
  const link = (from: number, to: number) => forwardLink(at(from), at(to), form);

  test.each([
    ["the zero state to a block", 0, 2, 0],
    ["the zero state to the first key block", 0, 3, 3],
    ["a key block to the next one", 3, 6, 6],
    ["a key block to the newest block", 6, 9, 6],
  ])("a link leads from %s", async (_, from, to, key) => {
    const verified = await verifyBlockProof(at(from).id, proofWith(link(from, to)));
    expect(verified).toEqual({ block: at(to).id, keyBlock: at(key).id, signatures: 5 });
  });

  test("many links lead from any block over all rotations, and back again", async () => {
    const proof = proofWith(backLink(at(2), at(0)), link(0, 3), link(3, 6), link(6, 9), backLink(at(9), at(8)));
    const read = queries.getBlockProof({ mode: 0, knownBlock: at(2).id }).read(writeAnswer("getBlockProof", proof));
    expect(await verifyBlockProof(at(2).id, read)).toEqual({ block: at(8).id, keyBlock: at(6).id, signatures: 5 + 5 + 5 });
  });

  test("more than two thirds of the weight suffice, and exactly two thirds do not", async () => {
    const weights = [3n, 3n, 3n].map((weight, index) => validator(index + 1, weight));
    const [zero, first] = signedChain(1, { 0: configOf({ 34: setOf([...weights, validator(4, 2n ** 60n)]) }) });
    const whole = forwardLink(zero as SignedBlock, first as SignedBlock, form);
    const onlyBig = { ...whole, signatures: signatures(first as SignedBlock, form, [validator(4)]) };
    expect((await verifyBlockProof(whole.from, proofWith(onlyBig))).signatures).toBe(1);
    const small = signedChain(1, { 0: configOf({ 34: setOf(weights) }) });
    const equal = forwardLink(small[0] as SignedBlock, small[1] as SignedBlock, form);
    const two = { ...equal, signatures: signatures(small[1] as SignedBlock, form, weights.slice(0, 2)) };
    await expect(verifyBlockProof(equal.from, proofWith(two))).rejects.toThrow(
      invalid("more than two thirds of the weight, got 6 of 9"),
    );
  });

  test.each<[string, (set: LiteSignatureSet) => LiteSignatureSet, string]>([
    ["a forged signature", (set) => withSignature(set, { signature: flipped(set.signatures[0]?.signature) }), "is invalid"],
    ["a short signature", (set) => withSignature(set, { signature: new Uint8Array(63) }), "is invalid"],
    ["a signer twice", (set) => withSignature(set, set.signatures[1]), "two signatures are by the same validator"],
    ["an unknown signer", (set) => withSignature(set, { nodeIdShort: new Uint8Array(32) }), "is not a validator of the group"],
    [
      "too few signers",
      (set) => ({ ...set, signatures: set.signatures.slice(0, 4) }),
      "more than two thirds of the weight, got 4",
    ],
    ["no signers", (set) => ({ ...set, signatures: [] }), "more than two thirds of the weight, got 0 of 6"],
    ["another hash of validators", (set) => ({ ...set, validatorSetHash: 5 }), "got signatures of another group"],
    ["another catchain", (set) => ({ ...set, ...{ ccSeqno: 5, catchainSeqno: 5 } }), "got signatures of another group"],
    [
      "the signatures of another block",
      () => ({ ...signatures(at(5), form), ...groupOf(6, form) }),
      "(is invalid|got a candidate for)",
    ],
  ])("%s is refused", async (_, change, message) => {
    const good = link(3, 6);
    const changed = { ...good, signatures: change(good.signatures) };
    const expected = expect.objectContaining({ kind: "proof", message: expect.stringMatching(message) });
    await expect(verifyBlockProof(good.from, proofWith(changed))).rejects.toThrow(expected);
  });

  test("signatures are verified until they have more than two thirds of the weight", async () => {
    const good = link(3, 6);
    const forge = (at: number) => {
      const forged = good.signatures.signatures.map((one, index) =>
        index === at ? { ...one, signature: flipped(one.signature) } : one,
      );
      return proofWith({ ...good, signatures: { ...good.signatures, signatures: forged } });
    };
    for (const needed of [0, 1, 2, 3, 4])
      await expect(verifyBlockProof(good.from, forge(needed))).rejects.toThrow(invalid("is invalid"));
    expect((await verifyBlockProof(good.from, forge(5))).signatures).toBe(5);
  });

  test("an old set of validators cannot sign for a new one", async () => {
    const good = link(6, 9);
    // The validators before the rotation signed the block, and their key block is the source.
    const { catchainSeqno } = at(9).group;
    const old = { ...at(9), group: { ...at(6).group, catchainSeqno } };
    const stolen = { ...good, signatures: { ...signatures(old, form), validatorSetHash: at(9).group.listHash | 0 } };
    await expect(verifyBlockProof(good.from, proofWith(stolen))).rejects.toThrow(invalid("is not a validator of the group"));
    const source = link(3, 6);
    const hidden = { ...good, from: source.from, configProof: source.configProof };
    await expect(verifyBlockProof(source.from, proofWith(hidden))).rejects.toThrow(
      invalid("is number 6, got a link from (-1,8"),
    );
  });

  test("a rotation cannot be hidden, even to the same validators", async () => {
    const same = signedChain(4, {
      0: configOf({ 28: shuffled, 34: setOf(FIRST) }),
      2: configOf({ 28: shuffled, 34: setOf(FIRST), 40: new CellBuilder().cell() }),
    });
    const hidden = forwardLink(same[0] as SignedBlock, same[4] as SignedBlock, form);
    await expect(verifyBlockProof(hidden.from, proofWith(hidden))).rejects.toThrow(invalid("is number 2, got a link from"));
  });

  test("the validators are the main ones of parameter 35, or else of 34", async () => {
    const both = signedChain(1, { 0: configOf({ 28: shuffled, 34: setOf(FIRST), 35: setOf(SECOND, 4) }) });
    const good = forwardLink(both[0] as SignedBlock, both[1] as SignedBlock, form);
    expect((await verifyBlockProof(good.from, proofWith(good))).signatures).toBe(3);
    const others = { ...good, signatures: signatures(both[1] as SignedBlock, form, FIRST) };
    await expect(verifyBlockProof(good.from, proofWith(others))).rejects.toThrow(invalid("is not a validator of the group"));
  });

  test("a header with another hash of validators is refused", async () => {
    const wrong = signedChain(1, { 0: configOf({ 28: shuffled, 34: setOf(FIRST) }) }, 5);
    const other = forwardLink(wrong[0] as SignedBlock, wrong[1] as SignedBlock, form);
    const message = "must be signed by the validators 00000005 of catchain 101, but (-1,8000000000000000,0)";
    await expect(verifyBlockProof(other.from, proofWith(other))).rejects.toThrow(invalid(message));
  });

  test("another bit is refused", async () => {
    const bytes = writeAnswer("getBlockProof", proofWith(backLink(at(2), at(0)), link(0, 3)));
    for (let bit = 0; bit < bytes.length * 8; bit += 97) {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      let block: BlockId | undefined;
      try {
        block = (await verifyBlockProof(at(2).id, queries.getBlockProof({ mode: 0, knownBlock: at(2).id }).read(changed)))
          .block;
      } catch (error) {
        expect(error).toMatchObject({ name: "LiteError" });
      }
      // A bit of an index in a bag of cells, or of a padding, changes nothing.
      if (block) expect(block).toEqual(at(3).id);
    }
  });
});

/** Counts the signatures that threads verify at the same time, and all. */
function countVerifications() {
  const running = new Set<number>();
  const counts = { signatures: 0, atOnce: 0 };
  const hook = createHook({
    init: (id, type) => {
      if (type !== "SIGNREQUEST") return;
      running.add(id);
      counts.signatures += 1;
      counts.atOnce = Math.max(counts.atOnce, running.size);
    },
    before: (id) => void running.delete(id),
  }).enable();
  return { counts, stop: () => hook.disable() };
}

test("signatures are verified in threads, a few at a time, and other work comes between two links", async () => {
  const links = Array.from({ length: 8 }, () => [forwardLink(at(3), at(5)), backLink(at(5), at(3))]).flat();
  const [first, ...others] = links as [Link, ...Link[]];
  const { counts, stop } = countVerifications();
  let turns = 0;
  let turn: NodeJS.Immediate;
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  turn = setImmediate(count);
  const { signatures } = await verifyBlockProof(at(3).id, proofWith(first, ...others));
  stop();
  clearImmediate(turn);
  expect(counts).toEqual({ signatures, atOnce: 3 });
  expect(turns).toBeGreaterThanOrEqual(links.length);
});

test("no more signatures are verified after an invalid one", async () => {
  const many = Array.from({ length: 60 }, (_, index) => validator(100 + index));
  const [zero, first] = signedChain(1, { 0: configOf({ 34: setOf(many) }) }) as [SignedBlock, SignedBlock];
  const good = forwardLink(zero, first);
  const forged = withSignature(good.signatures, { signature: new Uint8Array(64) });
  const { counts, stop } = countVerifications();
  await expect(verifyBlockProof(zero.id, proofWith({ ...good, signatures: forged }))).rejects.toThrow(invalid("is invalid"));
  // Threads may have begun with some of them.
  await setTimeout(50);
  stop();
  expect(counts.signatures).toBeLessThan(20);
});

test("an answer has at most 16 links", async () => {
  const links = Array.from({ length: 9 }, () => [forwardLink(at(3), at(5)), backLink(at(5), at(3))]).flat();
  const [first, ...others] = links as [Link, ...Link[]];
  expect((await verifyBlockProof(at(3).id, proofWith(first, ...others.slice(2)))).block).toEqual(at(3).id);
  await expect(verifyBlockProof(at(3).id, proofWith(first, ...others))).rejects.toThrow(
    invalid("a proof must have at most 16 links, got 18"),
  );
});

test("a signal ends the verification", async () => {
  const proof = proofWith(forwardLink(at(0), at(3)), forwardLink(at(3), at(6)));
  const { counts, stop } = countVerifications();
  const ending = new AbortController();
  const verifying = verifyBlockProof(at(0).id, proof, ending.signal);
  const reason = new Error("the client is closed");
  ending.abort(reason);
  await expect(verifying).rejects.toBe(reason);
  stop();
  expect(counts.signatures).toBeLessThanOrEqual(3);
});

test("a vote of another session, or on another candidate, is refused", async () => {
  const good = forwardLink(at(3), at(6));
  const refuse = async (change: object, message: string) => {
    const changed = { ...good, signatures: { ...good.signatures, ...change } } as ForwardLink;
    await expect(verifyBlockProof(good.from, proofWith(changed))).rejects.toThrow(invalid(message));
  };
  await refuse({ sessionId: new Uint8Array(32) }, "is invalid");
  await refuse({ slot: 615 }, "is invalid");
  await refuse({ candidate: flipped(writeCandidate(at(6).id), 90) }, "is invalid");
  await refuse({ candidate: writeCandidate(at(5).id) }, "got a candidate for (-1,8000000000000000,5)");
  await refuse({ candidate: writeCandidate({ ...at(6).id, fileHash: new Uint8Array(32) }) }, "got a candidate for");
});

test("signatures, candidates and validators of an unknown form are unsupported, not wrong", async () => {
  const unsupported = expect.objectContaining({ name: "LiteError", kind: "unsupported", isRetryable: false });
  const good = forwardLink(at(3), at(6));
  const bytes = Buffer.from(writeAnswer("getBlockProof", proofWith(good)));
  bytes.writeUInt32LE(0x0badc0de, bytes.lastIndexOf(Buffer.from("009824ac", "hex")));
  expect(() => queries.getBlockProof({ mode: 0, knownBlock: good.from }).read(bytes)).toThrow(unsupported);

  const candidate = Buffer.from(writeCandidate(at(6).id));
  candidate.writeUInt32LE(0x0badc0de);
  const changed = { ...good, signatures: { ...good.signatures, candidate } } as ForwardLink;
  await expect(verifyBlockProof(good.from, proofWith(changed))).rejects.toThrow(unsupported);

  const config = configOf({ 34: new CellBuilder().uint(0x13, 8).cell() });
  const [zero] = signedChain(0, { 0: config }) as [SignedBlock];
  const configProof = writeBoc(createMerkleProof(zero.state, (state, keep) => keep(readMasterchainParts(state).config)));
  const link = { ...forwardLink(at(0), at(3)), from: zero.id, configProof };
  await expect(verifyBlockProof(zero.id, proofWith(link))).rejects.toThrow(unsupported);
});

test("a back link leads to a block of the history alone", async () => {
  const good = backLink(at(9), at(4));
  expect(await verifyBlockProof(at(9).id, proofWith(good))).toEqual({ block: at(4).id, signatures: 0 });
  expect(await verifyBlockProof(at(9).id, proofWith(backLink(at(9), at(0))))).toEqual({
    block: at(0).id,
    keyBlock: at(0).id,
    signatures: 0,
  });
  const foreign = signedChain(4, { 0: configOf({ 34: setOf(SECOND) }) })[4] as SignedBlock;
  const refuse = async (change: object, message: string) =>
    await expect(verifyBlockProof(at(9).id, proofWith({ ...good, ...change } as typeof good))).rejects.toThrow(
      invalid(message),
    );
  await refuse({ to: foreign.id, destProof: forwardLink(at(0), foreign).destProof }, "is not an ancestor of");
  await refuse({ to: { ...at(4).id, fileHash: new Uint8Array(32) } }, "is not an ancestor of");
  await refuse({ to: at(5).id, destProof: forwardLink(at(3), at(5)).destProof }, "is a pruned branch");
  await refuse(
    { stateProof: (backLink(at(8), at(4)) as typeof good & { stateProof: Uint8Array }).stateProof },
    "must prove the tree",
  );
});

test("links must be connected, go the way that they say, and begin at a key block", async () => {
  const steps = [forwardLink(at(0), at(3)), forwardLink(at(3), at(6))] as const;
  const proof = proofWith(...steps);
  const refuse = async (trusted: BlockId, answer: LiteAnswer<"getBlockProof">, message: string) =>
    await expect(verifyBlockProof(trusted, answer)).rejects.toThrow(invalid(message));
  expect((await verifyBlockProof(at(0).id, proof)).block).toEqual(at(6).id);
  await refuse(at(3).id, proof, "the first block of a proof must be");
  await refuse(at(0).id, { ...proof, steps: [steps[1]] }, "the block from which a link leads must be");
  await refuse(at(0).id, { ...proof, steps: [] }, "the last block of a proof must be");
  await refuse(at(0).id, { ...proof, to: at(5).id }, "the last block of a proof must be");
  await refuse(at(0).id, proofWith({ ...steps[0], toKeyBlock: false }), "must say whether it is a key block, got false");
  await refuse(at(3).id, proofWith({ ...steps[1], to: at(2).id }), "must lead to a later block");
  await refuse(
    at(3).id,
    proofWith({ ...steps[1], to: { ...at(6).id, workchain: 0 } }),
    "must lead to a later block of the masterchain",
  );
  await refuse(at(4).id, proofWith({ ...backLink(at(4), at(3)), to: at(6).id }), "must lead to an earlier block");
  await refuse(at(5).id, proofWith(forwardLink(at(5), at(6))), "is number 3, got a link from");
  const forged = signedChain(6, { 0: configOf({ 34: setOf(FIRST) }), 5: configOf({ 34: setOf(SECOND) }) });
  await refuse(at(5).id, proofWith(forwardLink(at(5), forged[6] as SignedBlock)), "a forward link must begin at a key block");
  await expect(verifyBlockProof({ ...at(0).id, workchain: 0 }, proof)).rejects.toThrow(RangeError);
  expect((await verifyBlockProof(at(4).id, { complete: true, from: at(4).id, to: at(4).id, steps: [] })).block).toEqual(
    at(4).id,
  );
});

test("after a back link, a forward link begins at the newest key block on the way, not at the one right before it", async () => {
  const near = signedChain(4, {
    0: configOf({ 28: shuffled, 34: setOf(FIRST) }),
    2: configOf({ 28: shuffled, 34: setOf(SECOND) }),
    3: configOf({ 28: shuffled, 34: setOf(FIRST) }),
  });
  const [, , second, third, last] = near as [SignedBlock, SignedBlock, SignedBlock, SignedBlock, SignedBlock];
  const verified = await verifyBlockProof(last.id, proofWith(backLink(last, third), forwardLink(third, last)));
  expect(verified.block).toEqual(last.id);
  // Former validators could sign another chain there.
  for (const [from, ...back] of [
    [last, second],
    [third, second],
    [last, third, second],
  ] as const) {
    const links = back.map((to, index) => backLink(back[index - 1] ?? from, to));
    const proof = proofWith(...(links as [Link]), forwardLink(second, third));
    await expect(verifyBlockProof(from.id, proof)).rejects.toThrow(
      invalid("a forward link must begin at key block 3 or later, got (-1,8000000000000000,2)"),
    );
  }
});

function groupOf(seqno: number, form: Form): object {
  const { listHash, catchainSeqno } = at(seqno).group;
  return { validatorSetHash: listHash | 0, [form === "ordinary" ? "catchainSeqno" : "ccSeqno"]: catchainSeqno };
}

/** The set with another first signature. */
function withSignature(set: LiteSignatureSet, change: object | undefined): LiteSignatureSet {
  return { ...set, signatures: set.signatures.map((one, index) => (index === 0 ? { ...one, ...change } : one)) };
}

function flipped(bytes: Uint8Array = new Uint8Array(64), at = 40): Uint8Array {
  return bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
}
