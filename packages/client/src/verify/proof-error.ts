import { UnprovenError } from "@chain-query/proof/unproven";

/**
 * The part of an answer that does not follow from its proof:
 *
 * - `head`: the header of the masterchain block is another one, or older than the newest head so far.
 * - `signatures`: fewer than two thirds of the validators' weight signed the head, or a signature is invalid.
 * - `fork`: validators signed two blocks of one number.
 * - `age`: the head or the key block is older than the limits of the trust store, or the clock of this device is wrong.
 * - `state`, `block`, `transaction`: the cells prove no such state, block or transaction.
 * - `answer`: a field of the answer is another one than the cells have; `path` names it.
 * - `limit`: the answer is longer than any that this client reads.
 * - `missing`: there is no proof, or a part of it is absent.
 * - `unsupported`: the chain had a hard fork, or this version does not know a form.
 *
 * @example
 * ```ts
 * const isClock = ({ part }: ProofError): boolean => part === ("age" satisfies ProofPart);
 * ```
 */
export type ProofPart =
  | "head"
  | "signatures"
  | "fork"
  | "age"
  | "state"
  | "block"
  | "transaction"
  | "answer"
  | "limit"
  | "missing"
  | "unsupported";

/**
 * An answer does not follow from its proof: the deployment lies, is broken, or gives no proofs. Compare `name` across copies of this package.
 *
 * @example
 * ```ts
 * try {
 *   await chain.getAddressInformation({ address });
 * } catch (error) {
 *   if (error instanceof ProofError) console.error(error.part, error.path, error.message);
 * }
 * ```
 */
export class ProofError extends Error {
  override readonly name = "ProofError";
  readonly part: ProofPart;
  /** The field of the result or of the proof, such as `in_msg.value`. */
  readonly path: string | undefined;

  constructor(part: ProofPart, message: string, { path, cause }: { path?: string | undefined; cause?: unknown } = {}) {
    super(path ? `${path}: ${message}` : message, cause === undefined ? {} : { cause });
    this.part = part;
    this.path = path;
  }
}

/** Throws unless a condition holds. */
export function ensure(isProved: boolean, part: ProofPart, message: string, path?: string): asserts isProved {
  if (!isProved) throw new ProofError(part, message, { path });
}

/** Runs a check. Every error of reading, whatever its class, becomes a ProofError. */
export function checked<Value>(part: ProofPart, check: () => Value): Value {
  try {
    return check();
  } catch (cause) {
    if (cause instanceof ProofError) throw cause;
    const isUnknown = cause instanceof UnprovenError && cause.kind === "unsupported";
    throw new ProofError(isUnknown ? "unsupported" : part, cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
