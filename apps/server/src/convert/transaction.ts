import type { Transaction, TransactionId } from "@chain-query/local-chain";
import type { Schemas } from "@chain-query/types";
import { rawAddress } from "./address.ts";
import { base64 } from "./bytes.ts";
import { accountAddress, extMessage, rawMessage } from "./message.ts";

/** The sign for "none": lt 0 and 32 zero bytes (D-14, D-40). */
export const noTransaction: TransactionId = { lt: 0n, hash: new Uint8Array(32) };

/** A transaction's name on the wire. */
export function transactionId({ lt, hash }: TransactionId): Schemas["internal.transactionId"] {
  return { "@type": "internal.transactionId", lt: String(lt), hash: base64(hash) };
}

/** A transaction as a listing shows it. */
export function rawTransaction(transaction: Transaction): Schemas["raw.transaction"] {
  const { inMessage, outMessages } = transaction;
  return {
    "@type": "raw.transaction",
    ...common(transaction),
    ...(inMessage === undefined ? {} : { in_msg: rawMessage(inMessage) }),
    out_msgs: outMessages.map(rawMessage),
  };
}

/** A transaction as locating shows it. */
export function extTransaction(transaction: Transaction): Schemas["ext.transaction"] {
  const { account, inMessage, outMessages } = transaction;
  return {
    "@type": "ext.transaction",
    account: rawAddress(account),
    ...common(transaction),
    ...(inMessage === undefined ? {} : { in_msg: extMessage(inMessage) }),
    out_msgs: outMessages.map(extMessage),
  };
}

type Common = "address" | "utime" | "data" | "transaction_id" | "fee" | "storage_fee" | "other_fee";

/** fee = storage_fee + other_fee, exactly (D-28). */
function common({ account, time, data, id, fee, storageFee }: Transaction): Pick<Schemas["raw.transaction"], Common> {
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
