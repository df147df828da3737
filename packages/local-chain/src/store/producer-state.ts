import { hex, readBoc } from "@chain-query/format/cells";
import { Trie } from "@chain-query/format/dictionaries";
import { type AccountId, type BlockId, type BlockRef, type ShardId, shardName } from "@chain-query/format/identifiers";
import { readMessageHeader } from "@chain-query/format/messages";
import {
  type MasterchainExtra,
  type PastBlock,
  PUBLIC_LIBRARIES,
  type QueuedMessage,
  readPublicLibraries,
  restoreQueuedMessage,
  type ShardState,
} from "@chain-query/format/states";
import type { ChainStoreContents } from "./commit.ts";

/**
 * The table "producer": the state from which a producer resumes, besides the accounts. Each record is JSON or a bag of cells under a text
 * key. Each message of a queue or pool has a record of its own, so that a step writes only changes.
 */

/** The newest block of a shard, or its zero state. */
export interface ShardTip {
  readonly id: BlockId;
  readonly ref: BlockRef;
  /** Unix seconds. */
  readonly time: number;
}

/** A shard without its accounts, queue, configuration, libraries and past blocks, which have records of their own. */
interface SavedShard {
  readonly state: Omit<ShardState, "queue" | "accounts" | "masterchain">;
  readonly tip: ShardTip;
  /** In the masterchain only. */
  readonly extra?: Omit<MasterchainExtra, "past" | "config" | "libraries">;
}

/** An external message that waits for a block. */
export interface WaitingMessage {
  /** Order of arrival in the network. */
  readonly number: number;
  readonly to: AccountId;
  /** Bag of cells. */
  readonly boc: Uint8Array;
}

/** Counters that the traffic continues from. */
export interface TrafficCounters {
  /** External messages so far. */
  messages: number;
  /** Wallets that were deployed, or received value to be deployed with. */
  wallets: number;
  /** Addresses that were used as destinations and belong to no contract. */
  strangers: number;
}

export const CONFIG_KEY = "config";
export const COUNTERS_KEY = "counters";
export const LIBRARIES_KEY = "libraries";
const PAST_PREFIX = "past/";
const POOL_PREFIX = "pool/";

export function savedShardKey(shard: ShardId): string {
  return `shard/${shardName(shard)}`;
}

function queuePrefix(shard: ShardId): string {
  return `queue/${shardName(shard)}/`;
}

export function queueKey(shard: ShardId, { key }: QueuedMessage): string {
  return `${queuePrefix(shard)}${hex(key)}`;
}

export function poolKey({ number }: WaitingMessage): string {
  return `${POOL_PREFIX}${padded(number)}`;
}

export function pastKeyOf({ block }: PastBlock): string {
  return `${PAST_PREFIX}${padded(block.seqno)}`;
}

/** Leading zeros make the order of keys the order of numbers. */
function padded(value: number): string {
  return value.toString().padStart(12, "0");
}

/** Encodes a shard, without the parts that have records of their own. */
export function encodeShard({
  state,
  tip,
}: {
  readonly state: Omit<ShardState, "accounts">;
  readonly tip: ShardTip;
}): Uint8Array {
  const { globalId, shard, seqno, time, lt, minRefMasterchainSeqno, processed, totalValidatorFees, master } = state;
  const { isBeforeSplit, load } = state;
  const numbers = { globalId, shard, seqno, time, lt, minRefMasterchainSeqno };
  const saved = { ...numbers, processed, totalValidatorFees, master, isBeforeSplit, load };
  if (!state.masterchain) return encodeJson({ state: saved, tip } satisfies SavedShard);
  const { past, config, libraries, ...extra } = state.masterchain;
  return encodeJson({ state: saved, tip, extra } satisfies SavedShard);
}

export function readShard(store: ChainStoreContents, shard: ShardId): SavedShard {
  return decodeJson<SavedShard>(existing(store, savedShardKey(shard)));
}

/** The outbound queue of a shard. */
export function readQueue(store: ChainStoreContents, shard: ShardId): QueuedMessage[] {
  const prefix = queuePrefix(shard);
  return Array.from(store.producerRecords(prefix), ([name, boc]) =>
    restoreQueuedMessage(readMessageHeader(readBoc(boc)), Buffer.from(name.slice(prefix.length), "hex")),
  );
}

/** The masterchain's blocks before the newest one, by seqno. */
export function readPast(store: ChainStoreContents): PastBlock[] {
  return Array.from(store.producerRecords(PAST_PREFIX), ([, record]) => decodeJson<PastBlock>(record));
}

/** The external messages that wait, in order of arrival. */
export function readPool(store: ChainStoreContents): WaitingMessage[] {
  return Array.from(store.producerRecords(POOL_PREFIX), ([, record]) => decodeJson<WaitingMessage>(record));
}

/** The root of the configuration's dictionary. */
export function readConfig(store: ChainStoreContents): MasterchainExtra["config"] {
  return readBoc(existing(store, CONFIG_KEY));
}

/** The public libraries of the masterchain. */
export function readLibraries(store: ChainStoreContents): NonNullable<MasterchainExtra["libraries"]> {
  const record = store.producerRecord(LIBRARIES_KEY);
  const libraries = Array.from(readPublicLibraries(record && readBoc(record)), (one) => [one.root.hash, one] as const);
  return Trie.from(PUBLIC_LIBRARIES, libraries);
}

export function readCounters(store: ChainStoreContents): TrafficCounters {
  return decodeJson<TrafficCounters>(existing(store, COUNTERS_KEY));
}

function existing(store: ChainStoreContents, key: string): Uint8Array {
  const record = store.producerRecord(key);
  if (!record) throw new Error(`the producer's record ${key} is missing`);
  return record;
}

/** JSON in which a bigint is `{"n": digits}` and bytes are `{"b": base64}`. */
export function encodeJson(value: unknown): Uint8Array {
  // Reads the value from its holder, since JSON.stringify passes Buffers after their toJSON.
  const text = JSON.stringify(value, function (this: Record<string, unknown>, name: string) {
    const part = this[name];
    if (typeof part === "bigint") return { n: part.toString() };
    return part instanceof Uint8Array ? { b: Buffer.from(part).toString("base64") } : part;
  });
  return Buffer.from(text);
}

/** Decodes a value of `encodeJson`. The caller knows its type. */
export function decodeJson<T>(record: Uint8Array): T {
  return JSON.parse(Buffer.from(record).toString("utf8"), (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Object.keys(part).length !== 1) return part;
    if ("n" in part && typeof part.n === "string") return BigInt(part.n);
    return "b" in part && typeof part.b === "string" ? new Uint8Array(Buffer.from(part.b, "base64")) : part;
  });
}
