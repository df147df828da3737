import { type Cell, CellError, readBocRoots } from "@chain-query/format/cells";
import { UnprovenError } from "@chain-query/proof/unproven";
import { LiteError } from "../wire/lite-error.ts";

/**
 * The most cells of an answer. A cell takes up to 500 bytes of memory, but only two bytes of a bag of cells. With the reference
 * configuration, an account has up to 65,536 cells; a proof of 256 transactions has about 10,000.
 */
const MAX_CELLS = {
  proof: 32_768,
  shards: 32_768,
  account: 131_072,
  transactions: 262_144,
  block: 1_048_576,
  state: 4_194_304,
};

/** Runs a check. Errors of checks and of reading cells, such as pruned cells, become errors of kind "proof". */
export function checked<Value>(what: string, check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    throw proofError(what, error);
  }
}

/** An error of a check, or of reading cells, as a LiteError; others stay. */
export function proofError(what: string, error: unknown): unknown {
  if (error instanceof UnprovenError) return new LiteError(error.kind, error.message, { cause: error });
  if (!(error instanceof CellError || error instanceof RangeError)) return error;
  return new LiteError("proof", `${what}: ${error.message}`, { cause: error });
}

/** Reads the roots of a proof, each of which is a Merkle proof. */
export function readProofs(bytes: Uint8Array, maxRoots: number): Cell[] {
  return readBocRoots(bytes, { maxCells: MAX_CELLS.proof, maxRoots });
}

export function readProof(bytes: Uint8Array): Cell {
  const [proof] = readProofs(bytes, 1);
  if (!proof) throw new UnprovenError("a proof must have one root, got 0");
  return proof;
}

/** Reads the roots of data that a proof or a hash confirms. */
export function readData(bytes: Uint8Array, kind: keyof typeof MAX_CELLS, maxRoots = 1): Cell[] {
  return readBocRoots(bytes, { maxCells: MAX_CELLS[kind], maxRoots });
}
