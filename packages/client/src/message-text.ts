/** The text of messages in the forms that responses have. */
import type { LocatedMessage, Message } from "@chain-query/types";

/**
 * A message of a transaction, as of `getTransactionsStd` or as of the locate operations.
 *
 * @example
 * ```ts
 * const total = (messages: AnyMessage[]): bigint => messages.reduce((sum, { value }) => sum + BigInt(value), 0n);
 * ```
 */
export type AnyMessage = Message | LocatedMessage;

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
    // React Native has no TextDecoder.
    return decodeURIComponent(
      atob(content.text).replace(/./gs, (byte) => `%${(byte.charCodeAt(0) + 256).toString(16).slice(1)}`),
    );
  } catch {
    return undefined;
  }
}
