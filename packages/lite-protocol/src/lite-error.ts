/** Why a read failed. */
export type LiteErrorKind =
  /** No server could be reached, or none has what was asked. */
  | "unavailable"
  /** The deadline passed. */
  | "timeout"
  /** The network refuses the request: every server that may answer gave the same error, with `code`. */
  | "refused"
  /** The bytes of a server are not ADNL or not TL. Inside the pool only: another server is asked. */
  | "protocol"
  /** A proof does not hold. Inside the pool only: another server is asked. */
  | "proof";

/**
 * Every error that a lite client throws, but for a `RangeError` or `TypeError` for wrong arguments.
 *
 * @example
 * ```ts
 * import { LiteError } from "@chain-query/lite-protocol/error";
 *
 * try {
 *   await client.getAccount(account);
 * } catch (error) {
 *   if (error instanceof LiteError && error.kind === "timeout") console.log("try again");
 *   else throw error;
 * }
 * ```
 */
export class LiteError extends Error {
  override readonly name = "LiteError";
  readonly kind: LiteErrorKind;
  /** The code of `liteServer.error`, if a server sent one. */
  readonly code: number | undefined;

  constructor(kind: LiteErrorKind, message: string, options: ErrorOptions & { readonly code?: number | undefined } = {}) {
    super(message, options);
    this.kind = kind;
    this.code = options.code;
  }
}
