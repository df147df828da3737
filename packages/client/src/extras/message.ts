/** Messages in the forms that responses have, their text, and the three values that identify them. */
import type { LocatedMessage, LocatedTransaction, Message, Transaction } from "@chain-query/types";
import { mustBe, shown } from "../checks/rules.ts";
import type { InputOf } from "../operations/input.ts";

/**
 * A transaction, as `getTransactionsStd` or as of the locate operations.
 *
 * @example
 * ```ts
 * const received = ({ in_msg }: AnyTransaction): string => formatNano(in_msg?.value ?? 0);
 * ```
 */
export type AnyTransaction = Transaction | LocatedTransaction;

/**
 * A message of such a transaction.
 *
 * @example
 * ```ts
 * const deposits = (messages: AnyMessage[]): AnyMessage[] => messages.filter(({ value }) => BigInt(value) > 0n);
 * ```
 */
export type AnyMessage = Message | LocatedMessage;

/**
 * The key of a message: source, destination and the logical time of its creation.
 *
 * @example
 * ```ts
 * const message: MessageLocator = { source, destination, createdLt: 433_000_002n };
 * ```
 */
export type MessageLocator = InputOf<"tryLocateResultTx">;

/**
 * Returns the text comment of a message: `undefined` for another body, for a comment that is still encrypted, for bytes that are not
 * UTF-8, and without a message.
 *
 * @example
 * ```ts
 * for await (const tx of chain.transactions({ address })) console.log(messageText(tx.in_msg) ?? "no comment");
 * ```
 */
export function messageText(message: Pick<AnyMessage, "msg_data"> | undefined): string | undefined {
  const content = message?.msg_data;
  if (content?.["@type"] !== "msg.dataText" && content?.["@type"] !== "msg.dataDecryptedText") return undefined;
  try {
    const bytes = Uint8Array.from(atob(content.text), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads the locator of a message. Throws an `InvalidArgumentError` for a message without an account as source or destination. */
export function locatorOf(where: string, message: AnyMessage | MessageLocator): MessageLocator {
  for (const end of ["source", "destination"] as const) {
    // A transaction has messages, but no ends of its own.
    if (addressOf(Object(message)[end]) === undefined)
      mustBe(where, "message", "a message or its locator, { source, destination, createdLt }", shown(message));
  }
  const createdLt = "created_lt" in message ? message.created_lt : message.createdLt;
  const [source, destination] = [message.source, message.destination].map((end) => addressOf(end));
  if (!source) mustBe(where, "source", "an address", '"": a message from outside the chain cannot be located');
  if (!destination) mustBe(where, "destination", "an address", '"": no account receives a message that leaves the chain');
  return { source, destination, createdLt };
}

/** The address of one end of a message; empty if that end is outside the chain. */
export function addressOf(end: AnyMessage["source"]): string {
  return typeof end === "string" ? end : Object(end).account_address;
}
