/** Signatures of a masterchain block in the form of a proof, which names validators by their place in the group. */
import { type Cell, hex } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import type { SignedHeader } from "@chain-query/format/store";
import { totalWeight, type ValidatorGroup } from "@chain-query/format/validators";
import { adnlKeyId } from "../wire/adnl/handshake.ts";
import type { LiteSignatureSet } from "../wire/tl/scheme.ts";

/**
 * Selects signatures of more than two thirds of the weight, those of the heaviest validators first.
 *
 * @param header - Merkle proof of the block: its info, and the hash of the state after it.
 * @param set - Signatures that are verified, or made by this process.
 */
export function signedHeader(
  block: BlockId,
  header: Cell,
  { validators }: ValidatorGroup,
  set: LiteSignatureSet,
): SignedHeader {
  const byId = new Map(set.signatures.map(({ nodeIdShort, signature }) => [hex(nodeIdShort), signature]));
  const all = validators.flatMap(({ publicKey, weight }, index) => {
    const signature = byId.get(hex(adnlKeyId(publicKey)));
    return signature === undefined ? [] : [{ index, weight, signature }];
  });
  const total = totalWeight(validators);
  let missing = (2n * total) / 3n + 1n;
  const chosen = all
    .toSorted((one, other) => Number(other.weight - one.weight))
    .filter(({ weight }) => {
      const isNeeded = missing > 0n;
      missing -= weight;
      return isNeeded;
    })
    .sort((one, other) => one.index - other.index);
  const signers = new Uint8Array(Math.ceil(validators.length / 8));
  for (const { index } of chosen) signers[index >> 3] = (signers[index >> 3] ?? 0) | (0x80 >> (index & 7));
  const signatures = new Uint8Array(Buffer.concat(chosen.map(({ signature }) => signature)));
  if (set.type === "signatureSet.ordinary") return { block, header, signers, signatures };
  const { sessionId, slot, candidate } = set;
  return { block, header, signers, signatures, vote: { sessionId, slot, candidate } };
}
