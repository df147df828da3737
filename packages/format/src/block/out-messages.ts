import type { Cell } from "../cells/cell.ts";
import type { CellBuilder } from "../cells/cell-builder.ts";
import type { TrieFormat } from "../dictionary/trie-node.ts";
import { CURRENCIES_SUM, type Currencies, NO_CURRENCIES } from "../state/currencies.ts";
import type { MessageParts } from "../state/message-parts.ts";
import type { DeliveredMessage } from "./content.ts";
import { carriedValue } from "./in-messages.ts";

/**
 * How a message left a transaction or a queue: to outside, to a transaction of the same block, into the queue, out of the queue to a
 * transaction of this block, or out of it because another shard has taken it.
 */
export type OutMessage =
  | { readonly kind: "external"; readonly message: MessageParts; readonly transaction: Cell }
  | { readonly kind: "immediate"; readonly envelope: Cell; readonly transaction: Cell; readonly reimport: Cell }
  | { readonly kind: "new"; readonly message: MessageParts; readonly envelope: Cell; readonly transaction: Cell }
  | { readonly kind: "dequeued"; readonly envelope: Cell; readonly reimport: Cell }
  | ({ readonly kind: "delivered" } & DeliveredMessage);

/** Writes a TL-B OutMsg: msg_export_ext, msg_export_imm, msg_export_new, msg_export_deq_imm or msg_export_deq_short. */
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

/** TL-B OutMsgDescr: by the message's hash. Only what goes into the queue leaves the shard's balances. */
export const OUT_MESSAGES: TrieFormat<OutMessage, Currencies> = {
  width: 256,
  augmentation: CURRENCIES_SUM,
  extraOf: (out) => (out.kind === "new" ? carriedValue(out.message) : NO_CURRENCIES),
  writeValue: writeOutMessage,
};
