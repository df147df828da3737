import { Trie } from "../dictionary/trie.ts";
import type { Currencies } from "../state/currencies.ts";
import type { MessageParts } from "../state/message-parts.ts";
import { immediateEnvelope, type QueuedMessage, queuedMessage } from "../state/message-queue.ts";
import { containsAccount } from "../state/shard-ident.ts";
import type { BlockContent, BlockTransaction } from "./content.ts";
import { type ImportFees, IN_MESSAGES, type InMessage, inMessageCell } from "./in-messages.ts";
import { OUT_MESSAGES, type OutMessage } from "./out-messages.ts";

/** What a block tells of messages, and what it does to its shard's queue. */
export interface Descriptions {
  readonly inMessages: Trie<InMessage, ImportFees>;
  readonly outMessages: Trie<OutMessage, Currencies>;
  readonly queue: Trie<QueuedMessage, bigint>;
  readonly enqueued: readonly QueuedMessage[];
}

/**
 * Follows every message of a block. Throws a RangeError for an internal message that no transaction of the block sent before
 * though it came from no queue, and for one that leaves this shard's queue without having been there.
 */
export function describeMessages(content: BlockContent): Descriptions {
  const { before, transactions, delivered = [] } = content;
  const incoming = new Map(transactions.flatMap(inMessageOf).map((message) => [name(message.message), message]));
  const outs: (readonly [Uint8Array, OutMessage])[] = [];
  const enqueued: QueuedMessage[] = [];
  const sent = new Set<string>();
  let { queue } = before;
  const dequeue = ({ key, message }: QueuedMessage): void => {
    if (!queue.has(key)) throw new RangeError(`message ${name(message)} leaves a queue in which it is not`);
    queue = queue.delete(key);
  };
  const add = (message: MessageParts, out: OutMessage): void => {
    outs.push([message.cell.hash, out]);
  };

  for (const { queued, importLt } of delivered) {
    dequeue(queued);
    add(queued.message, { kind: "delivered", queued, importLt });
  }
  for (const { transaction, from } of transactions) {
    const { inMessage } = transaction;
    if (inMessage?.kind === "internal" && !from && !sent.has(name(inMessage))) {
      throw new RangeError(`message ${name(inMessage)} arrives without having been sent`);
    }
    const source = from?.message.source;
    if (from && source && containsAccount(before.shard, source)) {
      dequeue(from);
      const taken = incoming.get(name(from.message)) as InMessage;
      add(from.message, { kind: "dequeued", envelope: from.envelope, reimport: inMessageCell(taken) });
    }
    for (const message of transaction.outMessages) {
      sent.add(name(message));
      const taken = incoming.get(name(message));
      if (message.kind === "external-out") add(message, { kind: "external", message, transaction: transaction.cell });
      else if (taken?.kind === "immediate" && taken.envelope) {
        const { envelope } = taken;
        add(message, { kind: "immediate", envelope, transaction: transaction.cell, reimport: inMessageCell(taken) });
      } else {
        const queued = queuedMessage(message, before.shard);
        queue = queue.set(queued.key, queued);
        enqueued.push(queued);
        add(message, { kind: "new", message, envelope: queued.envelope, transaction: transaction.cell });
      }
    }
  }
  const ins = Array.from(incoming.values(), (message) => [message.message.cell.hash, message] as const);
  return { inMessages: Trie.from(IN_MESSAGES, ins), outMessages: Trie.from(OUT_MESSAGES, outs), queue, enqueued };
}

function inMessageOf({ transaction, from }: BlockTransaction): InMessage[] {
  const { cell, inMessage: message } = transaction;
  if (!message) return [];
  if (message.kind !== "internal") return [{ kind: "external", message, envelope: undefined, transaction: cell }];
  if (from) return [{ kind: "final", message, envelope: from.envelope, transaction: cell }];
  return [{ kind: "immediate", message, envelope: immediateEnvelope(message), transaction: cell }];
}

function name({ cell }: MessageParts): string {
  return Buffer.from(cell.hash).toString("hex");
}
