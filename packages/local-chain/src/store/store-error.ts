import { getSystemErrorName } from "node:util";
import { ChainStoreError } from "@chain-query/format/store";

/** Whether LMDB itself found the file damaged: its own errors have codes from -30799, the errors of the OS have errno. */
export function isLmdbError(cause: unknown): cause is Error {
  const code: unknown = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "number" && code >= -30_799 && code <= -30_770;
}

/** The error for callers of a failed read: damage that LMDB found becomes a `ChainStoreError`. */
export function readError(cause: unknown): unknown {
  return isLmdbError(cause) ? new ChainStoreError(`the chain is damaged: ${cause.message}`, { cause }) : cause;
}

/** The reason of a failed file or LMDB operation, for messages. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return REASONS[codeOf(cause)] ?? cause.message;
}

/** File-system errors carry string codes, LMDB errors carry errno. */
function codeOf(cause: Error): string {
  const code: unknown = "code" in cause ? cause.code : undefined;
  return typeof code === "number" && code > 0 ? getSystemErrorName(-code) : String(code);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user has no write permission",
  EPERM: "this user has no write permission",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  // LMDB reports a partial write as EIO.
  EIO: "the disk failed to write, and may be full",
  EFBIG: "the file has the maximum size for this process",
  EDQUOT: "the disk quota is used up",
  ENOENT: "the folder cannot be made",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
};
