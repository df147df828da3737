import { getSystemErrorName } from "node:util";

/** Why a chain's folder cannot be read or written, as one line for a person: what is wrong, where, and what is accepted. */
export class ChainStoreError extends Error {
  override readonly name = "ChainStoreError";
}

/** What the system says of a failed file operation, in words for a person. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return REASONS[codeOf(cause)] ?? cause.message;
}

/** Files have names for codes; the store's library has the numbers. */
function codeOf(cause: Error): string {
  const code: unknown = "code" in cause ? cause.code : undefined;
  return typeof code === "number" && code > 0 ? getSystemErrorName(-code) : String(code);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it lies on a read-only disk",
  ENOSPC: "the disk is full",
  // What the store's library makes of a write that ended halfway.
  EIO: "the disk does not take it, and may be full",
  EFBIG: "the file has reached the size that this process may write",
  EDQUOT: "the disk quota is used up",
  ENOENT: "no folder can be made there",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
};
