import { UnprovenError } from "@chain-query/proof/unproven";

/**
 * The part of an answer that does not follow from its proof:
 *
 * - `head`: its masterchain block is another one, or older than the newest one so far.
 * - `signatures`: validators with too little weight signed the head, or a signature is invalid.
 * - `fork`: validators signed two blocks of one number. Nothing is believed any more.
 * - `age`: the head or the key block is older than the trust store allows, or the clock of this device is wrong.
 * - `state`, `block`, `transaction`: the cells do not prove it.
 * - `answer`: the cells have another value; `path` names the field.
 * - `limit`: the answer is longer than any that is read, or has more cells.
 * - `missing`: there is no proof, or not all of it.
 * - `unsupported`: a hard fork, or a form that this version does not know.
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
 * An answer does not follow from its proof: the deployment lies, is broken, or gives no proofs.
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
  /** The field of the result, such as `in_msg.value`. */
  readonly path: string | undefined;

  constructor(part: ProofPart, message: string, path?: string, cause?: unknown) {
    super(path ? `${path}: ${message}` : message, { cause });
    this.part = part;
    this.path = path;
  }
}

/** Throws unless a condition holds. */
export function ensure(isProved: unknown, part: ProofPart, message: string, path?: string): asserts isProved {
  if (!isProved) throw new ProofError(part, message, path);
}

/** Runs a check of values that may have any type. All that it throws becomes a ProofError. */
export function checked<Value>(part: ProofPart, check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    if (error instanceof ProofError) throw error;
    const isUnsupported = error instanceof UnprovenError && error.kind !== "proof";
    const shown = error instanceof RangeError ? "limit" : part;
    throw new ProofError(isUnsupported ? error.kind : shown, `${error}`, undefined, error);
  }
}
