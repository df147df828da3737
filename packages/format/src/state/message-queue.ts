import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { Trie } from "../dictionary/trie.ts";
import { type Augmentation, type TrieFormat, UNAUGMENTED } from "../dictionary/trie-node.ts";
import type { AccountId, ShardId } from "../identifiers/types.ts";
import type { MessageParts } from "./message-parts.ts";
import { addressPrefix, containsAccount } from "./shard-ident.ts";

/** A message that waits in the outbound queue of the shard that sent it. */
export interface QueuedMessage {
  /** 44 bytes: workchain and first 64 bits of the address of the next hop, then the message's hash. */
  readonly key: Uint8Array;
  readonly message: MessageParts;
  /** The cell of its envelope (TL-B MsgEnvelope). */
  readonly envelope: Cell;
  readonly enqueuedLt: bigint;
}

/** Up to where a shard has taken messages from its neighbours' queues, as of a masterchain block (TL-B ProcessedUpto). */
export interface ProcessedUpto {
  readonly shard: bigint;
  readonly masterchainSeqno: number;
  readonly lastLt: bigint;
  readonly lastHash: Uint8Array;
}

/**
 * The entry that a message makes in its sender's queue; it depends on the message and the shard only, so that a queue can be kept
 * as a list of messages.
 */
export function queuedMessage(message: MessageParts, from: ShardId): QueuedMessage {
  const { source, destination } = message;
  if (!source || !destination) throw new TypeError("only internal messages travel through a queue");
  const [currentBits, nextBits] = hop(source, destination, from);
  return {
    key: queueKey(source, destination, nextBits, message.cell.hash),
    message,
    envelope: envelopeCell(message, currentBits, nextBits),
    enqueuedLt: message.createdLt,
  };
}

/** The envelope of a message that its own block delivers. */
export function immediateEnvelope(message: MessageParts): Cell {
  return envelopeCell(message, FULL, FULL);
}

/** All bits of an address that routing looks at: 32 of the workchain, 64 of the account. */
const FULL = 96;

/** Those of the workchain alone. */
const WORKCHAIN = 32;

/**
 * How many bits of the destination's address are in force, before the next hop and after it. A message within its shard has
 * arrived. One to or from the masterchain goes straight there. One to another shard takes the first four bits of the account,
 * which with at most eight shards are all that tell shards apart.
 */
function hop(source: AccountId, destination: AccountId, from: ShardId): readonly [current: number, next: number] {
  if (containsAccount(from, destination)) return [FULL, FULL];
  if (source.workchain !== destination.workchain) return [0, FULL];
  return [WORKCHAIN, WORKCHAIN + 4];
}

function queueKey(source: AccountId, destination: AccountId, nextBits: number, hash: Uint8Array): Uint8Array {
  const key = new Uint8Array(44);
  const view = new DataView(key.buffer);
  const own = BigInt(FULL - nextBits);
  const mask = (1n << own) - 1n;
  const prefix = (addressPrefix(destination.hash) & ~mask) | (addressPrefix(source.hash) & mask);
  view.setInt32(0, destination.workchain);
  view.setBigUint64(4, prefix);
  key.set(hash, 12);
  return key;
}

/** TL-B MsgEnvelope with regular addresses. */
function envelopeCell(message: MessageParts, currentBits: number, nextBits: number): Cell {
  return new CellBuilder()
    .uint(4, 4)
    .bit(false)
    .uint(currentBits, 7)
    .bit(false)
    .uint(nextBits, 7)
    .coins(message.forwardFee)
    .ref(message.cell)
    .cell();
}

/** The earliest creation of what waits: 0 where nothing does. */
const EARLIEST: Augmentation<bigint> = {
  empty: 0n,
  combine: (left, right) => {
    if (left < right) return left;
    return right;
  },
  write: (builder, lt) => {
    builder.bigUint(lt, 64);
  },
};

/** TL-B OutMsgQueue. */
export const MESSAGE_QUEUE: TrieFormat<QueuedMessage, bigint> = {
  width: 352,
  augmentation: EARLIEST,
  extraOf: ({ message }) => message.createdLt,
  writeValue: (builder, { enqueuedLt, envelope }) => {
    builder.bigUint(enqueuedLt, 64).ref(envelope);
  },
};

/** TL-B ProcessedInfo. */
export function processedInfo(entries: readonly ProcessedUpto[]): Trie<ProcessedUpto, undefined> {
  return Trie.from(
    PROCESSED_INFO,
    entries.map((entry) => {
      const key = new Uint8Array(12);
      const view = new DataView(key.buffer);
      view.setBigInt64(0, entry.shard);
      view.setUint32(8, entry.masterchainSeqno);
      return [key, entry] as const;
    }),
  );
}

const PROCESSED_INFO: TrieFormat<ProcessedUpto, undefined> = {
  width: 96,
  augmentation: UNAUGMENTED,
  extraOf: () => undefined,
  writeValue: (builder, { lastLt, lastHash }) => {
    builder.bigUint(lastLt, 64).bytes(lastHash);
  },
};
