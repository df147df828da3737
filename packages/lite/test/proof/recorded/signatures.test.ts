import { readBlockConfig } from "@chain-query/format/blocks";
import { type Cell, hex, openMerkleProof, readBoc } from "@chain-query/format/cells";
import { isSameBlock } from "@chain-query/format/identifiers";
import { selectMasterchainValidators } from "@chain-query/format/validator-groups";
import type { Validator, ValidatorGroup } from "@chain-query/format/validators";
import { NO_DATA } from "@chain-query/testing/recorded";
import { describe, expect, test } from "vitest";
import { verifyBlockProof } from "../../../src/proof/block-links.ts";
import { checkSignatures } from "../../../src/proof/signatures.ts";
import { adnlKeyId } from "../../../src/wire/adnl/handshake.ts";
import type { LiteAnswer, LiteSignatureSet } from "../../../src/wire/tl/scheme.ts";
import { catchainConfig, configOf, type ForwardLink, setOf, validator } from "../signed-chain.ts";
import { recordedLink, testnetBlocks } from "./signatures.ts";

const refused = (message: string | RegExp) =>
  expect.objectContaining({ kind: "proof", message: expect.stringMatching(message) });

describe("mainnet's first key block with Simplex signatures", () => {
  const link = recordedLink();
  const [proof, step] = partsOf(link?.read(link.bytes));

  test("verifies by 66 of 66 signatures", async ({ skip }) => {
    if (!proof || !step) return skip(NO_DATA);
    expect(await verifyBlockProof(proof.from, proof)).toEqual({ block: proof.to, keyBlock: proof.to, signatures: 66 });
    expect(proof.to.seqno).toBe(59379986);
  });

  test("exactly two thirds of the weight do not suffice", async ({ skip }) => {
    if (!proof || !step) return skip(NO_DATA);
    const config = readBlockConfig(openMerkleProof(readBoc(step.configProof), step.from.rootHash)) as Cell;
    const group = selectMasterchainValidators(config, 806_105);
    await checkSignatures(step.to, group, step.signatures);
    const equal = withTwoThirds(group, step.signatures);
    await expect(checkSignatures(step.to, equal, step.signatures)).rejects.toThrow(
      refused("more than two thirds of the weight"),
    );
  });

  test("another bit is refused, or changes nothing", async ({ skip }) => {
    if (!link || !proof) return skip(NO_DATA);
    let same = 0;
    // The distance is prime: the bits are of all parts, and of all positions in a byte.
    for (let bit = 0; bit < link.bytes.length * 8; bit += 2_003) {
      try {
        const { block } = await verifyBlockProof(proof.from, link.read(flippedAt(link.bytes, bit >> 3, 1 << (bit & 7))));
        expect(isSameBlock(block, proof.to)).toBe(true);
        same += 1;
      } catch (error) {
        expect(error).toMatchObject({ name: "LiteError" });
      }
    }
    // Paddings, and the levels of cells beside their content.
    expect(same).toBeLessThan(10);
  });
});

describe.each([
  ["testnet's key block", 0, 12, 10],
  ["a block after it", 1, 14, 10],
])("%s with ordinary signatures", (_, index, count, needed) => {
  const recordedBlock = testnetBlocks()?.[index];

  /** Parameter 28 is not recorded: the header tells whether validators are shuffled. */
  function groupOf(block: NonNullable<typeof recordedBlock>, validators: readonly Validator[] = block.validators.validators) {
    const { catchainSeqno = 1, validatorListHash } = block.header ?? {};
    const groups = [false, true].map((isShuffled) =>
      selectMasterchainValidators(configOf({ 28: catchainConfig(isShuffled), 34: setOf(validators) }), catchainSeqno),
    );
    return groups.find(({ listHash }) => listHash === validatorListHash) ?? groups[0];
  }

  test(`verifies by ${count} of ${count} signatures`, async ({ skip }) => {
    if (!recordedBlock) return skip(NO_DATA);
    const group = groupOf(recordedBlock);
    if (!group) throw new Error("there is no group");
    if (recordedBlock.header) expect(group.listHash).toBe(recordedBlock.header.validatorListHash);
    const { id, signatures } = recordedBlock;
    expect(signatures).toHaveLength(count);
    const head = {
      type: "signatureSet.ordinary",
      validatorSetHash: group.listHash | 0,
      catchainSeqno: group.catchainSeqno,
    } as const;
    const verified: number[] = [];
    for (const signature of signatures) {
      const alone = withWeightOf(group, signature.nodeIdShort);
      verified.push(await checkSignatures(id, alone, { ...head, signatures: [signature] }));
      const zeroed = { ...signature, signature: new Uint8Array(64) };
      await expect(checkSignatures(id, alone, { ...head, signatures: [zeroed] })).rejects.toThrow(refused("is invalid"));
    }
    expect(verified).toEqual(Array(count).fill(1));
    // Those with more than two thirds of the weight.
    expect(await checkSignatures(id, group, { ...head, signatures })).toBe(needed);
    const equal = withTwoThirds(group, { ...head, signatures });
    await expect(checkSignatures(id, equal, { ...head, signatures })).rejects.toThrow(
      refused("more than two thirds of the weight"),
    );
    // Before this group or after it: both blocks have another set.
    const otherSet = testnetBlocks()?.[1 - index]?.validators.validators ?? [];
    const otherGroup = { ...group, validators: otherSet };
    await expect(checkSignatures(id, otherGroup, { ...head, signatures })).rejects.toThrow(
      refused("is not a validator of the group"),
    );
    const other = { ...id, fileHash: id.rootHash };
    await expect(checkSignatures(other, group, { ...head, signatures })).rejects.toThrow(refused("is invalid"));
  });
});

type Proof = LiteAnswer<"getBlockProof">;

function partsOf(proof: Proof | undefined): readonly [Proof, ForwardLink] | readonly [] {
  const [step] = proof?.steps ?? [];
  return proof && step?.type === "blockLinkForward" ? [proof, step] : [];
}

/** The same validators, of which those that signed have exactly two thirds of the weight. */
function withTwoThirds({ validators, ...group }: ValidatorGroup, { signatures }: LiteSignatureSet): ValidatorGroup {
  const signed = new Set(signatures.map(({ nodeIdShort }) => hex(nodeIdShort)));
  const isSigner = ({ publicKey }: Validator) => signed.has(hex(adnlKeyId(publicKey)));
  const others = [...validators.filter((one) => !isSigner(one)), validator(1)];
  const signers = validators.filter(isSigner);
  return {
    ...group,
    validators: [
      ...signers.map((one) => ({ ...one, weight: 2n * BigInt(others.length) })),
      ...others.map((one) => ({ ...one, weight: BigInt(signers.length) })),
    ],
  };
}

/** The same validators, of which one has more than two thirds of the weight, so that its signature is verified and suffices. */
function withWeightOf({ validators, ...group }: ValidatorGroup, nodeId: Uint8Array): ValidatorGroup {
  const isSigner = ({ publicKey }: Validator) => hex(adnlKeyId(publicKey)) === hex(nodeId);
  const total = 3n * BigInt(validators.length);
  return { ...group, validators: validators.map((one) => ({ ...one, weight: isSigner(one) ? total : 1n })) };
}

function flippedAt(bytes: Uint8Array, at: number, mask: number): Uint8Array {
  return Buffer.from(bytes).map((byte, index) => (index === at ? byte ^ mask : byte));
}
