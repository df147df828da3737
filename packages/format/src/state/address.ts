import { CellError, type CellReader } from "../cells/cell-reader.ts";
import type { AccountId } from "../identifiers/types.ts";

const NONE = 0;
const EXTERNAL = 1;
const STANDARD = 2;

/**
 * Reads a TL-B `MsgAddress`. Addresses outside the chain (`addr_none`, `addr_extern`) name no account, so they come back as
 * undefined. Of the variable form only 256-bit addresses exist on chains of this family.
 *
 * @throws CellError where an address of another width stands.
 */
export function readAddress(reader: CellReader): AccountId | undefined {
  const kind = reader.uint(2);
  if (kind === NONE) return undefined;
  if (kind === EXTERNAL) {
    reader.skip(reader.uint(9));
    return undefined;
  }
  const rewrite = readAnycast(reader);
  const bits = kind === STANDARD ? 256 : reader.uint(9);
  if (bits !== 256) throw new CellError(`an address of ${bits} bits is not one of an account: 256 bits`);
  const workchain = kind === STANDARD ? reader.int(8) : reader.int(32);
  const hash = reader.bytes(32);
  return { workchain, hash: rewrite ? rewritten(hash, rewrite) : hash };
}

interface Anycast {
  readonly depth: number;
  readonly prefix: number;
}

/** TL-B (Maybe Anycast): the bits that stand in place of the address's first ones. */
function readAnycast(reader: CellReader): Anycast | undefined {
  if (!reader.bit()) return undefined;
  const depth = reader.uint(5);
  return { depth, prefix: reader.uint(depth) };
}

function rewritten(hash: Uint8Array, { depth, prefix }: Anycast): Uint8Array {
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  const kept = view.getUint32(0) % 2 ** (32 - depth);
  view.setUint32(0, prefix * 2 ** (32 - depth) + kept);
  return hash;
}
