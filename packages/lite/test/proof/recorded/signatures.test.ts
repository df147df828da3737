/** Signatures of real validators. */
import { readBlockConfig, readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, hex, openMerkleProof, readBoc } from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import { type BlockId, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import { selectMasterchainValidators } from "@chain-query/format/validator-groups";
import { readValidatorSet, type Validator, type ValidatorGroup, type ValidatorSet } from "@chain-query/format/validators";
import { NO_DATA, recorded } from "@chain-query/testing/recorded";
import { describe, expect, test } from "vitest";
import { verifyBlockProof } from "../../../src/proof/block-links.ts";
import { checkSignatures } from "../../../src/proof/signatures.ts";
import { adnlKeyId } from "../../../src/wire/adnl/handshake.ts";
import { queries } from "../../../src/wire/tl/queries.ts";
import type { LiteAnswer, LiteSignatureSet } from "../../../src/wire/tl/scheme.ts";
import { catchainConfig, configOf, setOf, validator } from "../signed-chain.ts";

const fromHex = (text: string) => Buffer.from(text.replaceAll(/#.*|\s/g, ""), "hex");

/** The answer of a mainnet server: a link to the first key block that was signed in the Simplex form. */
function recordedLink(): LiteAnswer<"getBlockProof"> | undefined {
  const text = recorded("ton-net/one-link-simplex.hex");
  const [rootHash, fileHash] = [new Uint8Array(32), new Uint8Array(32)];
  const knownBlock: BlockId = { workchain: -1, shard: WHOLE_WORKCHAIN, seqno: 0, rootHash, fileHash };
  return text === undefined ? undefined : queries.getBlockProof({ mode: 0, knownBlock }).read(fromHex(text));
}

interface Tree {
  readonly boc: string | readonly string[];
  readonly id?: { readonly seqNo: number; readonly rootHash: string; readonly fileHash: string };
  readonly signatures?: readonly { readonly node_id: string; readonly r: string; readonly s: string }[];
}

/** A block of testnet with ordinary signatures, and the validators that the key block before it names. */
interface SignedTestnetBlock {
  readonly id: BlockId;
  readonly validators: ValidatorSet;
  readonly signatures: readonly { readonly nodeIdShort: Uint8Array; readonly signature: Uint8Array }[];
  /** As its header has them; undefined if the header is not recorded. */
  readonly header: { readonly catchainSeqno: number; readonly validatorListHash: number } | undefined;
}

/** A key block of testnet, and a later block. */
function testnetBlocks(): readonly [SignedTestnetBlock, SignedTestnetBlock] | undefined {
  const text = recorded("tonbridge-sdk/signed-testnet-blocks.json");
  if (text === undefined) return undefined;
  const [before, key, later] = JSON.parse(text).data as [Tree, Tree, Tree];
  return [block(before, key, readBlockHeader(rootOf(key))), block(key, later, undefined)];
}

const rootOf = ({ boc }: Tree) => readBoc(Buffer.from([boc].flat()[0] ?? "", "hex"));

function block(source: Tree, { id, signatures = [] }: Tree, header: SignedTestnetBlock["header"]): SignedTestnetBlock {
  const config = readBlockConfig(rootOf(source));
  const set = config && lookUp(config, uint32Key(34), 32)?.ref();
  if (!set || !id) throw new Error("the recorded key block has no validators");
  const hashes = { rootHash: Buffer.from(id.rootHash, "hex"), fileHash: Buffer.from(id.fileHash, "hex") };
  return {
    id: { workchain: -1, shard: WHOLE_WORKCHAIN, seqno: id.seqNo, ...hashes },
    validators: readValidatorSet(set),
    signatures: signatures.map(({ node_id, r, s }) => ({
      nodeIdShort: Buffer.from(node_id, "hex"),
      signature: Buffer.from(r + s, "hex"),
    })),
    header,
  };
}

const refused = (message: string | RegExp) =>
  expect.objectContaining({ kind: "proof", message: expect.stringMatching(message) });

describe("mainnet's first key block with Simplex signatures", () => {
  const proof = recordedLink();
  const step = proof?.steps[0];

  test("verifies by 66 of 66 signatures", async ({ skip }) => {
    if (!proof) return skip(NO_DATA);
    expect(await verifyBlockProof(proof.from, proof)).toEqual({ block: proof.to, keyBlock: proof.to, signatures: 66 });
    expect(proof.to.seqno).toBe(59379986);
  });

  test("exactly two thirds of the weight do not suffice", async ({ skip }) => {
    if (step?.type !== "blockLinkForward") return skip(NO_DATA);
    const config = readBlockConfig(openMerkleProof(readBoc(step.configProof), step.from.rootHash)) as Cell;
    const group = selectMasterchainValidators(config, 806_105);
    await checkSignatures(step.to, group, step.signatures);
    const equal = withTwoThirds(group, step.signatures);
    await expect(checkSignatures(step.to, equal, step.signatures)).rejects.toThrow(
      refused("more than two thirds of the weight"),
    );
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
