import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import type { TrieFormat } from "../dictionary/trie-node.ts";
import { addCurrencies, type Currencies, NO_CURRENCIES, writeCurrencies } from "../state/currencies.ts";
import type { MessageParts } from "../state/message-parts.ts";

/** How a message came into a block: from outside, from a transaction of the same block, or out of a queue. */
export interface InMessage {
  readonly kind: "external" | "immediate" | "final";
  readonly message: MessageParts;
  /** Absent on a message from outside. */
  readonly envelope: Cell | undefined;
  /** The transaction that consumed it. */
  readonly transaction: Cell;
}

/** What messages bring into a block (TL-B ImportFees). */
export interface ImportFees {
  readonly feesCollected: bigint;
  readonly valueImported: Currencies;
}

/** Writes a TL-B InMsg: msg_import_ext, msg_import_imm or msg_import_fin. */
function writeInMessage(builder: CellBuilder, { kind, message, envelope, transaction }: InMessage): CellBuilder {
  if (kind === "external" || !envelope) return builder.uint(0b000, 3).ref(message.cell).ref(transaction);
  return builder
    .uint(kind === "immediate" ? 0b011 : 0b100, 3)
    .ref(envelope)
    .ref(transaction)
    .coins(message.forwardFee);
}

/** The same as a cell of its own, to which outbound descriptions refer. */
export function inMessageCell(message: InMessage): Cell {
  return writeInMessage(new CellBuilder(), message).cell();
}

/** What travels with a message: its value and the fee that was paid and not taken yet. */
export function carriedValue({ value, forwardFee }: MessageParts): Currencies {
  return { coins: value.coins + forwardFee, extra: value.extra };
}

/** TL-B InMsgDescr: by the message's hash. */
export const IN_MESSAGES: TrieFormat<InMessage, ImportFees> = {
  width: 256,
  augmentation: {
    empty: { feesCollected: 0n, valueImported: NO_CURRENCIES },
    combine: (left, right) => ({
      feesCollected: left.feesCollected + right.feesCollected,
      valueImported: addCurrencies(left.valueImported, right.valueImported),
    }),
    write: (builder, { feesCollected, valueImported }) => {
      writeCurrencies(builder.coins(feesCollected), valueImported);
    },
  },
  extraOf: ({ kind, message }) => ({
    feesCollected: kind === "external" ? 0n : message.forwardFee,
    valueImported: kind === "final" ? carriedValue(message) : NO_CURRENCIES,
  }),
  writeValue: writeInMessage,
};
