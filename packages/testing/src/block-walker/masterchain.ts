import type { Cell, Slice } from "@ton/core";
import { type Amounts, NOTHING, plus, readAmounts, text } from "./amounts.ts";
import { must, mustEqual, type Sum, walkAugmentedE, walkDictionary } from "./dictionary.ts";

/** A ShardDescr. */
export interface WalkedShard {
  readonly workchain: number;
  /** The prefix, a 1 and zeros, as an unsigned 64-bit integer in hexadecimal. */
  readonly shard: string;
  readonly seqno: number;
  readonly registered: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly rootHash: string;
  readonly fileHash: string;
  readonly fees: Amounts;
  /** before_split, before_merge, want_split and want_merge as binary digits. */
  readonly flags: string;
  /** FutureSplitMerge. */
  readonly future: { readonly kind: "split" | "merge"; readonly start: number; readonly interval: number } | undefined;
}

type Fees = Readonly<Record<"fees" | "created", Amounts>>;

const FEES: Sum<Fees> = {
  read: (slice) => ({ fees: readAmounts(slice), created: readAmounts(slice) }),
  combine: (a, b) => ({ fees: plus(a.fees, b.fees), created: plus(a.created, b.created) }),
  text: ({ fees, created }) => `${text(fees)} | ${text(created)}`,
};

/** McBlockExtra: the shards, the fees of those with new blocks, and in a key block the configuration. */
export function walkMasterchainExtra(cell: Cell): { shards: WalkedShard[]; fees: Amounts; config: Cell | undefined } {
  const slice = cell.beginParse();
  mustEqual(slice.loadUint(16), 0xcca5, "tag of a masterchain block");
  const isKey = slice.loadBit();
  const shards = readShardHashes(slice);
  const fees = walkAugmentedE(slice, 96, FEES, { fees: NOTHING, created: NOTHING }, (key, leaf) => {
    const stated = FEES.read(leaf);
    const shard = shards.find(
      (one) => `${BigInt.asUintN(32, BigInt(one.workchain)).toString(16)}:${one.shard}` === keyText(key),
    );
    must(shard !== undefined, `fees come from ${keyText(key)}, which is not a shard`);
    mustEqual(text(stated.fees), text(shard.fees), "fees of a shard");
    return stated;
  });
  const others = slice.loadRef().beginParse();
  mustEqual(others.remainingBits >= 3, true, "presence of signatures and special messages");
  const config = isKey ? slice.skip(256).loadRef() : undefined;
  mustEqual(slice.remainingBits + slice.remainingRefs, 0, "bits and references after a McBlockExtra");
  return { shards, fees: fees.fees, config };
}

function keyText(key: bigint): string {
  return `${(key >> 64n).toString(16)}:${(key & 0xffffffffffffffffn).toString(16).padStart(16, "0")}`;
}

/** ShardHashes. */
export function readShardHashes(slice: Slice): WalkedShard[] {
  const shards: WalkedShard[] = [];
  if (!slice.loadBit()) return shards;
  walkDictionary(slice.loadRef(), 32, (workchain, leaf) => {
    walkTree(leaf.loadRef().beginParse(), Number(BigInt.asIntN(32, workchain)), 1n << 63n, shards);
  });
  return shards;
}

function walkTree(slice: Slice, workchain: number, shard: bigint, into: WalkedShard[]): void {
  if (slice.loadBit()) {
    const half = (shard & -shard) >> 1n;
    walkTree(slice.loadRef().beginParse(), workchain, shard - half, into);
    walkTree(slice.loadRef().beginParse(), workchain, shard + half, into);
    return;
  }
  const tag = slice.loadUint(4);
  must(tag === 0xa || tag === 0xb, `a shard's description has tag ${tag}`);
  const seqno = slice.loadUint(32);
  const registered = slice.loadUint(32);
  const startLt = slice.loadUintBig(64);
  const endLt = slice.loadUintBig(64);
  const rootHash = slice.loadBuffer(32).toString("hex");
  const fileHash = slice.loadBuffer(32).toString("hex");
  const flags = slice.loadUint(4).toString(2).padStart(4, "0");
  slice.skip(1);
  mustEqual(slice.loadUint(3), 0, "flags of a shard's description");
  slice.skip(32);
  mustEqual(slice.loadUintBig(64), shard, "next shard of a shard");
  slice.skip(32 + 32);
  const future = slice.loadBit() ? readFuture(slice) : undefined;
  const amounts = tag === 0xa ? slice.loadRef().beginParse() : slice;
  const fees = readAmounts(amounts);
  readAmounts(amounts);
  mustEqual(slice.remainingBits + amounts.remainingBits, 0, "bits after a shard's description");
  const name = shard.toString(16).padStart(16, "0");
  into.push({ workchain, shard: name, seqno, registered, startLt, endLt, rootHash, fileHash, fees, flags, future });
}

/** fsm_split or fsm_merge after its first bit. */
function readFuture(slice: Slice): WalkedShard["future"] {
  return { kind: slice.loadBit() ? "merge" : "split", start: slice.loadUint(32), interval: slice.loadUint(32) };
}
