/** Ids of accounts, shards, blocks and transactions, their text forms and their cells. */
import { hex, isEqual } from "./cells/bytes.ts";
import type { CellBuilder } from "./cells/cell-builder.ts";
import { CellError, type CellReader, readTag } from "./cells/cell-reader.ts";

/** An account. */
export interface AccountId {
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The 256 bits of the address. */
  readonly hash: Uint8Array;
}

/** A shard of a workchain: the accounts whose addresses begin with a prefix. */
export interface ShardId {
  readonly workchain: number;
  /** The prefix, a 1 and zeros, as a signed 64-bit integer: -2^63 is the whole workchain. */
  readonly shard: bigint;
}

/** A block by number and both hashes. A zero state counts as block 0. */
export interface BlockId extends ShardId {
  readonly seqno: number;
  /** Hash of the block's root cell, 32 bytes. */
  readonly rootHash: Uint8Array;
  /** SHA-256 of the block's bag of cells, 32 bytes. */
  readonly fileHash: Uint8Array;
}

/** A transaction of a known account. */
export interface TransactionId {
  readonly lt: bigint;
  /** Hash of the transaction's cell, 32 bytes. */
  readonly hash: Uint8Array;
}

/** Stands for "no transaction": lt 0 and 32 zero bytes. */
export const NO_TRANSACTION: TransactionId = { lt: 0n, hash: /* @__PURE__ */ new Uint8Array(32) };

/** A block by seqno, the first whose end lt is at or above a logical time, or the first at or after a time in Unix seconds. */
export type BlockSelector = { readonly seqno: number } | { readonly lt: bigint } | { readonly time: number };

/** The newest block of a shard, as far as selectors are compared with it. */
export interface ShardTip {
  readonly seqno: number;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly time: number;
}

/** Whether a selector names a block up to the newest one of the shard. After a merge, the shard may lack the number nevertheless. */
export function isReached(tip: ShardTip, selector: BlockSelector): boolean {
  if ("seqno" in selector) return selector.seqno <= tip.seqno;
  return "lt" in selector ? selector.lt <= tip.endLt : selector.time <= tip.time;
}

/** The shard that is a whole workchain. */
export const WHOLE_WORKCHAIN: bigint = -(2n ** 63n);

/** The only shard of the masterchain. */
export const MASTERCHAIN: ShardId = { workchain: -1, shard: WHOLE_WORKCHAIN };

/**
 * The raw address of an account.
 *
 * @example
 * accountName(account); // "0:C4CA4238A0B9238…"
 */
export function accountName({ workchain, hash }: AccountId): string {
  return `${workchain}:${hex(hash).toUpperCase()}`;
}

/**
 * A shard as text, its prefix in hexadecimal.
 *
 * @example
 * shardName({ workchain: 0, shard: 2n ** 62n }); // "0:4000000000000000"
 */
export function shardName({ workchain, shard }: ShardId): string {
  return `${workchain}:${BigInt.asUintN(64, shard).toString(16).padStart(16, "0")}`;
}

/**
 * A block as text.
 *
 * @example
 * blockName({ workchain: 0, shard: 2n ** 62n, seqno: 12 }); // "0:4000000000000000:12"
 */
export function blockName(block: ShardId & { readonly seqno: number }): string {
  return `${shardName(block)}:${block.seqno}`;
}

/** Number of bits in a shard's prefix: 0 for a whole workchain. Throws a RangeError for 0, which is not a shard. */
export function prefixLength(shard: bigint): number {
  if (shard === 0n) throw new RangeError("0 is not a shard");
  const marked = BigInt.asUintN(64, shard);
  let zeros = 0;
  while (((marked >> BigInt(zeros)) & 1n) === 0n) zeros += 1;
  return 63 - zeros;
}

/**
 * Whether two ids are of the same shard.
 *
 * @example
 * isSameShard(block, block.previous); // false after a split or a merge
 */
export function isSameShard(a: ShardId, b: ShardId): boolean {
  return a.workchain === b.workchain && a.shard === b.shard;
}

/** Whether an account belongs to a shard. */
export function containsAccount(shard: ShardId, { workchain, hash }: AccountId): boolean {
  return isWithin(workchain, addressPrefix(hash), shard);
}

function isWithin(workchain: number, prefix: bigint, within: ShardId): boolean {
  const marked = BigInt.asUintN(64, within.shard);
  const mark = marked & -marked;
  return workchain === within.workchain && ((marked ^ prefix) & ~(mark | (mark - 1n))) === 0n;
}

/**
 * Whether a shard has the account whose address begins with the 64 bits of a shard id, its marking bit included. Lite servers read any
 * shard id in this way: a shard is found by its own id and by the ids of smaller shards in it. 0 is not a shard.
 */
export function containsPrefix(known: ShardId, { workchain, shard }: ShardId): boolean {
  return shard !== 0n && isWithin(workchain, BigInt.asUintN(64, shard), known);
}

/**
 * All shards of any depth for a shard id, by {@link containsPrefix}; the masterchain has one. At each moment a chain has one of them.
 *
 * @param maxDepth - Bits of an address by which the chain splits its shards, at most.
 */
export function shardsOfPrefix({ workchain, shard }: ShardId, maxDepth: number = MAX_DEPTH): ShardId[] {
  if (shard === 0n) return [];
  const depths = workchain === MASTERCHAIN.workchain ? 1 : maxDepth + 1;
  return Array.from({ length: depths }, (_, depth) => {
    const mark = 1n << BigInt(63 - depth);
    return { workchain, shard: BigInt.asIntN(64, (BigInt.asUintN(64, shard) & -(2n * mark)) | mark) };
  });
}

/** Bits of an address by which shards are split, at most. */
const MAX_DEPTH = 60;

/** The smallest shard that contains an account: 60 bits of its address. */
export function smallestShard({ workchain, hash }: AccountId): ShardId {
  return smallestShardAt({ workchain, shard: addressPrefix(hash) });
}

/** The smallest shard with the first 60 bits of a shard's id. Lite servers find the shard of the chain by it, as by an account. */
export function smallestShardAt({ workchain, shard }: ShardId): ShardId {
  return { workchain, shard: BigInt.asIntN(64, (BigInt.asUintN(64, shard) & ~15n) | 8n) };
}

/** The first of the smallest shards that a shard contains. */
export function smallestWithin({ workchain, shard }: ShardId): ShardId {
  const marked = BigInt.asUintN(64, shard);
  return { workchain, shard: BigInt.asIntN(64, marked & 15n ? marked : (marked & (marked - 1n)) | 8n) };
}

/** Whether one of two shards contains the other. */
export function intersects(a: ShardId, b: ShardId): boolean {
  if (a.workchain !== b.workchain) return false;
  const [one, other] = [BigInt.asUintN(64, a.shard), BigInt.asUintN(64, b.shard)];
  const marks = (one & -one) | (other & -other);
  // Prefixes are compared up to the end of the shorter one: the higher mark.
  const end = BigInt(marks.toString(2).length);
  return one >> end === other >> end;
}

/** The order of shards: the masterchain first, then by rising prefix. */
export function compareShards(a: ShardId, b: ShardId): number {
  if (a.workchain !== b.workchain) return a.workchain - b.workchain;
  return BigInt.asUintN(64, a.shard) < BigInt.asUintN(64, b.shard) ? -1 : 1;
}

/** Both halves of a shard. */
export function childShards({ workchain, shard }: ShardId): readonly [ShardId, ShardId] {
  const marked = BigInt.asUintN(64, shard);
  const half = (marked & -marked) >> 1n;
  const child = (value: bigint): ShardId => ({ workchain, shard: BigInt.asIntN(64, value) });
  return [child(marked - half), child(marked + half)];
}

/** The shard of which a shard is one half. */
export function parentShard({ workchain, shard }: ShardId): ShardId {
  const marked = BigInt.asUintN(64, shard);
  const mark = marked & -marked;
  return { workchain, shard: BigInt.asIntN(64, (marked - mark) | (mark << 1n)) };
}

/** The first 64 bits of an address, as an unsigned integer. */
export function addressPrefix(hash: Uint8Array): bigint {
  return new DataView(hash.buffer, hash.byteOffset).getBigUint64(0);
}

/**
 * Writes a shard, 104 bits.
 *
 * TL-B `shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent`.
 */
export function writeShardIdent(builder: CellBuilder, { workchain, shard }: ShardId): void {
  const marked = BigInt.asUintN(64, shard);
  builder
    .uint(0, 2)
    .uint(prefixLength(shard), 6)
    .int(workchain, 32)
    .bigUint(marked & (marked - 1n), 64);
}

/** Reads a shard, see `writeShardIdent`. Throws a CellError if its prefix has more than 60 bits, or a 1 after them. */
export function readShardIdent(reader: CellReader): ShardId {
  readTag(reader, 2, "ShardIdent", 0);
  const bits = reader.uint(6);
  const workchain = reader.int(32);
  const prefix = reader.bigUint(64);
  const mark = 1n << BigInt(63 - bits);
  if (bits > MAX_DEPTH || (prefix & (2n * mark - 1n)) !== 0n) {
    throw new CellError(
      `a shard has a prefix of ${bits} bits, ${prefix.toString(16)}: expected at most 60 bits, and zeros after them`,
    );
  }
  return { workchain, shard: BigInt.asIntN(64, prefix | mark) };
}

/** A block as another one refers to it, where workchain and shard are known. A zero state has number and lt 0. */
export interface BlockRef {
  readonly endLt: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

/** The id of a block, and its end lt, from a reference to it. */
export function namedBlock({ workchain, shard }: ShardId, ref: BlockRef): BlockId & BlockRef {
  return { workchain, shard, seqno: ref.seqno, rootHash: ref.rootHash, fileHash: ref.fileHash, endLt: ref.endLt };
}

/** Whether two ids are of the same account. */
export function isSameAccount(a: AccountId | undefined, b: AccountId): boolean {
  return a?.workchain === b.workchain && isEqual(a.hash, b.hash);
}

/** Whether two ids are equal in all their parts. */
export function isSameBlock(a: BlockId, b: BlockId): boolean {
  return (
    a.workchain === b.workchain &&
    a.shard === b.shard &&
    a.seqno === b.seqno &&
    isEqual(a.rootHash, b.rootHash) &&
    isEqual(a.fileHash, b.fileHash)
  );
}

/**
 * Writes a reference to a block, 608 bits.
 *
 * TL-B `ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef`.
 */
export function writeBlockRef(builder: CellBuilder, block: BlockRef): CellBuilder {
  return builder.bigUint(block.endLt, 64).uint(block.seqno, 32).bytes(block.rootHash).bytes(block.fileHash);
}

/** Reads a reference to a block, see `writeBlockRef`. */
export function readBlockRef(reader: CellReader): BlockRef {
  return { endLt: reader.bigUint(64), seqno: reader.uint(32), rootHash: reader.bytes(32), fileHash: reader.bytes(32) };
}

/** Writes the address of an account, 267 bits. TL-B `addr_std$10` without anycast, see `readAddress`. */
export function writeAddress(builder: CellBuilder, { workchain, hash }: AccountId): CellBuilder {
  return builder.uint(0b100, 3).int(workchain, 8).bytes(hash);
}

/**
 * Reads an address. Undefined for addresses outside the chain, which name no account (`addr_none`, `addr_extern`).
 *
 * TL-B `addr_none$00 = MsgAddressExt`, `addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt`,
 * `addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt`,
 * `addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len) = MsgAddressInt`.
 *
 * @throws CellError for an `addr_var` that does not have 256 bits; accounts of this network family have no others.
 */
export function readAddress(reader: CellReader): AccountId | undefined {
  const kind = reader.uint(2);
  if (kind >= STANDARD) return readInternal(reader, kind);
  if (kind === EXTERNAL) reader.skip(reader.uint(9));
  return undefined;
}

/** Reads the address of an account, see `readAddress`. Throws a CellError for addresses outside the chain, too. */
export function readAccountAddress(reader: CellReader): AccountId {
  return readInternal(reader, readTag(reader, 2, "MsgAddressInt", STANDARD, VARIABLE));
}

/** Skips an address outside the chain, see `readAddress`. Throws a CellError for the address of an account. */
export function skipExternalAddress(reader: CellReader): undefined {
  if (readTag(reader, 2, "MsgAddressExt", NONE, EXTERNAL) === EXTERNAL) reader.skip(reader.uint(9));
}

const [NONE, EXTERNAL, STANDARD, VARIABLE] = [0, 1, 2, 3] as const;

function readInternal(reader: CellReader, kind: number): AccountId {
  const anycast = readAnycast(reader);
  const isStandard = kind === STANDARD;
  const bits = isStandard ? 256 : reader.uint(9);
  if (bits !== 256) throw new CellError(`an address has ${bits} bits, expected 256`);
  const workchain = isStandard ? reader.int(8) : reader.int(32);
  const hash = reader.bytes(32);
  return { workchain, hash: anycast ? applyAnycast(hash, anycast) : hash };
}

/**
 * Bits that replace the first bits of an address.
 *
 * TL-B `anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast`.
 */
function readAnycast(reader: CellReader) {
  if (!reader.bit()) return undefined;
  const depth = reader.uint(5);
  if (depth < 1 || depth > 30) throw new CellError(`an anycast prefix has ${depth} bits, expected 1 to 30`);
  return { depth, prefix: reader.uint(depth) };
}

function applyAnycast(hash: Uint8Array, { depth, prefix }: NonNullable<ReturnType<typeof readAnycast>>): Uint8Array {
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  const kept = view.getUint32(0) % 2 ** (32 - depth);
  view.setUint32(0, prefix * 2 ** (32 - depth) + kept);
  return hash;
}
