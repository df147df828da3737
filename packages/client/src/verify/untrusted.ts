/** Reads values of an envelope that nothing has checked. */
import { type Cell, isEqual, openMerkleProof, readBocRoots } from "@chain-query/format/cells";
import { ensure, ProofError, type ProofPart } from "./proof-error.ts";

/** Characters of a body, cells of a bag, and roots of a bag for which the operation has no other bound. */
const [MAX_BODY, MAX_CELLS, MAX_ROOTS] = [256_000, 4_096, 12];

export function ensureLength(body: string): void {
  ensure(body.length <= MAX_BODY, "limit", `expected at most ${MAX_BODY} characters, got ${body.length}`);
}

export type Untrusted = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown, path: string): Untrusted {
  ensure(typeof value === "object" && value !== null, "missing", "expected an object", path);
  return value as Untrusted;
}

export function arrayOf(value: unknown, most: number, path: string): readonly unknown[] {
  ensure(Array.isArray(value), "missing", "expected an array", path);
  ensure(value.length <= most, "limit", `expected at most ${most} entries, got ${value.length}`, path);
  return value;
}

export function integerOf(value: unknown, path: string): number {
  ensure(Number.isSafeInteger(value), "missing", "expected an integer", path);
  return value as number;
}

export function bytesOf(text: unknown, path: string, length?: number): Uint8Array {
  ensure(typeof text === "string", "missing", "expected base64", path);
  let binary: string;
  try {
    binary = atob(text);
  } catch (cause) {
    throw new ProofError("missing", "expected base64", { path, cause });
  }
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  ensure(bytes.length === (length ?? bytes.length), "missing", `expected ${length} bytes, got ${bytes.length}`, path);
  return bytes;
}

/** The cell with the bytes of a bag that must have the hash. Bags of equal cells may differ, so the bytes are those of the answer. */
export function ensureBag(text: unknown, expected: Cell, part: ProofPart, path: string): Uint8Array {
  const bytes = bytesOf(text, path);
  const [root, ...others] = readBocRoots(bytes, { maxCells: MAX_CELLS, maxRoots: 1 });
  const isSame = root !== undefined && others.length === 0 && isEqual(root.hash, expected.hashAt(0));
  ensure(isSame, part, "the cells have another hash", path);
  return bytes;
}

/** Reads a bag with one Merkle proof, or with one cell. */
export function rootOf(text: unknown, path: string): Cell {
  return rootsOf(text, path, 1).next();
}

/** The roots of a bag, in the order in which an operation needs them. */
export interface Roots {
  next(): Cell;
  /** The tree in the next root, a Merkle proof of the tree with the hash. */
  open(rootHash: Uint8Array): Cell;
  /** Throws unless all roots were taken. */
  end(): void;
}

export function rootsOf(text: unknown, path = "proof.cells", maxRoots: number = MAX_ROOTS): Roots {
  const roots = readBocRoots(bytesOf(text, path), { maxCells: MAX_CELLS, maxRoots });
  let taken = 0;
  const next = (): Cell => {
    const root = roots[taken++];
    ensure(root !== undefined, "missing", `expected more than ${roots.length} roots`, path);
    return root;
  };
  return {
    next,
    open: (rootHash) => openMerkleProof(next(), rootHash),
    end: () => ensure(taken === roots.length, "answer", `expected ${taken} roots, got ${roots.length}`, path),
  };
}
