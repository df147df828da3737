import { hex, isEqual } from "../cells/bytes.ts";
import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { type Augmentation, plainFormat, Trie, type TrieFormat } from "../dictionaries/trie.ts";
import { type AccountId, addressPrefix, containsAccount, type ShardId } from "../identifiers.ts";
import type { MessageHeader } from "../messages.ts";

/** Networks of this family refuse external messages to a shard while its outbound queue is longer. */
export const EXTERNAL_QUEUE_LIMIT = 8_000;

/** A message in the outbound queue of the shard that sent it. */
export interface QueuedMessage {
  /** 44 bytes: workchain and first 64 bits of the next hop's address, then the message's hash. */
  readonly key: Uint8Array;
  readonly message: MessageHeader;
  /** The message is in the queue of this account's shard, whichever shard that is after splits and merges. */
  readonly at: AccountId;
  /** TL-B MsgEnvelope. */
  readonly envelope: Cell;
  readonly enqueuedLt: bigint;
}

/** The last message that a shard took from its neighbours' queues, as of a masterchain block (TL-B ProcessedUpto). */
export interface ProcessedUpto {
  readonly shard: bigint;
  readonly masterchainSeqno: number;
  readonly lastLt: bigint;
  readonly lastHash: Uint8Array;
}

/**
 * The entry of a message in its sender's queue.
 *
 * @param from - The shard that sent the message.
 * @throws TypeError for a message from or to outside the chain.
 */
export function createQueuedMessage(message: MessageHeader, from: ShardId): QueuedMessage {
  const { source, destination } = endsOf(message);
  return queuedMessage(message, computeRoute(source, destination, containsAccount(from, destination)));
}

/**
 * The entry of a message in a queue, from its key there: the shard that sent it may have split or merged since.
 *
 * @throws RangeError for the key of another message.
 */
export function restoreQueuedMessage(message: MessageHeader, key: Uint8Array): QueuedMessage {
  const { source, destination } = endsOf(message);
  for (const isOwn of source.workchain === destination.workchain ? [true, false] : [false]) {
    const queued = queuedMessage(message, computeRoute(source, destination, isOwn));
    if (isEqual(queued.key, key)) return queued;
  }
  throw new RangeError(`message ${hex(message.cell.hash)} cannot have the key ${hex(key)} in a queue`);
}

function endsOf({ source, destination }: MessageHeader): { readonly source: AccountId; readonly destination: AccountId } {
  if (!source || !destination) throw new TypeError("only internal messages can be queued");
  return { source, destination };
}

type Route = readonly [current: number, next: number];

function queuedMessage(message: MessageHeader, [currentBits, nextBits]: Route): QueuedMessage {
  const { source, destination } = endsOf(message);
  return {
    key: queueKey(source, destination, nextBits, message.cell.hash),
    message,
    at: currentBits === FULL ? destination : source,
    envelope: buildEnvelope(message, currentBits, nextBits),
    enqueuedLt: message.createdLt,
  };
}

/** The envelope of a message that the block that sends it also delivers. */
export function createImmediateEnvelope(message: MessageHeader): Cell {
  return buildEnvelope(message, FULL, FULL);
}

/** The bits of an address that routing uses: 32 of the workchain, 64 of the account. */
const FULL = 96;

/** The bits of the workchain alone. */
const WORKCHAIN = 32;

/**
 * The number of bits that the current and the next hop share with the destination. A message within its shard has arrived. One to
 * or from the masterchain gets there in one hop. One to another shard gets there by the first four bits of the account, because
 * shards have prefixes of at most four bits.
 *
 * @param isOwn - Whether the destination is in the shard that sends the message.
 */
function computeRoute(source: AccountId, destination: AccountId, isOwn: boolean): Route {
  if (isOwn) return [FULL, FULL];
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

/**
 * TL-B `msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
 * msg:^(Message Any) = MsgEnvelope`, `interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress`.
 */
function buildEnvelope(message: MessageHeader, currentBits: number, nextBits: number): Cell {
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

/** The lowest creation lt in a queue, 0 if it is empty. */
const EARLIEST: Augmentation<bigint> = {
  empty: 0n,
  combine: (left, right) => {
    // Math.min takes no bigints.
    if (left < right) return left;
    return right;
  },
  write: (builder, lt) => builder.bigUint(lt, 64),
};

/**
 * The dictionary of an outbound queue, by `QueuedMessage.key`.
 *
 * TL-B `_ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue`, `_ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg`.
 */
export const MESSAGE_QUEUE: TrieFormat<QueuedMessage, bigint> = {
  width: 352,
  augmentation: EARLIEST,
  extraOf: ({ message }) => message.createdLt,
  writeValue: (builder, { enqueuedLt, envelope }) => builder.bigUint(enqueuedLt, 64).ref(envelope),
};

/**
 * The dictionary of processed messages, by shard and masterchain block.
 *
 * TL-B `processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256 = ProcessedUpto`,
 * `_ (HashmapE 96 ProcessedUpto) = ProcessedInfo`.
 */
export function processedInfo(entries: readonly ProcessedUpto[]): Trie<ProcessedUpto, undefined> {
  return Trie.from(
    PROCESSED_INFO,
    entries.map((entry) => {
      const { shard, masterchainSeqno } = entry;
      return [new CellBuilder().bigUint(BigInt.asUintN(64, shard), 64).uint(masterchainSeqno, 32).cell().bytes, entry] as const;
    }),
  );
}

const PROCESSED_INFO = /* @__PURE__ */ plainFormat<ProcessedUpto>(96, (builder, { lastLt, lastHash }) =>
  builder.bigUint(lastLt, 64).bytes(lastHash),
);
