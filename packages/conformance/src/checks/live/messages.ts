/** Checks of locating the two transactions of a message. */
import { rawAddressOf } from "../../address.ts";
import { type Exchange, responseOf } from "../../service/exchange.ts";
import { type Check, type Context, NotApplicable } from "../check.ts";
import { accountsOf, transactionsOf } from "./account-sample.ts";
import { addressTextOf, type Message, tryFetch, type WireTransaction } from "./fetch.ts";

/** Messages to locate in each direction. */
const most = 6;

/** Seconds after which every message has been consumed. */
const longestDelivery = 600;

interface Sent {
  readonly message: Message;
  /** The transaction that lists the message. */
  readonly listed: WireTransaction;
}

export const messageChecks: readonly Check[] = [
  {
    id: "live/located-source",
    description: "tryLocateSourceTx finds the transaction that sent a message",
    rule: "D-19",
    operations: ["tryLocateSourceTx"],
    run: async (context) => {
      for (const one of await outgoing(context)) await expectLocated(context, "tryLocateSourceTx", one, true);
      for (const one of await incoming(context)) await expectLocated(context, "tryLocateSourceTx", one, false);
    },
  },
  {
    id: "live/located-result",
    description: "tryLocateResultTx finds the transaction that received a message",
    rule: "D-19",
    operations: ["tryLocateResultTx"],
    run: async (context) => {
      for (const one of await outgoing(context)) await expectLocated(context, "tryLocateResultTx", one, false);
      for (const one of await incoming(context)) await expectLocated(context, "tryLocateResultTx", one, true);
    },
  },
  {
    id: "live/no-such-message",
    description: "neither operation locates a message that was never sent",
    rule: "D-19",
    operations: ["tryLocateResultTx", "tryLocateSourceTx"],
    run: async (context) => {
      const [{ message, listed }] = await outgoing(context);
      const created_lt = String(BigInt(listed.transaction_id.lt) + 1n + BigInt(listed.out_msgs.length));
      for (const operation of ["tryLocateResultTx", "tryLocateSourceTx"] as const) {
        const { exchange } = await tryFetch(context, operation, { ...keyOf(message), created_lt });
        context.expect(responseOf(exchange)?.status === 404, exchange, "404");
      }
    },
  },
  {
    id: "live/no-source-of-external-message",
    description: "a message from outside the chain has no source",
    rule: "D-18",
    operations: ["tryLocateSourceTx"],
    run: async (context) => {
      const [external] = (await transactionsOf(context)).flatMap(({ transaction: { in_msg } }) =>
        in_msg !== undefined && addressTextOf(in_msg.source) === "" ? [in_msg] : [],
      );
      if (external === undefined) throw new NotApplicable("no known transaction consumed a message from outside the chain");
      const { exchange } = await tryFetch(context, "tryLocateSourceTx", keyOf(external));
      context.expect(responseOf(exchange)?.status === 404, exchange, "404");
    },
  },
];

/** Messages that known transactions sent to accounts; throws NotApplicable if no such message is known. */
async function outgoing(context: Context): Promise<readonly [Sent, ...Sent[]]> {
  const [first, ...others] = (await transactionsOf(context)).flatMap(({ transaction }) =>
    transaction.out_msgs
      .filter(({ destination }) => addressTextOf(destination) !== "")
      .map((message) => ({ message, listed: transaction })),
  );
  if (first === undefined) throw new NotApplicable("no known transaction sent a message to an account");
  return [first, ...others.slice(0, most - 1)];
}

/** Messages from accounts that known transactions consumed. */
async function incoming(context: Context): Promise<Sent[]> {
  return (await transactionsOf(context))
    .flatMap(({ transaction }) =>
      transaction.in_msg === undefined ? [] : [{ message: transaction.in_msg, listed: transaction }],
    )
    .filter(({ message }) => addressTextOf(message.source) !== "")
    .slice(0, most);
}

function keyOf({ source, destination, created_lt }: Message): Record<string, string> {
  return { source: addressTextOf(source), destination: addressTextOf(destination), created_lt };
}

/** @param isListed - Whether the transaction to find is the one that lists the message. */
async function expectLocated(
  context: Context,
  operation: "tryLocateSourceTx" | "tryLocateResultTx",
  { message, listed }: Sent,
  isListed: boolean,
): Promise<void> {
  const [verb, isSource] = operation === "tryLocateSourceTx" ? ["sent", true] : ["received", false];
  const { lt, hash } = listed.transaction_id;
  const { result, exchange } = await tryFetch(context, operation, keyOf(message));
  if (result === undefined) {
    const mayWait = !isSource && !isListed && (await mayBeUndelivered(context, listed, exchange));
    context.expect(mayWait, exchange, isListed ? `transaction ${lt}` : `the transaction that ${verb} the message`);
    return;
  }
  const held = isSource ? result.out_msgs : [result.in_msg].filter((one) => one !== undefined);
  const contains = held.some((one) => isSameMessage(one, message));
  context.expect(contains, exchange, `a transaction that ${verb} the message of ${message.created_lt}`, summaryOf(result));
  const isRight = result.transaction_id.lt === lt && result.transaction_id.hash === hash && result.data === listed.data;
  context.expect(!isListed || isRight, exchange, `transaction ${lt} with hash ${hash}, as it is listed`, summaryOf(result));
}

function isSameMessage(a: Message, b: Message): boolean {
  const key = ({ source, destination, created_lt }: Message): string =>
    [rawAddressOf(addressTextOf(source)), rawAddressOf(addressTextOf(destination)), created_lt].join(" ");
  return key(a) === key(b) && (a.hash === undefined || b.hash === undefined || a.hash === b.hash);
}

function summaryOf({ transaction_id, out_msgs, in_msg }: WireTransaction): string {
  const sent = out_msgs.map(({ created_lt }) => created_lt).join(", ") || "none";
  return `transaction ${transaction_id.lt} with hash ${transaction_id.hash}; in: ${in_msg?.created_lt ?? "none"}, out: ${sent}`;
}

/** Whether a message is so recent that it may not have been consumed yet. */
async function mayBeUndelivered(context: Context, { utime }: WireTransaction, exchange: Exchange): Promise<boolean> {
  const now = Math.max(...(await accountsOf(context)).map(({ state }) => state.sync_utime));
  return responseOf(exchange)?.status === 404 && now - utime < longestDelivery;
}
