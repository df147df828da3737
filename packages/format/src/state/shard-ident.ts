import type { CellBuilder } from "../cells/cell-builder.ts";
import type { AccountId, ShardId } from "../identifiers/types.ts";

/** The shard that is a whole workchain. */
export const WHOLE_WORKCHAIN: bigint = -(2n ** 63n);

/** Bits of the addresses' common prefix: 0 where the shard is its whole workchain. */
export function prefixLength(shard: bigint): number {
  const marked = BigInt.asUintN(64, shard);
  let zeros = 0;
  while (((marked >> BigInt(zeros)) & 1n) === 0n) zeros += 1;
  return 63 - zeros;
}

/** Does the account live in this shard? */
export function containsAccount({ workchain, shard }: ShardId, account: AccountId): boolean {
  return account.workchain === workchain && containsPrefix(shard, addressPrefix(account.hash));
}

/** Does an address that begins with these 64 bits lie in a shard? */
function containsPrefix(shard: bigint, prefix: bigint): boolean {
  const marked = BigInt.asUintN(64, shard);
  const mark = marked & -marked;
  return ((marked ^ prefix) & ~(mark | (mark - 1n))) === 0n;
}

/** The first 64 bits of an address. */
export function addressPrefix(hash: Uint8Array): bigint {
  return new DataView(hash.buffer, hash.byteOffset).getBigUint64(0);
}

/** Writes a TL-B ShardIdent: 104 bits. The prefix stands without its marking bit. */
export function writeShardIdent(builder: CellBuilder, { workchain, shard }: ShardId): void {
  const marked = BigInt.asUintN(64, shard);
  builder
    .uint(0, 2)
    .uint(prefixLength(shard), 6)
    .int(workchain, 32)
    .bigUint(marked & (marked - 1n), 64);
}
