/** Checks the signatures of a masterchain block. */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { promisify } from "node:util";
import { hex } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import type { Validator, ValidatorGroup } from "@chain-query/format/validators";
import { countNeeded, groupName, signedBytes } from "@chain-query/proof/signatures";
import { formatBlock, UnprovenError } from "@chain-query/proof/unproven";
import { LRUCache } from "lru-cache";
import { adnlKeyId } from "../wire/adnl/handshake.ts";
import { LiteError } from "../wire/lite-error.ts";
import type { LiteSignatureSet } from "../wire/tl/scheme.ts";
import { checked } from "./evidence.ts";

const verifyInThread = promisify(verify);
/** Signatures of a block that are verified at once: Node.js has four threads, which other work needs too. */
const AT_ONCE = 3;

/**
 * Checks that validators with more than two thirds of the weight signed a block. Every signature must be of another validator of the group.
 * They are verified in their order, until these have more than two thirds of the weight.
 * Threads of Node.js verify them, so that the event loop is free meanwhile.
 *
 * A signature in the ordinary form signs the block's id. In the Simplex form it signs the final vote of a session on a candidate, which
 * must be the block. The rules are those of `BlockSignatureSet::check_signatures` of the reference node, which verifies all signatures.
 *
 * @param group - The validators that the block's header names.
 * @param signal - Ends the verification.
 * @returns The number of signatures that were verified.
 * @throws LiteError of kind "proof"; the reason of the signal, when it aborts.
 */
export async function checkSignatures(
  block: BlockId,
  group: ValidatorGroup,
  set: LiteSignatureSet,
  signal?: AbortSignal,
): Promise<number> {
  const { signers, message } = checked("signatures", () => {
    const catchainSeqno = set.type === "signatureSet.ordinary" ? set.catchainSeqno : set.ccSeqno;
    if (catchainSeqno >>> 0 !== group.catchainSeqno || set.validatorSetHash >>> 0 !== group.listHash) {
      throw new UnprovenError(`${formatBlock(block)} must be signed by ${groupName(group)}, got signatures of another group`);
    }
    const all = selectSigners(group.validators, set);
    return {
      signers: all.slice(0, countNeeded(block, group, all)),
      message: signedBytes(block, set.type === "signatureSet.simplex" ? set : undefined),
    };
  });
  const left = signers.entries();
  let isInvalid = false;
  const verifyLeft = async (): Promise<void> => {
    for (const [index, { publicKey }] of left) {
      signal?.throwIfAborted();
      if (isInvalid) return;
      const signature = set.signatures[index]?.signature ?? new Uint8Array();
      if (await verifyInThread(null, message, ed25519Key(publicKey), signature)) continue;
      isInvalid = true;
      throw new LiteError(
        "proof",
        `the signature of ${formatBlock(block)} by the validator with key ${hex(publicKey)} is invalid`,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, verifyLeft));
  return signers.length;
}

/** The validator of each signature. */
function selectSigners(validators: readonly Validator[], { signatures }: LiteSignatureSet): Validator[] {
  const known = new Map(validators.map((validator) => [hex(adnlKeyId(validator.publicKey)), validator]));
  const seen = new Set<Validator>();
  for (const { nodeIdShort } of signatures) {
    const signer = known.get(hex(nodeIdShort));
    if (!signer) throw new UnprovenError(`a signature is by ${hex(nodeIdShort)}, which is not a validator of the group`);
    if (seen.has(signer)) throw new UnprovenError(`two signatures are by the same validator, ${hex(nodeIdShort)}`);
    seen.add(signer);
  }
  return [...seen];
}

/** Keys of validators: a network has fewer than this at a time, and making one takes a third of the time of a check. */
const keys = new LRUCache<string, KeyObject>({ max: 1_024 });

function ed25519Key(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString("base64url");
  const known = keys.get(x) ?? createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
  keys.set(x, known);
  return known;
}
