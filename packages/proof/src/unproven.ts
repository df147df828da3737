import { hex } from "@chain-query/format/cells";
import { OperationalError } from "@chain-query/format/error";
import { type BlockId, isSameBlock } from "@chain-query/format/identifiers";

/**
 * An answer does not follow from its proof. Errors of reading cells are others: a `CellError` or a `RangeError` of `@chain-query/format`
 * says the same of a proof that is no proof, or shows too little.
 *
 * @example
 * if (error instanceof UnprovenError && error.kind === "unsupported") console.log("update this package");
 */
export class UnprovenError extends OperationalError {
  override readonly name = "UnprovenError";
  /** "unsupported": the proof has a form that this version does not know, and is neither right nor wrong. */
  readonly kind: "proof" | "unsupported";

  constructor(message: string, kind: UnprovenError["kind"] = "proof", options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Checks that a block is the expected one. */
export function requireBlock(what: string, got: BlockId, expected: BlockId): void {
  if (!isSameBlock(got, expected)) {
    throw new UnprovenError(`${what} must be ${formatBlock(expected)}, got ${formatBlock(got)}`);
  }
}

/** A block's id for messages. */
export function formatBlock({ workchain, shard, seqno, rootHash, fileHash }: BlockId): string {
  return `(${workchain},${BigInt.asUintN(64, shard).toString(16)},${seqno}) root ${hex(rootHash)} file ${hex(fileHash)}`;
}
