import type { ChainReader, Message } from "../domain.ts";
import { describeExecution } from "./describe-execution.ts";
import type { Described } from "./described.ts";
import type { Inspected } from "./inspected.ts";
import { transactionNamed } from "./names.ts";
import { address, base64, cells, currencies, time, transactionName } from "./words.ts";

/** A transaction with its messages, and where they came from and went. */
export function describeTransaction({ chain }: Inspected, name: string): Described {
  const transaction = transactionNamed(chain, name);
  const { account, id, previous, inMessage, outMessages } = transaction;
  return {
    transaction: transactionName(account, id),
    hash: base64(id.hash),
    previous: previous.lt === 0n ? "none" : transactionName(account, previous),
    time: time(transaction.time),
    masterchain_seqno: transaction.masterchainSeqno,
    fee: `${transaction.fee}`,
    storage_fee: `${transaction.storageFee}`,
    ...describeExecution(transaction),
    data: cells(transaction.data),
    in_message: inMessage ? describeMessage(chain, inMessage, "produced_by") : "none: the clock began it",
    out_messages: outMessages.map((message) => describeMessage(chain, message, "consumed_by")),
  };
}

function describeMessage(chain: ChainReader, message: Message, other: "produced_by" | "consumed_by"): Described {
  const { source, destination, comment, initState } = message;
  return {
    hash: base64(message.hash),
    from: source ? address(source) : "outside",
    to: destination ? address(destination) : "outside",
    value: `${message.value}`,
    extra_currencies: currencies(message.extraCurrencies),
    forward_fee: `${message.forwardFee}`,
    created_lt: `${message.createdLt}`,
    [other]: otherEnd(chain, message, other),
    comment:
      comment && (comment.encrypted ? `encrypted, ${comment.bytes.length} bytes` : Buffer.from(comment.bytes).toString("utf8")),
    body_hash: base64(message.bodyHash),
    body: cells(message.body),
    init_state: initState && cells(initState),
  };
}

function otherEnd(
  chain: ChainReader,
  { source, destination, createdLt }: Message,
  other: "produced_by" | "consumed_by",
): string | undefined {
  if (!source || !destination) return undefined;
  const { producer, consumer } = chain.locate({ source, destination, createdLt });
  const found = other === "produced_by" ? producer : consumer;
  return found ? transactionName(found.account, found.id) : "nobody yet";
}
