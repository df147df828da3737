import { base64 } from "@chain-query/format/cells";
import { accountName } from "@chain-query/format/identifiers";
import type { AccountId, ChainTransaction, ExtraCurrency, Message, TransactionId } from "@chain-query/format/store";
import { Cell, loadTransaction, type Transaction } from "@ton/core";
import type { LocalChain } from "../domain.ts";

/** Names and values, printed as JSON. Undefined members are left out. */
export type Description = Readonly<Record<string, unknown>>;

/** A transaction with its messages, their producers and their consumers. */
export function describeTransaction(chain: LocalChain, transaction: ChainTransaction): Description {
  const { account, id, previous, inMessage, outMessages } = transaction;
  return {
    transaction: transactionName(account, id),
    hash: base64(id.hash),
    previous: previous.lt === 0n ? "none" : transactionName(account, previous),
    time: transaction.time,
    masterchain_seqno: transaction.masterchainSeqno,
    fee: `${transaction.fee}`,
    storage_fee: `${transaction.storageFee}`,
    ...describeExecution(transaction),
    data: base64(transaction.data),
    in_message: inMessage ? describeMessage(chain, inMessage, "produced_by") : "none: caused by the clock",
    out_messages: outMessages.map((message) => describeMessage(chain, message, "consumed_by")),
  };
}

function describeMessage(chain: LocalChain, message: Message, other: "produced_by" | "consumed_by"): Description {
  const { source, destination, comment, initState } = message;
  return {
    hash: base64(message.hash),
    from: source ? accountName(source) : "outside",
    to: destination ? accountName(destination) : "outside",
    value: `${message.value}`,
    extra_currencies: currencies(message.extraCurrencies),
    forward_fee: `${message.forwardFee}`,
    created_lt: `${message.createdLt}`,
    [other]: otherEnd(chain, message, other),
    comment:
      comment && (comment.encrypted ? `encrypted, ${comment.bytes.length} bytes` : Buffer.from(comment.bytes).toString("utf8")),
    body_hash: base64(message.bodyHash),
    body: base64(message.body),
    init_state: initState && base64(initState),
  };
}

function otherEnd(
  chain: LocalChain,
  { source, destination, createdLt }: Message,
  other: "produced_by" | "consumed_by",
): string | undefined {
  if (!source || !destination) return undefined;
  const key = { source, destination, createdLt };
  const found = other === "produced_by" ? chain.findSender(key) : chain.findReceiver(key);
  return found ? transactionName(found.account, found.id) : "none yet";
}

/** The cause of a transaction, the account's status before and after, and the results of its phases. */
function describeExecution({ data }: Pick<ChainTransaction, "data">): Description {
  const [root] = Cell.fromBoc(Buffer.from(data));
  if (!root) throw new Error("a transaction's bag of cells has no root");
  const parsed = loadTransaction(root.beginParse());
  const { description, oldStatus, endStatus } = parsed;
  return {
    caused_by: originOf(parsed),
    status: oldStatus === endStatus ? endStatus : `${oldStatus} -> ${endStatus}`,
    ...(description.type === "generic" || description.type === "tick-tock"
      ? {
          aborted: description.aborted,
          compute: computeText(description.computePhase),
          action: description.actionPhase ? actionText(description.actionPhase) : undefined,
        }
      : {}),
    bounce: description.type === "generic" ? description.bouncePhase?.type : undefined,
  };
}

type Generic = Extract<Transaction["description"], { type: "generic" }>;

function originOf({ inMessage, description }: Transaction): string {
  if (description.type === "tick-tock") return description.isTock ? "the clock (tock)" : "the clock (tick)";
  if (inMessage?.info.type === "external-in") return "an external message";
  return inMessage?.info.type === "internal" && inMessage.info.bounced ? "a bounced message" : "a message";
}

function computeText(phase: Generic["computePhase"]): string {
  if (phase.type === "skipped") return `skipped: ${phase.reason}`;
  return `exit code ${phase.exitCode}, gas ${phase.gasUsed} of ${phase.gasLimit}, ${phase.vmSteps} steps`;
}

function actionText({ resultCode, totalActions, messagesCreated }: NonNullable<Generic["actionPhase"]>): string {
  return `result code ${resultCode}, actions ${totalActions}, messages ${messagesCreated}`;
}

/** In the form that `inspect` accepts, the account's raw address and the logical time: `0:C4CA…:61000001` */
export function transactionName(account: AccountId, { lt }: Pick<TransactionId, "lt">): string {
  return `${accountName(account)}:${lt}`;
}

export function currencies(extra: readonly ExtraCurrency[]): Description | undefined {
  if (extra.length === 0) return undefined;
  return Object.fromEntries(extra.map(({ id, amount }) => [`currency ${id}`, `${amount}`]));
}

/** JSON for a terminal: escapes the control and formatting characters that JSON allows in texts, since comments may contain any. */
export function toJson(description: Description): string {
  return JSON.stringify(description, null, 2).replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
}
