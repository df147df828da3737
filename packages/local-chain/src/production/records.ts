import { readBoc, writeBoc } from "@chain-query/format/cells";
import { containsAccount } from "@chain-query/format/identifiers";
import { readMessageParts } from "@chain-query/format/messages";
import {
  type MasterchainExtra,
  type PastBlock,
  type QueuedMessage,
  queuedMessage,
  type ShardState,
} from "@chain-query/format/states";
import type { ShardId } from "../domain.ts";
import type { Origin } from "../genesis/zero-states.ts";
import type { ChainStoreContents, ProducerState } from "../store/commit.ts";
import type { Counters, Network } from "./network.ts";
import type { WaitingMessage } from "./pool.ts";
import { readRecordText, recordText } from "./record-text.ts";
import type { Shard } from "./shard.ts";
import type { ProducedBlock } from "./step.ts";

/** What is kept of a shard besides its accounts and its queue, which have records of their own. */
export interface ShardRecord {
  readonly state: Omit<ShardState, "queue" | "accounts" | "masterchain">;
  readonly tip: Shard["tip"];
  /** In the masterchain only. */
  readonly extra?: Omit<MasterchainExtra, "past" | "config">;
}

const CONFIG = "config";
const COUNTERS = "counters";
const PAST = "past/";
const POOL = "pool/";

/** The records of a chain without blocks. */
export function recordsOfGenesis({ config, masterchain, shards }: Origin): ProducerState {
  const counters: Counters = { messages: 0, wallets: 0, strangers: 0 };
  const put = new Map([
    [COUNTERS, recordText(counters)],
    [CONFIG, writeBoc(config)],
  ]);
  for (const { state, zero } of [...shards, masterchain]) {
    const { seqno, rootHash, fileHash } = zero.id;
    const tip = { id: zero.id, ref: { endLt: 0n, seqno, rootHash, fileHash }, time: state.time };
    put.set(shardName(state.shard), recordText(shardRecord({ state, tip })));
  }
  return { put };
}

/** What a step changes in the records. */
export function recordsOfStep(
  network: Network,
  blocks: readonly ProducedBlock[],
  arrived: readonly WaitingMessage[],
): ProducerState {
  const put = new Map<string, Uint8Array>([[COUNTERS, recordText(network.counters)]]);
  const remove: string[] = [];
  for (const message of arrived) put.set(poolName(message), recordText(message));
  for (const { shard, before, collation, block, delivered } of blocks) {
    const { shard: id } = shard.state;
    put.set(shardName(id), recordText(shardRecord(shard)));
    if (shard.state.masterchain) {
      // The configuration never changes, so that only the zero state counts as a key block.
      const past: PastBlock = { isKey: before.ref.seqno === 0, block: before.ref };
      put.set(`${PAST}${digits(before.ref.seqno)}`, recordText(past));
    }
    for (const queued of block.enqueued) put.set(queueName(id, queued), writeBoc(queued.message.cell));
    for (const { queued } of delivered) remove.push(queueName(id, queued));
    for (const queued of collation.imported) if (isOwn(id, queued)) remove.push(queueName(id, queued));
    for (const waiting of collation.taken) {
      const name = poolName(waiting);
      if (!put.delete(name)) remove.push(name);
    }
  }
  return { put, remove };
}

function isOwn(shard: ShardId, { message: { source } }: QueuedMessage): boolean {
  return source !== undefined && containsAccount(shard, source);
}

function shardRecord({ state, tip }: Pick<Shard, "tip"> & { readonly state: Omit<ShardState, "accounts"> }): ShardRecord {
  const { globalId, shard, seqno, time, lt, minRefMasterchainSeqno, processed, totalValidatorFees, master, masterchain } =
    state;
  const rest = { globalId, shard, seqno, time, lt, minRefMasterchainSeqno, processed, totalValidatorFees, master };
  if (!masterchain) return { state: rest, tip };
  const { past, config, ...extra } = masterchain;
  return { state: rest, tip, extra };
}

/** Reads what was kept of a shard. */
export function readShardRecord(store: ChainStoreContents, shard: ShardId): ShardRecord {
  return readRecordText<ShardRecord>(existing(store, shardName(shard)));
}

/** The queue of a shard. */
export function readQueue(store: ChainStoreContents, shard: ShardId): QueuedMessage[] {
  return Array.from(store.producerRecords(queuePrefix(shard)), ([, boc]) =>
    queuedMessage(readMessageParts(readBoc(boc)), shard),
  );
}

/** The masterchain's blocks up to the one before the newest, by number. */
export function readPast(store: ChainStoreContents): PastBlock[] {
  return Array.from(store.producerRecords(PAST), ([, record]) => readRecordText<PastBlock>(record));
}

/** The messages from outside that wait, in the order of their arrival. */
export function readPool(store: ChainStoreContents): WaitingMessage[] {
  return Array.from(store.producerRecords(POOL), ([, record]) => readRecordText<WaitingMessage>(record));
}

/** Root of the configuration's dictionary. */
export function readConfig(store: ChainStoreContents): MasterchainExtra["config"] {
  return readBoc(existing(store, CONFIG));
}

/** What the traffic goes on from. */
export function readCounters(store: ChainStoreContents): Counters {
  return readRecordText<Counters>(existing(store, COUNTERS));
}

function existing(store: ChainStoreContents, key: string): Uint8Array {
  const record = store.producerRecord(key);
  if (!record) throw new Error(`the producer's record ${key} is missing`);
  return record;
}

function shardName({ workchain, shard }: ShardId): string {
  return `shard/${workchain}:${BigInt.asUintN(64, shard).toString(16)}`;
}

function queuePrefix({ workchain, shard }: ShardId): string {
  return `queue/${workchain}:${BigInt.asUintN(64, shard).toString(16)}/`;
}

function queueName(shard: ShardId, { key }: QueuedMessage): string {
  return `${queuePrefix(shard)}${Buffer.from(key).toString("hex")}`;
}

function poolName({ number }: WaitingMessage): string {
  return `${POOL}${digits(number)}`;
}

/** With zeros before it, so that the order of names is the order of numbers. */
function digits(value: number): string {
  return value.toString().padStart(12, "0");
}
