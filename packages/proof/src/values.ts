/** Block ids, accounts, transactions and messages of the chain as values of the contract. */
import { base64 } from "@chain-query/format/cells";
import type {
  AccountId,
  BlockId,
  ExtraCurrency,
  Message,
  ReadAccount,
  ReadTransaction,
  TransactionId,
} from "@chain-query/format/store";
import { toFriendlyAddress, toRawAddress } from "@chain-query/openapi/address";
import type { Schemas } from "@chain-query/types";

/** The `@type` of a block id: the name of the network, a dot and `blockIdExt` (D-01). */
export type BlockType = Schemas["chain.blockIdExt"]["@type"];

/** The id of a block. The zero state of the masterchain has the shard "0" (D-22). */
export function blockIdExt(
  type: BlockType,
  { workchain, shard, seqno, rootHash, fileHash }: BlockId,
): Schemas["chain.blockIdExt"] {
  return {
    "@type": type,
    workchain,
    shard: seqno === 0 && workchain === -1 ? "0" : String(shard),
    seqno,
    root_hash: base64(rootHash),
    file_hash: base64(fileHash),
  };
}

/** The state of an account as of a masterchain block (D-09, D-44). */
export function fullAccountState(type: BlockType, state: ReadAccount): Schemas["raw.fullAccountState"] {
  return {
    "@type": "raw.fullAccountState",
    balance: String(state.balance),
    extra_currencies: extraCurrencies(state.extraCurrencies),
    last_transaction_id: transactionId(state.last),
    block_id: blockIdExt(type, state.block.id),
    code: base64(state.code),
    data: base64(state.data),
    frozen_hash: base64(state.frozenHash),
    sync_utime: state.block.time,
    state: state.status,
    ...(state.isSuspended && { suspended: true }),
  };
}

/** The id of a transaction. */
export function transactionId({ lt, hash }: TransactionId): Schemas["internal.transactionId"] {
  return { "@type": "internal.transactionId", lt: String(lt), hash: base64(hash) };
}

/** A transaction in a list. */
export function rawTransaction(transaction: ReadTransaction): Schemas["raw.transaction"] {
  const { inMessage, outMessages } = transaction;
  return {
    "@type": "raw.transaction",
    ...common(transaction),
    ...(inMessage === undefined ? {} : { in_msg: rawMessage(inMessage) }),
    out_msgs: outMessages.map(rawMessage),
  };
}

/** A transaction as the locating operations return it. */
export function extTransaction(transaction: ReadTransaction): Schemas["ext.transaction"] {
  const { account, inMessage, outMessages } = transaction;
  return {
    "@type": "ext.transaction",
    account: toRawAddress(account),
    ...common(transaction),
    ...(inMessage === undefined ? {} : { in_msg: extMessage(inMessage) }),
    out_msgs: outMessages.map(extMessage),
  };
}

type Common = "address" | "utime" | "data" | "transaction_id" | "fee" | "storage_fee" | "other_fee";

/** fee = storage_fee + other_fee, exactly (D-28). */
function common({ account, time, data, id, fee, storageFee }: ReadTransaction): Pick<Schemas["raw.transaction"], Common> {
  return {
    address: accountAddress(account),
    utime: time,
    data: base64(data),
    transaction_id: transactionId(id),
    fee: String(fee),
    storage_fee: String(storageFee),
    other_fee: String(fee - storageFee),
  };
}

/** A message in a list (D-13, D-35). */
export function rawMessage(message: Message): Schemas["raw.message"] {
  return {
    "@type": "raw.message",
    hash: base64(message.hash),
    source: accountAddress(message.source),
    destination: accountAddress(message.destination),
    ...content(message),
    msg_data: messageContent(message, decodeComment(message)),
  };
}

/** A message as the locating operations return it. */
export function extMessage(message: Message): Schemas["ext.message"] {
  const comment = decodeComment(message);
  return {
    "@type": "ext.message",
    hash: base64(message.hash),
    source: friendlyAddress(message.source),
    destination: friendlyAddress(message.destination),
    ...content(message),
    msg_data: messageContent(message, comment),
    ...(comment.text === undefined ? {} : { message: comment.text }),
    ...(comment.error === undefined ? {} : { message_decode_error: comment.error }),
  };
}

/** An address object; its address is empty if there is no account. */
function accountAddress(account: AccountId | undefined): Schemas["accountAddress"] {
  return { "@type": "accountAddress", account_address: friendlyAddress(account) };
}

function extraCurrencies(currencies: readonly ExtraCurrency[]): Schemas["extraCurrency"][] {
  return currencies.map(({ id, amount }) => ({ "@type": "extraCurrency", id, amount: String(amount) }));
}

/** The user-friendly form, or the raw form for a workchain that does not fit the byte of the user-friendly form (D-34, D-39). */
function friendlyAddress(account: AccountId | undefined): string {
  if (account === undefined) return "";
  const { workchain } = account;
  return workchain < -128 || workchain > 127 ? toRawAddress(account) : toFriendlyAddress(account);
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

interface DecodedComment {
  readonly text?: string;
  readonly error?: string;
}

/** Made with the first comment: React Native may lack it. */
let utf8: TextDecoder | undefined;

function decodeComment({ comment }: Message): DecodedComment {
  if (comment === undefined || comment.encrypted) return {};
  utf8 ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return { text: utf8.decode(comment.bytes) };
  } catch {
    return { error: "The comment is not valid UTF-8" };
  }
}

/** A comment that cannot be decoded is shown as raw body (D-10). */
function messageContent(message: Message, { text }: DecodedComment): Schemas["MessageContent"] {
  const { comment } = message;
  if (comment?.encrypted === true) return { "@type": "msg.dataEncryptedText", text: base64(comment.bytes) };
  if (comment !== undefined && text !== undefined) return { "@type": "msg.dataText", text: base64(comment.bytes) };
  return { "@type": "msg.dataRaw", body: base64(message.body), init_state: base64(message.initState) };
}
