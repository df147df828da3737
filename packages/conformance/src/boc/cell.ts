/** Cells and their representation hashes, which identify transactions, messages and blocks. */
import { createHash } from "node:crypto";

/** A cell: up to 1023 bits and up to four references. The last byte of `bytes` is filled with a 1 and zeros where it is not full. */
export interface Cell {
  readonly bytes: Uint8Array;
  readonly bitLength: number;
  readonly refs: readonly Cell[];
  readonly isExotic: boolean;
  /** Which levels have a hash of their own, as bits; 0 in a cell without pruned branches below it. */
  readonly levels: number;
  /** Hash and depth at each significant level, lowest first. */
  readonly identities: readonly Identity[];
}

interface Identity {
  readonly hash: Uint8Array;
  readonly depth: number;
}

/** Thrown where bytes are no cells; the message says why. */
export class CellError extends Error {
  override readonly name = "CellError";
}

const prunedBranch = 1;
const library = 2;
const merkleProof = 3;
const merkleUpdate = 4;

/** Makes a cell of its parts. What a cell refers to is made first, so no chain of cells is too long. */
export function cell(bytes: Uint8Array, bitLength: number, refs: readonly Cell[], isExotic: boolean): Cell {
  const kind = isExotic ? bytes[0] : undefined;
  const levels = levelsOf(kind, bytes, refs);
  if (kind === prunedBranch) return { bytes, bitLength, refs, isExotic, levels, identities: prunedIdentities(bytes, levels) };
  const isMerkle = kind === merkleProof || kind === merkleUpdate;
  const identities: Identity[] = [];
  for (const level of [0, 1, 2, 3]) {
    if (level > 0 && (levels & (1 << (level - 1))) === 0) continue;
    const below = identities.at(-1)?.hash;
    const children = refs.map((ref) => identityAt(ref, isMerkle ? level + 1 : level));
    identities.push(identityOf(below ?? bytes, bitLength, children, isExotic, levels & maskBelow(level)));
  }
  return { bytes, bitLength, refs, isExotic, levels, identities };
}

/** The representation hash. */
export function hashOf(root: Cell): Uint8Array {
  return identityAt(root, 3).hash;
}

function identityAt({ levels, identities }: Cell, level: number): Identity {
  const identity = identities[ones(levels & maskBelow(level))];
  if (identity === undefined) throw new CellError("a cell has no hash at a level that it needs");
  return identity;
}

function levelsOf(kind: number | undefined, bytes: Uint8Array, refs: readonly Cell[]): number {
  const below = refs.reduce((levels, ref) => levels | ref.levels, 0);
  if (kind === undefined) return below;
  if (kind === library) return 0;
  if (kind === merkleProof || kind === merkleUpdate) return below >> 1;
  if (kind === prunedBranch) return (bytes[1] ?? 0) & 7;
  throw new CellError(`an exotic cell is of the unknown kind ${kind}`);
}

/** A pruned branch carries the hashes and depths of what was cut off; its own hash stands above them. */
function prunedIdentities(bytes: Uint8Array, levels: number): Identity[] {
  const count = ones(levels);
  if (count === 0 || bytes.length < 2 + count * 34) throw new CellError("a pruned branch is too short for its hashes");
  const view = Buffer.from(bytes);
  const carried = Array.from({ length: count }, (_, index) => ({
    hash: view.subarray(2 + index * 32, 34 + index * 32),
    depth: view.readUInt16BE(2 + count * 32 + index * 2),
  }));
  return [...carried, identityOf(bytes, bytes.length * 8, [], true, levels)];
}

/** Above the lowest level the hash below stands in place of the data, yet the length stays that of the data. */
function identityOf(data: Uint8Array, bits: number, children: Identity[], isExotic: boolean, levels: number): Identity {
  const depth = children.reduce((deepest, child) => Math.max(deepest, child.depth + 1), 0);
  const hash = createHash("sha256");
  hash.update(Uint8Array.of(children.length + (isExotic ? 8 : 0) + 32 * levels, Math.ceil(bits / 8) + Math.floor(bits / 8)));
  hash.update(data);
  for (const child of children) hash.update(Uint8Array.of(child.depth >> 8, child.depth & 0xff));
  for (const child of children) hash.update(child.hash);
  return { hash: hash.digest(), depth };
}

function maskBelow(level: number): number {
  return (1 << level) - 1;
}

function ones(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1);
}
