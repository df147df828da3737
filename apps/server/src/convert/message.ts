/** Messages in the two forms of the contract: a listing wraps the ends in objects, locating tells the comment as text (D-13, D-35). */
import type { AccountId, ExtraCurrency, Message } from "@chain-query/local-chain";
import type { Schemas } from "@chain-query/types";
import { friendlyAddress } from "./address.ts";
import { base64, bytesOf } from "./bytes.ts";

/** A message as a listing shows it. */
export function rawMessage(message: Message): Schemas["raw.message"] {
  return {
    "@type": "raw.message",
    hash: base64(message.hash),
    source: accountAddress(message.source),
    destination: accountAddress(message.destination),
    ...content(message),
    msg_data: messageContent(message, commentOf(message)),
  };
}

/** A message as locating shows it. */
export function extMessage(message: Message): Schemas["ext.message"] {
  const comment = commentOf(message);
  return {
    "@type": "ext.message",
    hash: base64(message.hash),
    source: endOf(message.source),
    destination: endOf(message.destination),
    ...content(message),
    msg_data: messageContent(message, comment),
    ...(comment.text === undefined ? {} : { message: comment.text }),
    ...(comment.trouble === undefined ? {} : { message_decode_error: comment.trouble }),
  };
}

/** An address in its object; the address is empty where there is none. */
export function accountAddress(account: AccountId | undefined): Schemas["accountAddress"] {
  return { "@type": "accountAddress", account_address: endOf(account) };
}

/** Amounts of other currencies. */
export function extraCurrencies(currencies: readonly ExtraCurrency[]): Schemas["extraCurrency"][] {
  return currencies.map(({ id, amount }) => ({ "@type": "extraCurrency", id, amount: String(amount) }));
}

function endOf(account: AccountId | undefined): string {
  return account === undefined ? "" : friendlyAddress(account);
}

type Content = "value" | "extra_currencies" | "fwd_fee" | "ihr_fee" | "created_lt" | "body_hash";

function content(message: Message): Pick<Schemas["raw.message"], Content> {
  return {
    value: String(message.value),
    extra_currencies: extraCurrencies(message.extraCurrencies),
    fwd_fee: String(message.forwardFee),
    ihr_fee: String(message.ihrFee),
    created_lt: String(message.createdLt),
    body_hash: base64(message.bodyHash),
  };
}

interface ReadComment {
  readonly text?: string;
  readonly trouble?: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function commentOf({ comment }: Message): ReadComment {
  if (comment === undefined || comment.encrypted) return {};
  try {
    return { text: utf8.decode(comment.bytes) };
  } catch {
    return { trouble: "The comment is not valid UTF-8" };
  }
}

/** Text that nobody can read is shown as the body that it lies in (D-10). */
function messageContent(message: Message, { text }: ReadComment): Schemas["MessageContent"] {
  const { comment } = message;
  if (comment?.encrypted === true) return { "@type": "msg.dataEncryptedText", text: base64(comment.bytes) };
  if (comment !== undefined && text !== undefined) return { "@type": "msg.dataText", text: base64(bytesOf(comment.bytes)) };
  return { "@type": "msg.dataRaw", body: base64(message.body), init_state: base64(message.initState) };
}
