/** Proofs that servers of real networks gave. */
import { readBlockConfig } from "@chain-query/format/blocks";
import { type Cell, hex, openMerkleProof, readBoc, readBocRoots, sha256, writeBocRoots } from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import { type BlockId, MASTERCHAIN } from "@chain-query/format/identifiers";
import { selectMasterchainValidators } from "@chain-query/format/validator-groups";
import { readValidatorSet, type ValidatorGroup } from "@chain-query/format/validators";
import { queries } from "@chain-query/lite/wire";
import { openHeader, openStateHeader } from "@chain-query/proof/blocks";
import { openConfig, signedBytes } from "@chain-query/proof/signatures";
import { NO_DATA, recorded } from "@chain-query/testing/recorded";
import { expect, test } from "vitest";
import { rootsOf } from "../../src/verify/bags.ts";
import { type ClaimedHead, requireSignatures } from "../../src/verify/signed-head.ts";
import { deriveLast } from "../../src/verify/states.ts";
import { isSignature } from "../../src/verify/web-crypto.ts";

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const fromHex = (text = ""): Buffer => Buffer.from(text.replaceAll(/#.*|\s/g, ""), "hex");

/** TL `pub.ed25519 key:int256`. */
const keyIdOf = (publicKey: Uint8Array): string => hex(sha256(Buffer.concat([fromHex("c6b41348"), publicKey])));

interface Signature {
  readonly id: Uint8Array;
  readonly signature: Uint8Array;
}

/** The claim of a service, which names validators by their place in the group. */
function claimOf({ validators }: ValidatorGroup, set: readonly Signature[], vote: object = {}): ClaimedHead["claim"] {
  const byId = new Map(set.map(({ id, signature }) => [hex(id), signature]));
  const signers = Buffer.alloc(Math.ceil(validators.length / 8));
  const signatures = validators.flatMap(({ publicKey }, i) => {
    const signature = byId.get(keyIdOf(publicKey));
    if (signature) signers[i >> 3] = (signers[i >> 3] ?? 0) | (0x80 >> (i & 7));
    return signature ?? [];
  });
  const signed = { signers: base64(signers), signatures: base64(Buffer.concat(signatures)), ...vote };
  return signed as ClaimedHead["claim"];
}

/** The recorded headers hide the hash of the state, which signatures do not need. */
const claimed = (id: BlockId, header: ClaimedHead["header"], claim: ClaimedHead["claim"]) =>
  ({ block: { id }, header, claim }) as ClaimedHead;

async function expectSigned(head: ClaimedHead, key: BlockId, config: Cell, count: number): Promise<void> {
  await requireSignatures(head, key, config);
  const { signers, signatures } = head.claim;
  expect(Buffer.from(signatures, "base64")).toHaveLength(64 * count);
  const refuse = (claim: object) =>
    expect(requireSignatures({ ...head, claim: { ...head.claim, ...claim } }, key, config)).rejects;
  const changed = Buffer.from(signatures, "base64");
  changed[70] = (changed[70] ?? 0) ^ 1;
  await refuse({ signatures: base64(changed) }).toMatchObject({ part: "signatures" });
  const fewer = Buffer.from(signers, "base64").fill(0, 0, Math.ceil(signers.length / 4));
  await refuse({ signers: base64(fewer) }).toMatchObject({ part: "signatures" });
}

test("Simplex signatures of a mainnet key block", async (context) => {
  const text = recorded("ton-net/one-link-simplex.hex");
  if (text === undefined) return context.skip(NO_DATA);
  const zero: BlockId = { ...MASTERCHAIN, seqno: 0, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) };
  const [link] = queries.getBlockProof({ mode: 0, knownBlock: zero }).read(fromHex(text)).steps;
  if (link?.type !== "blockLinkForward" || link.signatures.type !== "signatureSet.simplex") throw new Error("another link");
  const { header } = openHeader(link.to, readBoc(link.destProof));
  const config = openConfig(link.from, readBoc(link.configProof));
  const { signatures, sessionId, slot, candidate } = link.signatures;
  const claim = claimOf(
    selectMasterchainValidators(config, header.catchainSeqno),
    signatures.map(({ nodeIdShort: id, signature }) => ({ id, signature })),
    { session: base64(sessionId), slot, candidate: base64(candidate) },
  );
  await expectSigned(claimed(link.to, header, claim), link.from, config, signatures.length);
});

test("ordinary signatures of a testnet key block", async (context) => {
  const text = recorded("tonbridge-sdk/signed-testnet-blocks.json");
  if (text === undefined) return context.skip(NO_DATA);
  const [before, { id, signatures }] = JSON.parse(text).data;
  // The recorded configuration does not show how validators are shuffled.
  const config = readBlockConfig(readBoc(fromHex([before.boc].flat()[0]))) as Cell;
  const { validators } = readValidatorSet(lookUp(config, uint32Key(34), 32)?.ref() as Cell);
  const message = signedBytes({
    ...MASTERCHAIN,
    seqno: id.seqNo,
    rootHash: fromHex(id.rootHash),
    fileHash: fromHex(id.fileHash),
  });
  expect(signatures.length).toBeGreaterThan(10);
  for (const { node_id, r, s } of signatures) {
    const signer = validators.find(({ publicKey }) => keyIdOf(publicKey) === node_id);
    expect(await isSignature(fromHex(`${r}${s}`), message, signer?.publicKey ?? new Uint8Array(32))).toBe(true);
  }
});

test("the last transaction of a mainnet account", (context) => {
  const text = recorded("ton-net/read-basechain.txt");
  if (text === undefined) return context.skip(NO_DATA);
  const fields = new Map(Array.from(text.matchAll(/^(\w+)=(\S*)$/gm), ([, name = "", value = ""]) => [name, value]));
  const bytes = (name: string) => fromHex(fields.get(name));
  const id = { ...MASTERCHAIN, seqno: Number(fields.get("block_seqno")), fileHash: Buffer.alloc(32) };
  const [header, state] = readBocRoots(bytes("shard_proof"));
  const head = openStateHeader({ ...id, rootHash: bytes("block_root_hash") }, header);
  const roots = [state as Cell, ...readBocRoots(bytes("proof"))];
  const account = { workchain: 0, hash: bytes("account_id") };
  const last = deriveLast(head, account, rootsOf(base64(writeBocRoots(roots))));
  expect(last.lt).toBeGreaterThan(0n);
  const other = rootsOf(base64(writeBocRoots(roots.toReversed())));
  expect(() => deriveLast(head, account, other)).toThrow(/must prove the tree/);
  expect(openMerkleProof(state as Cell, head.stateRootHash)).toBe((state as Cell).refs[0]);
});
