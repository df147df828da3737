import { Cell, CellType, type Slice } from "@ton/core";
import { type Amounts, NOTHING, plus, readAmounts, text } from "./amounts.ts";
import { must, mustEqual } from "./dictionary.ts";
import { type WalkedShard, walkMasterchainExtra } from "./masterchain.ts";
import { type Described, walkInMessages, walkOutMessages } from "./messages.ts";
import { type WalkedTransaction, walkAccountBlocks } from "./transactions.ts";
import { applyUpdate } from "./update.ts";

/** A reference to a block. */
export interface WalkedRef {
  readonly endLt: bigint;
  readonly seqno: number;
  readonly rootHash: string;
  readonly fileHash: string;
}

/** The header of a block. */
interface WalkedInfo {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly time: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly isKey: boolean;
  readonly validators: { readonly listHash: number; readonly catchainSeqno: number };
  readonly minRef: number;
  /** Number of the last key block before it. */
  readonly keySeqno: number;
  readonly verticalSeqno: number;
  readonly software: { readonly version: number; readonly capabilities: bigint } | undefined;
  readonly previous: readonly WalkedRef[];
  readonly flags: WalkedFlags;
  readonly master: WalkedRef | undefined;
}

/** The contents of a block that passed all checks. */
export interface WalkedBlock extends WalkedInfo {
  readonly globalId: number;
  readonly oldState: string;
  /** After a merge, the states of both halves. */
  readonly oldStates: readonly string[];
  readonly newState: string;
  readonly flow: Flow;
  readonly inMessages: ReadonlyMap<string, Described>;
  readonly outMessages: ReadonlyMap<string, Described>;
  readonly transactions: readonly WalkedTransaction[];
  readonly shards: readonly WalkedShard[];
  /** Of a key block: root of the dictionary of parameters. */
  readonly config: Cell | undefined;
}

/** Of splits and merges. */
type WalkedFlags = Readonly<Record<"afterMerge" | "beforeSplit" | "afterSplit" | "wantSplit" | "wantMerge", boolean>>;

type FlowPart = "before" | "after" | "imported" | "exported" | "feesCollected" | "burned" | "feesImported" | "created";
type Flow = Readonly<Record<FlowPart, Amounts>>;

/** Reads a block by its TL-B scheme and checks every tag, sum, hash and link in it. Throws at the first wrong one. */
export function walkBlock(boc: Uint8Array): WalkedBlock {
  const [root] = Cell.fromBoc(Buffer.from(boc)) as [Cell];
  const slice = root.beginParse();
  mustEqual(slice.loadUint(32).toString(16), "11ef55aa", "tag of a block");
  const globalId = slice.loadInt(32);
  const info = readInfo(slice.loadRef().beginParse());
  const flow = readFlow(slice.loadRef().beginParse());
  const update = readUpdate(slice.loadRef());
  const extra = slice.loadRef().beginParse();
  const ins = walkInMessages(extra.loadRef());
  const outs = walkOutMessages(extra.loadRef());
  const { fees, transactions } = walkAccountBlocks(extra.loadRef());
  mustEqual(extra.loadUint(32).toString(16), "4a33f6fd", "tag of a BlockExtra");
  extra.skip(512);
  const masterchain = extra.loadBit() ? walkMasterchainExtra(extra.loadRef()) : undefined;
  mustEqual(extra.remainingBits + extra.remainingRefs, 0, "bits and references after a BlockExtra");
  mustEqual(masterchain !== undefined, info.workchain === -1, "McBlockExtra of a block");
  mustEqual(masterchain?.config !== undefined, info.isKey, "key_block flag");
  mustEqual(update.oldStates.length, info.previous.length, "states before a block");

  mustEqual(text(flow.imported), text(ins.sum.value), "value that comes in");
  mustEqual(text(flow.exported), text(outs.sum), "value that goes out");
  mustEqual(text(flow.feesImported), text(masterchain?.fees ?? NOTHING), "fees of the shards");
  const collected = plus(fees, ins.sum.fees, flow.feesImported, flow.created);
  checkFees(flow, collected);
  checkMessages(transactions, ins.entries, outs.entries);
  for (const { lt } of transactions) must(info.startLt <= lt && lt < info.endLt, `lt ${lt} is outside the block`);
  return {
    globalId,
    ...info,
    ...update,
    flow,
    inMessages: ins.entries,
    outMessages: outs.entries,
    transactions,
    shards: masterchain?.shards ?? [],
    config: masterchain?.config,
  };
}

/** Fees are collected or burned. The second form of a value flow has no separate amounts for burned fees and for other burned value. */
function checkFees({ feesCollected, burned }: Flow, expected: Amounts): void {
  for (const id of new Set([...expected.keys(), ...feesCollected.keys()])) {
    const missing = (expected.get(id) ?? 0n) - (feesCollected.get(id) ?? 0n);
    const what = `fees of ${text(expected)} are collected as ${text(feesCollected)} where ${text(burned)} is burned`;
    must(0n <= missing && missing <= (burned.get(id) ?? 0n), what);
  }
}

/** Every message of a transaction must have a description with that transaction, and the reverse. */
function checkMessages(
  transactions: readonly WalkedTransaction[],
  ins: ReadonlyMap<string, Described>,
  outs: ReadonlyMap<string, Described>,
): void {
  const byHash = new Map(transactions.map((transaction) => [transaction.hash, transaction]));
  for (const { hash, inMessage, outMessages } of transactions) {
    if (inMessage) mustEqual(ins.get(inMessage)?.transaction, hash, "transaction of an inbound message");
    for (const message of outMessages) mustEqual(outs.get(message)?.transaction, hash, "transaction of an outbound message");
  }
  for (const { message, transaction } of ins.values()) {
    if (transaction) mustEqual(byHash.get(transaction)?.inMessage, message, "message of an inbound message's transaction");
  }
  for (const { message, transaction, imported, envelope } of outs.values()) {
    if (transaction) must(byHash.get(transaction)?.outMessages.includes(message) === true, "a message was not sent");
    if (!imported) continue;
    mustEqual(ins.get(message)?.hash, imported, "inbound description of an outbound message");
    mustEqual(ins.get(message)?.envelope, envelope, "envelope of a reimported message");
  }
}

function readInfo(slice: Slice): WalkedInfo {
  mustEqual(slice.loadUint(32).toString(16), "9bc7a987", "tag of a BlockInfo");
  mustEqual(slice.loadUint(32), 0, "version of a BlockInfo");
  const isMaster = !slice.loadBit();
  const [afterMerge, beforeSplit, afterSplit] = [slice.loadBit(), slice.loadBit(), slice.loadBit()];
  const [wantSplit, wantMerge] = [slice.loadBit(), slice.loadBit()];
  const isKey = slice.loadBit();
  const isVertical = slice.loadBit();
  const contents = slice.loadUint(8);
  const seqno = slice.loadUint(32);
  const verticalSeqno = slice.loadUint(32);
  const { workchain, shard } = readShard(slice);
  mustEqual(isMaster, workchain === -1, "not_master flag");
  const time = slice.loadUint(32);
  const startLt = slice.loadUintBig(64);
  const endLt = slice.loadUintBig(64);
  const validators = { listHash: slice.loadUint(32), catchainSeqno: slice.loadUint(32) };
  const minRef = slice.loadUint(32);
  const keySeqno = slice.loadUint(32);
  must(contents < 2, `a BlockInfo has flags ${contents}`);
  const software = contents === 1 ? readSoftware(slice) : undefined;
  const master = isMaster ? undefined : readRef(slice.loadRef().beginParse());
  const before = slice.loadRef();
  const previous = afterMerge ? before.refs.map((ref) => readRef(ref.beginParse())) : [readRef(before.beginParse())];
  must(
    !isVertical && slice.remainingBits === 0 && slice.remainingRefs === 0,
    "a BlockInfo has bits or references after its end",
  );
  mustEqual(previous.length, afterMerge ? 2 : 1, "blocks before a block");
  mustEqual(seqno, 1 + Math.max(...previous.map((ref) => ref.seqno)), "number of a block");
  must(!(afterMerge && afterSplit), "a block is after a merge and after a split");
  const flags = { afterMerge, beforeSplit, afterSplit, wantSplit, wantMerge };
  return {
    ...{ workchain, shard, seqno, time, startLt, endLt, isKey, validators, minRef, keySeqno, previous, flags, master },
    ...{ verticalSeqno, software },
  };
}

/** GlobalVersion. */
function readSoftware(slice: Slice): WalkedBlock["software"] {
  mustEqual(slice.loadUint(8), 0xc4, "tag of a version");
  return { version: slice.loadUint(32), capabilities: slice.loadUintBig(64) };
}

/** ShardIdent. */
export function readShard(slice: Slice): { workchain: number; shard: string } {
  mustEqual(slice.loadUint(2), 0, "tag of a shard");
  const bits = slice.loadUint(6);
  const workchain = slice.loadInt(32);
  const prefix = slice.loadUintBig(64);
  const shard = prefix | (1n << BigInt(63 - bits));
  must(prefix % (1n << BigInt(64 - bits)) === 0n, "a shard's prefix has more bits than its length");
  return { workchain, shard: shard.toString(16).padStart(16, "0") };
}

/** ExtBlkRef. */
export function readRef(slice: Slice): WalkedRef {
  return {
    endLt: slice.loadUintBig(64),
    seqno: slice.loadUint(32),
    rootHash: slice.loadBuffer(32).toString("hex"),
    fileHash: slice.loadBuffer(32).toString("hex"),
  };
}

function readFlow(slice: Slice): Flow {
  const tag = slice.loadUint(32).toString(16);
  must(tag === "b8e48dfb" || tag === "3ebf98b7", `a value flow has tag ${tag}`);
  const [before, after, imported, exported] = readFour(slice.loadRef());
  const feesCollected = readAmounts(slice);
  const burned = tag === "3ebf98b7" ? readAmounts(slice) : NOTHING;
  const [feesImported, recovered, created, minted] = readFour(slice.loadRef());
  mustEqual(slice.remainingBits, 0, "bits after a value flow");
  const comes = plus(before, imported, feesImported, recovered, created, minted);
  mustEqual(text(comes), text(plus(after, exported, feesCollected, burned)), "value that goes out of a block");
  return { before, after, imported, exported, feesCollected, burned, feesImported, created };
}

function readFour(cell: Cell): [Amounts, Amounts, Amounts, Amounts] {
  const slice = cell.beginParse();
  return [readAmounts(slice), readAmounts(slice), readAmounts(slice), readAmounts(slice)];
}

/** MERKLE_UPDATE ShardState. */
function readUpdate(cell: Cell): Pick<WalkedBlock, "oldState" | "oldStates" | "newState"> {
  must(cell.type === CellType.MerkleUpdate, "a block's state update is not a Merkle update");
  const [before, after] = cell.refs as [Cell, Cell];
  applyUpdate(cell, before);
  const hashOf = (state: Cell) => state.hash(0).toString("hex");
  const isSplit = !before.isExotic && before.beginParse().loadUint(32) === 0x5f327da5;
  return { oldState: hashOf(before), oldStates: (isSplit ? before.refs : [before]).map(hashOf), newState: hashOf(after) };
}
