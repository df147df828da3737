import { OperationalError } from "@chain-query/format/error";

/** The reason of a failed read. */
export type LiteErrorKind =
  /** No server could be reached, or no server has the requested data. */
  | "unavailable"
  /** The deadline passed. */
  | "timeout"
  /** The servers refuse the request with the same error, with `code`. */
  | "refused"
  /** The call needs more queries than its `maxQueries`. */
  | "exhausted"
  /** The bytes of a server are not ADNL or not TL. Only inside the pool, which then asks another server. */
  | "protocol"
  /** A proof does not hold. Only inside the pool, which then asks another server, and of `verifyBlockProof`. */
  | "proof"
  /** A proof has a form that this version does not know, such as new signatures. Neither right nor wrong: update the package. */
  | "unsupported";

/** Codes of requests that every server refuses, and always. With others, a server has a temporary problem. */
const FINAL_CODES: ReadonlySet<number | undefined> = new Set([-400, 410, 601, 621]);

const STATUSES: Readonly<Record<LiteErrorKind, number>> = {
  unavailable: 542,
  timeout: 504,
  refused: 500,
  exhausted: 504,
  protocol: 542,
  proof: 542,
  unsupported: 500,
};

/**
 * The error of a lite client, and of a lite server that refuses a request. Only wrong arguments are a `RangeError` or `TypeError`.
 *
 * @example
 * ```ts
 * import { LiteError } from "@chain-query/lite/wire";
 *
 * try {
 *   await client.getAccount(account);
 * } catch (error) {
 *   if (error instanceof LiteError && error.isRetryable) console.log("try again");
 *   else throw error;
 * }
 * ```
 */
export class LiteError extends OperationalError {
  override readonly name = "LiteError";
  override readonly isRetryable: boolean;
  override readonly status: number;
  readonly kind: LiteErrorKind;
  /** The code of `liteServer.error`, if a server sent one. */
  readonly code: number | undefined;

  constructor(kind: LiteErrorKind, message: string, options: ErrorOptions & { readonly code?: number | undefined } = {}) {
    super(message, options);
    this.kind = kind;
    this.code = options.code;
    this.isRetryable = kind !== "exhausted" && kind !== "unsupported" && (kind !== "refused" || !FINAL_CODES.has(options.code));
    this.status = STATUSES[kind];
  }
}
