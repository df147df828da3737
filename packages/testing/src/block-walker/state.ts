import type { Cell, Slice } from "@ton/core";
import { type Amounts, NOTHING, plus, readAmounts, readVarUint, text } from "./amounts.ts";
import { readRef, readShard, type WalkedRef } from "./block.ts";
import { must, mustEqual, type Sum, walkAugmentedE, walkDictionary } from "./dictionary.ts";
import { type WalkedLibraries, walkLibraries, walkPublished } from "./libraries.ts";
import { readShardHashes, type WalkedShard } from "./masterchain.ts";
import { readEnvelope } from "./messages.ts";

/** The contents of a state that passed all checks. */
export interface WalkedState extends WalkedMasterchain {
  readonly hash: string;
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly time: number;
  readonly lt: bigint;
  readonly beforeSplit: boolean;
  readonly balance: Amounts;
  readonly validatorFees: Amounts;
  readonly accounts: ReadonlyMap<string, WalkedAccount>;
  /** Hashes of the messages in the queue, by key. */
  readonly queue: ReadonlyMap<string, string>;
  /** Value and remaining fees of the messages in the queue. */
  readonly inFlight: Amounts;
  readonly master: WalkedRef | undefined;
  readonly libraries: WalkedLibraries;
}

interface WalkedAccount {
  readonly balance: Amounts;
  readonly lastHash: string;
  readonly lastLt: bigint;
}

/** The part of a state that only the masterchain has; empty in other states. */
export interface WalkedMasterchain {
  readonly shards: readonly WalkedShard[];
  /** Root of the dictionary of parameters. */
  readonly config: Cell | undefined;
  readonly past: ReadonlyMap<number, WalkedRef>;
  /** Numbers of the key blocks in `past`. */
  readonly keys: readonly number[];
  readonly afterKey: boolean;
  readonly lastKey: WalkedRef | undefined;
  readonly globalBalance: Amounts;
}

/** Reads a ShardStateUnsplit with all its accounts and checks every tag, sum and hash in it. Throws at the first wrong one. */
export function walkState(root: Cell): WalkedState {
  const slice = root.beginParse();
  mustEqual(slice.loadUint(32).toString(16), "9023afe2", "tag of a state");
  slice.skip(32);
  const { workchain, shard } = readShard(slice);
  const seqno = slice.loadUint(32);
  slice.skip(32);
  const time = slice.loadUint(32);
  const lt = slice.loadUintBig(64);
  slice.skip(32);
  const { queue, inFlight } = walkQueue(slice.loadRef().beginParse());
  const beforeSplit = slice.loadBit();
  const { accounts, balance, published } = walkAccounts(slice.loadRef().beginParse());
  const totals = slice.loadRef().beginParse();
  totals.skip(128);
  mustEqual(text(readAmounts(totals)), text(balance), "total balance");
  const validatorFees = readAmounts(totals);
  const libraries = walkLibraries(totals);
  const pairs = [...libraries].flatMap(([library, publishers]) => publishers.map((publisher) => `${library} ${publisher}`));
  mustEqual(pairs.join(), workchain === -1 ? published.sort().join() : "", "public libraries");
  const master = totals.loadBit() ? readRef(totals) : undefined;
  const extra = slice.loadBit() ? walkExtra(slice.loadRef().beginParse()) : NO_EXTRA;
  mustEqual(slice.remainingBits + slice.remainingRefs + totals.remainingBits, 0, "bits and references after a state");
  const hash = root.hash().toString("hex");
  const numbers = { hash, workchain, shard, seqno, time, lt, beforeSplit };
  return { ...numbers, balance, validatorFees, accounts, queue, inFlight, master, libraries, ...extra };
}

function ordered(a: bigint, b: bigint): readonly [lower: bigint, higher: bigint] {
  return a < b ? [a, b] : [b, a];
}

const EARLIEST: Sum<bigint> = {
  read: (slice) => slice.loadUintBig(64),
  combine: (a, b) => ordered(a, b)[0],
  text: String,
};

/** OutMsgQueueInfo. */
function walkQueue(slice: Slice): { queue: Map<string, string>; inFlight: Amounts } {
  const queue = new Map<string, string>();
  let inFlight = NOTHING;
  walkAugmentedE(slice, 352, EARLIEST, 0n, (key, leaf) => {
    leaf.skip(64);
    const envelope = readEnvelope(leaf.loadRef());
    const name = key.toString(16).padStart(88, "0");
    mustEqual(envelope.hash, name.slice(24), "hash in the key of a queue");
    checkHop(name, envelope);
    mustEqual(leaf.remainingBits, 0, "bits after a message of a queue");
    inFlight = plus(inFlight, envelope.value, new Map([[0, envelope.feeLeft]]));
    queue.set(name, envelope.hash);
    return envelope.createdLt;
  });
  if (slice.loadBit())
    walkDictionary(slice.loadRef(), 96, (_, leaf) => mustEqual(leaf.remainingBits, 64 + 256, "processed up to"));
  must(slice.loadBit(), "a state has no OutMsgQueueExtra");
  mustEqual(slice.loadUint(4), 0, "tag of an OutMsgQueueExtra");
  mustEqual(slice.loadUintBig(1 + 64), 0n, "empty dispatch queue");
  must(slice.loadBit(), "a state has no size of its queue");
  mustEqual(slice.loadUint(48), queue.size, "size of a queue");
  mustEqual(slice.remainingBits + slice.remainingRefs, 0, "bits and references after a queue");
  return { queue, inFlight };
}

/** The next hop in the key must share as many bits with the destination as the envelope states. */
function checkHop(name: string, { destination, nextBits }: ReturnType<typeof readEnvelope>): void {
  must(destination !== undefined, "a message of a queue has no destination");
  const prefix = (BigInt.asUintN(32, BigInt(destination.workchain)) << 64n) | (destination.hash >> 192n);
  const rest = BigInt(96 - nextBits);
  mustEqual(BigInt(`0x${name.slice(0, 24)}`) >> rest, prefix >> rest, "next hop of a message");
}

const BALANCES: Sum<Amounts> = {
  read: (slice) => {
    mustEqual(slice.loadUint(5), 0, "split depth of an account");
    return readAmounts(slice);
  },
  combine: plus,
  text,
};

/** ShardAccounts. `published` has "library publisher" of each public library. */
function walkAccounts(slice: Slice): { accounts: WalkedState["accounts"]; balance: Amounts; published: string[] } {
  const published: string[] = [];
  const accounts = new Map<string, WalkedAccount>();
  const sum = walkAugmentedE(slice, 256, BALANCES, NOTHING, (key, leaf) => {
    const address = key.toString(16).padStart(64, "0");
    const account = readAccount(leaf.loadRef().beginParse(), address);
    const lastHash = leaf.loadBuffer(32).toString("hex");
    const lastLt = leaf.loadUintBig(64);
    must(
      lastLt < account.lt || (lastLt === 0n && account.lt === 0n),
      "an account's state is not later than its last transaction",
    );
    accounts.set(address, { balance: account.balance, lastHash, lastLt });
    for (const library of account.published) published.push(`${library} ${address}`);
    return account.balance;
  });
  mustEqual(slice.remainingBits, 0, "bits after accounts");
  return { accounts, balance: sum, published };
}

/** Account: balance, the lt after its last transaction, and the libraries that it publishes. */
function readAccount(slice: Slice, address: string): { balance: Amounts; lt: bigint; published: string[] } {
  must(slice.loadBit(), "a state holds an account_none");
  mustEqual(slice.loadUint(3), 4, "form of an account's address");
  slice.skip(8);
  mustEqual(slice.loadBuffer(32).toString("hex"), address, "address of an account");
  readVarUint(slice, 3);
  readVarUint(slice, 3);
  if (slice.loadUint(3) === 1) slice.skip(256);
  slice.skip(32);
  if (slice.loadBit()) readVarUint(slice, 4);
  const lt = slice.loadUintBig(64);
  const balance = readAmounts(slice);
  return { lt, balance, published: slice.loadBit() ? walkPublished(slice) : [] };
}

const NO_EXTRA: WalkedMasterchain = {
  shards: [],
  config: undefined,
  past: new Map(),
  keys: [],
  afterKey: false,
  lastKey: undefined,
  globalBalance: NOTHING,
};

interface Past {
  readonly hasKey: boolean;
  readonly endLt: bigint;
}

const PAST: Sum<Past> = {
  read: (slice) => ({ hasKey: slice.loadBit(), endLt: slice.loadUintBig(64) }),
  combine: (a, b) => ({ hasKey: a.hasKey || b.hasKey, endLt: ordered(a.endLt, b.endLt)[1] }),
  text: ({ hasKey, endLt }) => `${hasKey} ${endLt}`,
};

/** Reads the McStateExtra of a state whose other parts may be pruned. */
export function walkMasterchain(root: Cell): WalkedMasterchain {
  return walkExtra((root.refs[3] as Cell).beginParse());
}

/** McStateExtra. */
function walkExtra(slice: Slice): WalkedMasterchain {
  mustEqual(slice.loadUint(16), 0xcc26, "tag of a masterchain state");
  const shards = readShardHashes(slice);
  slice.skip(256);
  const config = slice.loadRef();
  walkDictionary(config, 32, (_, leaf) => leaf.loadRef());
  const history = slice.loadRef().beginParse();
  mustEqual(history.loadUint(16), 0, "flags of a masterchain state");
  history.skip(65);
  const past = new Map<number, WalkedRef>();
  const keys: number[] = [];
  walkAugmentedE(history, 32, PAST, { hasKey: false, endLt: 0n }, (key, leaf) => {
    const hasKey = leaf.loadBit();
    const block = readRef(leaf);
    mustEqual(block.seqno, key, "number of a past block");
    past.set(block.seqno, block);
    if (hasKey) keys.push(block.seqno);
    return { hasKey, endLt: block.endLt };
  });
  const afterKey = history.loadBit();
  const lastKey = history.loadBit() ? readRef(history) : undefined;
  const globalBalance = readAmounts(slice);
  mustEqual(slice.remainingBits + slice.remainingRefs + history.remainingBits, 0, "bits and references after a McStateExtra");
  mustEqual(lastKey?.seqno, keys.at(-1), "last key block before a state");
  return { shards, config, past, keys, afterKey, lastKey, globalBalance };
}
