/** Inbound and outbound messages of a block (TL-B InMsgDescr and OutMsgDescr), and the changes of the shard's queue. */

import type { ShardAccount } from "../accounts.ts";
import { hex } from "../cells/bytes.ts";
import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { CellReader, readTag } from "../cells/cell-reader.ts";
import {
  addCurrencies,
  CURRENCIES_SUM,
  type Currencies,
  NO_CURRENCIES,
  readCurrencies,
  writeCurrencies,
} from "../currencies.ts";
import { readEntries } from "../dictionaries/hashmap.ts";
import { Trie, type TrieFormat } from "../dictionaries/trie.ts";
import { containsAccount } from "../identifiers.ts";
import type { MessageHeader } from "../messages.ts";
import { createImmediateEnvelope, createQueuedMessage, type QueuedMessage } from "../states/message-queue.ts";
import type { ShardState } from "../states/shard-state.ts";
import type { TransactionHeader } from "../transactions.ts";

/** A transaction of a new block. */
export interface BlockTransaction {
  /** `readTransactionHeader` of the executor's cell. */
  readonly transaction: TransactionHeader;
  /** The account after it, `readShardAccount` of the executor's cell; undefined if the account does not exist any more. */
  readonly account: ShardAccount | undefined;
  /**
   * The entry of this or another shard's queue that held its internal message. Absent if a transaction of this block sent the
   * message, for an external message, and for a tick-tock transaction.
   */
  readonly from?: QueuedMessage;
}

/** A message that leaves this shard's queue because another shard has taken it. */
export interface DeliveredMessage {
  readonly queued: QueuedMessage;
  /** End lt of the block that took it. */
  readonly importLt: bigint;
}

/** An inbound message: from outside the chain, from a transaction of the same block, or from a queue. */
interface InMessage {
  readonly kind: "external" | "immediate" | "final";
  readonly message: MessageHeader;
  /** Undefined for a message from outside. */
  readonly envelope: Cell | undefined;
  /** The transaction that consumed it. */
  readonly transaction: Cell;
}

/** The extra of inbound messages: the value that they bring into the block. */
interface ImportFees {
  readonly feesCollected: bigint;
  readonly valueImported: Currencies;
}

/**
 * An outbound message: to outside the chain, to a transaction of the same block, into the queue, from the queue to a transaction of
 * this block, or out of the queue because another shard has taken it.
 */
type OutMessage =
  | { readonly kind: "external"; readonly message: MessageHeader; readonly transaction: Cell }
  | { readonly kind: "immediate"; readonly envelope: Cell; readonly transaction: Cell; readonly reimport: Cell }
  | { readonly kind: "new"; readonly message: MessageHeader; readonly envelope: Cell; readonly transaction: Cell }
  | { readonly kind: "dequeued"; readonly envelope: Cell; readonly reimport: Cell }
  | ({ readonly kind: "delivered" } & DeliveredMessage);

/** The message descriptions of a block, and the queue after it. */
export interface Descriptions {
  readonly inMessages: Trie<InMessage, ImportFees>;
  readonly outMessages: Trie<OutMessage, Currencies>;
  readonly queue: Trie<QueuedMessage, bigint>;
  readonly enqueued: readonly QueuedMessage[];
}

/**
 * Follows every message of a block.
 *
 * @throws RangeError for an internal message that neither an earlier transaction of the block sent nor a queue held, and for one
 * that leaves this shard's queue without being in it.
 */
export function describeMessages(
  before: ShardState,
  transactions: readonly BlockTransaction[],
  delivered: readonly DeliveredMessage[] = [],
): Descriptions {
  const incoming = new Map(transactions.flatMap(toInMessages).map((message) => [hex(message.message.cell.hash), message]));
  const outs: (readonly [Uint8Array, OutMessage])[] = [];
  const enqueued: QueuedMessage[] = [];
  const sent = new Set<string>();
  let { queue } = before;
  const dequeue = ({ key, message }: QueuedMessage): void => {
    if (!queue.has(key)) throw new RangeError(`message ${hex(message.cell.hash)} leaves a queue that does not hold it`);
    queue = queue.delete(key);
  };
  const add = (message: MessageHeader, out: OutMessage): void => {
    outs.push([message.cell.hash, out]);
  };

  for (const { queued, importLt } of delivered) {
    dequeue(queued);
    add(queued.message, { kind: "delivered", queued, importLt });
  }
  for (const { transaction, from } of transactions) {
    const { inMessage } = transaction;
    if (inMessage?.kind === "internal" && !from && !sent.has(hex(inMessage.cell.hash))) {
      throw new RangeError(`message ${hex(inMessage.cell.hash)} arrives without having been sent`);
    }
    if (from && containsAccount(before.shard, from.at)) {
      dequeue(from);
      const taken = incoming.get(hex(from.message.cell.hash)) as InMessage;
      add(from.message, { kind: "dequeued", envelope: from.envelope, reimport: buildInMessage(taken) });
    }
    for (const message of transaction.outMessages) {
      sent.add(hex(message.cell.hash));
      const taken = incoming.get(hex(message.cell.hash));
      if (message.kind === "external-out") add(message, { kind: "external", message, transaction: transaction.cell });
      else if (taken?.kind === "immediate" && taken.envelope) {
        const { envelope } = taken;
        add(message, { kind: "immediate", envelope, transaction: transaction.cell, reimport: buildInMessage(taken) });
      } else {
        const queued = createQueuedMessage(message, before.shard);
        queue = queue.set(queued.key, queued);
        enqueued.push(queued);
        add(message, { kind: "new", message, envelope: queued.envelope, transaction: transaction.cell });
      }
    }
  }
  const ins = Array.from(incoming.values(), (message) => [message.message.cell.hash, message] as const);
  return { inMessages: Trie.from(IN_MESSAGES, ins), outMessages: Trie.from(OUT_MESSAGES, outs), queue, enqueued };
}

function toInMessages({ transaction, from }: BlockTransaction): InMessage[] {
  const { cell, inMessage: message } = transaction;
  if (!message) return [];
  if (message.kind !== "internal") return [{ kind: "external", message, envelope: undefined, transaction: cell }];
  if (from) return [{ kind: "final", message, envelope: from.envelope, transaction: cell }];
  return [{ kind: "immediate", message, envelope: createImmediateEnvelope(message), transaction: cell }];
}

/** The amount that moves with a message: its value, and the fees that were paid and not collected yet. */
function carriedValue({ value, forwardFee, ihrFee }: MessageHeader): Currencies {
  return { coins: value.coins + forwardFee + ihrFee, extra: value.extra };
}

/**
 * TL-B `msg_import_ext$000 msg:^(Message Any) transaction:^Transaction = InMsg`,
 * `msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg`,
 * `msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg`.
 */
function writeInMessage(builder: CellBuilder, { kind, message, envelope, transaction }: InMessage): CellBuilder {
  if (kind === "external" || !envelope) return builder.uint(0b000, 3).ref(message.cell).ref(transaction);
  return builder
    .uint(kind === "immediate" ? 0b011 : 0b100, 3)
    .ref(envelope)
    .ref(transaction)
    .coins(message.forwardFee);
}

/** An InMsg as a cell of its own, for the outbound descriptions that refer to it. */
function buildInMessage(message: InMessage): Cell {
  return writeInMessage(new CellBuilder(), message).cell();
}

/**
 * By the message's hash. TL-B `_ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr`,
 * `import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees`.
 */
const IN_MESSAGES: TrieFormat<InMessage, ImportFees> = {
  width: 256,
  augmentation: {
    empty: { feesCollected: 0n, valueImported: NO_CURRENCIES },
    combine: (left, right) => ({
      feesCollected: left.feesCollected + right.feesCollected,
      valueImported: addCurrencies(left.valueImported, right.valueImported),
    }),
    write: (builder, { feesCollected, valueImported }) => writeCurrencies(builder.coins(feesCollected), valueImported),
  },
  extraOf: ({ kind, message }) => ({
    feesCollected: kind === "external" ? 0n : message.forwardFee,
    valueImported: kind === "final" ? carriedValue(message) : NO_CURRENCIES,
  }),
  writeValue: writeInMessage,
};

/**
 * TL-B `msg_export_ext$000 msg:^(Message Any) transaction:^Transaction = OutMsg`,
 * `msg_export_imm$010 out_msg:^MsgEnvelope transaction:^Transaction reimport:^InMsg = OutMsg`,
 * `msg_export_new$001 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg`,
 * `msg_export_deq_imm$100 out_msg:^MsgEnvelope reimport:^InMsg = OutMsg`,
 * `msg_export_deq_short$1101 msg_env_hash:bits256 next_workchain:int32 next_addr_pfx:uint64 import_block_lt:uint64 = OutMsg`.
 */
function writeOutMessage(builder: CellBuilder, out: OutMessage): CellBuilder {
  switch (out.kind) {
    case "external":
      return builder.uint(0b000, 3).ref(out.message.cell).ref(out.transaction);
    case "immediate":
      return builder.uint(0b010, 3).ref(out.envelope).ref(out.transaction).ref(out.reimport);
    case "new":
      return builder.uint(0b001, 3).ref(out.envelope).ref(out.transaction);
    case "dequeued":
      return builder.uint(0b100, 3).ref(out.envelope).ref(out.reimport);
    case "delivered":
      return builder
        .uint(0b1101, 4)
        .bytes(out.queued.envelope.hash)
        .bytes(out.queued.key.subarray(0, 12))
        .bigUint(out.importLt, 64);
  }
}

/** By the message's hash. TL-B `_ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr`. */
const OUT_MESSAGES: TrieFormat<OutMessage, Currencies> = {
  width: 256,
  augmentation: CURRENCIES_SUM,
  // Only messages that go into the queue leave the shard's balances.
  extraOf: (out) => (out.kind === "new" ? carriedValue(out.message) : NO_CURRENCIES),
  writeValue: writeOutMessage,
};

/** By how much each kind of OutMsg changes the size of the queue, by its first three bits. */
const QUEUE_CHANGES: Readonly<Record<number, number>> = {
  // msg_export_ext$000 leaves the chain, msg_export_imm$010 is delivered in its own block
  0: 0,
  2: 0,
  // msg_export_new$001 and msg_export_tr$011 are added
  1: 1,
  3: 1,
  // msg_export_deq_imm$100, msg_export_deq$1100 and msg_export_deq_short$1101 are removed
  4: -1,
  6: -1,
  // msg_export_tr_req$111 is replaced under another key
  7: 0,
};

/** msg_export_new_defer$10100 goes to the dispatch queue, msg_export_deferred_tr$10101 from there to this one. */
const DEFERRED = 5;

/** By how much an OutMsgDescr changes the size of the queue. */
export function readQueueChange(outMessages: Cell): number {
  const root = new CellReader(outMessages).maybeRef();
  let change = 0;
  for (const { leaf } of root ? readEntries(root, 256) : []) {
    readCurrencies(leaf);
    const kind = leaf.uint(3);
    change += kind === DEFERRED ? readTag(leaf, 2, "deferred OutMsg", 0, 1) : (QUEUE_CHANGES[kind] ?? 0);
  }
  return change;
}
