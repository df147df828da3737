/** Keys of accounts in all stores, ordered by workchain, then by hash. */
import type { AccountId } from "../identifiers.ts";

/** Length of an account's key. */
export const ACCOUNT_BYTES: number = 4 + 32;

/** The key of an account: workchain(4) with its sign bit flipped | address(32). @throws RangeError if the workchain is not a signed 32-bit integer. */
export function accountKey(account: AccountId): Buffer {
  return putAccount(Buffer.allocUnsafe(ACCOUNT_BYTES), account, 0);
}

/** The account at the beginning of a key. */
export function accountOf(key: Uint8Array): AccountId {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  return { workchain: (bytes.readUInt32BE(0) ^ SIGN) | 0, hash: Uint8Array.prototype.slice.call(key, 4, ACCOUNT_BYTES) };
}

const SIGN = 0x80000000;

/** A workchain as an unsigned number of the same order. A truncated number would be another workchain. */
export function orderedWorkchain(workchain: number): number {
  if ((workchain | 0) !== workchain) throw new RangeError(`workchain ${workchain}: expected a signed 32-bit integer`);
  return (workchain ^ SIGN) >>> 0;
}

/** Writes an account into a longer key. */
export function putAccount(key: Buffer, account: AccountId, at: number): Buffer {
  key.writeUInt32BE(orderedWorkchain(account.workchain), at);
  key.set(account.hash, at + 4);
  return key;
}
