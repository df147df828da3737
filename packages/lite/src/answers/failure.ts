import { LiteError } from "../wire/lite-error.ts";

/** Error codes of lite servers. */
export const CODES = {
  /** A bad argument, or a transaction that this server does not have. */
  refused: -400,
  /** An error without another code. */
  plain: 0,
  /** Unknown function. */
  unknownFunction: 621,
  /** The server does not have the block. */
  notReady: 651,
  /** A wait ended without the block. */
  timeout: 652,
  /** An error of the server itself, or a state that was deleted. */
  internal: 602,
  /** Too many queries at once. */
  tooManyQueries: 228,
} as const;

/** A query that is answered with `liteServer.error`: the error that the client gets. */
export function failure(code: number, message: string): LiteError {
  return new LiteError("refused", message, { code });
}

/** A request that lite servers refuse. */
export function refused(message: string): LiteError {
  return failure(CODES.refused, message);
}
