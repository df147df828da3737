/** The reason of a failed read. */
export type LiteErrorKind =
  /** No server could be reached, or no server has the requested data. */
  | "unavailable"
  /** The deadline passed. */
  | "timeout"
  /** The servers refuse the request with the same error, with `code`. */
  | "refused"
  /** The bytes of a server are not ADNL or not TL. Only inside the pool, which then asks another server. */
  | "protocol"
  /** A proof does not hold. Only inside the pool, which then asks another server. */
  | "proof";

/**
 * The error of a lite client. Only wrong arguments are a `RangeError` or `TypeError`.
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
