/** Laws of locating the two transactions of a message. */
import { rawAddressOf } from "../../address.ts";
import { answerOf, type Exchange } from "../../service/exchange.ts";
import { type Breach, type Check, type Context, NotApplicable } from "../check.ts";
import { accountsOf, transactionsOf } from "./account-sample.ts";
import { breachOf, endOf, type Message, type Transaction, tried, unless } from "./typed-requests.ts";

const most = 6;

/** Seconds after which a message can no longer be on its way. */
const longestWay = 600;

interface Sent {
  readonly message: Message;
  /** The transaction that the listing shows the message in. */
  readonly listed: Transaction;
}

export const messageChecks: readonly Check[] = [
  {
    id: "live/located-source",
    says: "the transaction that sent a message is found by it, and contains it",
    law: "D-19",
    operations: ["tryLocateSourceTx"],
    run: async (context) => {
      const breaches: Breach[] = [];
      for (const { message, listed } of await outgoing(context)) {
        const { result, exchange } = await tried(context, "tryLocateSourceTx", keyOf(message));
        breaches.push(
          ...(result === undefined
            ? [breachOf(exchange, `transaction ${listed.transaction_id.lt}`)]
            : sourceBreaches(result, message, listed, exchange)),
        );
      }
      for (const { message } of await incoming(context)) {
        const { result, exchange } = await tried(context, "tryLocateSourceTx", keyOf(message));
        breaches.push(
          ...(result === undefined
            ? [breachOf(exchange, "the transaction that sent the message")]
            : sourceBreaches(result, message, undefined, exchange)),
        );
      }
      return breaches;
    },
  },
  {
    id: "live/located-result",
    says: "the transaction that consumed a message is found by it, and contains it",
    law: "D-19",
    operations: ["tryLocateResultTx"],
    run: async (context) => {
      const breaches: Breach[] = [];
      for (const { message, listed } of await outgoing(context)) {
        const { result, exchange } = await tried(context, "tryLocateResultTx", keyOf(message));
        if (result !== undefined) breaches.push(...resultBreaches(result, message, undefined, exchange));
        else if (!(await mayBeOnItsWay(context, listed, exchange)))
          breaches.push(breachOf(exchange, "the transaction that consumed the message"));
      }
      for (const { message, listed } of await incoming(context)) {
        const { result, exchange } = await tried(context, "tryLocateResultTx", keyOf(message));
        breaches.push(
          ...(result === undefined
            ? [breachOf(exchange, `transaction ${listed.transaction_id.lt}`)]
            : resultBreaches(result, message, listed, exchange)),
        );
      }
      return breaches;
    },
  },
  {
    id: "live/no-such-message",
    says: "a message that was never sent is located by neither operation",
    law: "D-19",
    operations: ["tryLocateResultTx", "tryLocateSourceTx"],
    run: async (context) => {
      const [sent] = await outgoing(context);
      if (sent === undefined) return [];
      const count = sent.listed.out_msgs.length;
      const created_lt = String(BigInt(sent.listed.transaction_id.lt) + 1n + BigInt(count));
      const breaches: Breach[] = [];
      for (const operation of ["tryLocateResultTx", "tryLocateSourceTx"] as const) {
        const { exchange } = await tried(context, operation, { ...keyOf(sent.message), created_lt });
        if (answerOf(exchange)?.status !== 404) breaches.push(breachOf(exchange, "404"));
      }
      return breaches;
    },
  },
  {
    id: "live/no-source-of-external-message",
    says: "a message from outside the chain has no source",
    law: "D-18",
    operations: ["tryLocateSourceTx"],
    run: async (context) => {
      const [external] = (await transactionsOf(context)).flatMap(({ transaction: { in_msg } }) =>
        in_msg !== undefined && endOf(in_msg.source) === "" ? [in_msg] : [],
      );
      if (external === undefined) throw new NotApplicable("no known transaction began with a message from outside");
      const { exchange } = await tried(context, "tryLocateSourceTx", keyOf(external));
      return answerOf(exchange)?.status === 404 ? [] : [breachOf(exchange, "404")];
    },
  },
];

/** Messages that known transactions sent to accounts. */
async function outgoing(context: Context): Promise<Sent[]> {
  const all = (await transactionsOf(context)).flatMap(({ transaction }) =>
    transaction.out_msgs
      .filter(({ destination }) => endOf(destination) !== "")
      .map((message) => ({ message, listed: transaction })),
  );
  if (all.length === 0) throw new NotApplicable("no known transaction sent a message to an account");
  return all.slice(0, most);
}

/** Messages from accounts that known transactions consumed. */
async function incoming(context: Context): Promise<Sent[]> {
  return (await transactionsOf(context))
    .flatMap(({ transaction }) =>
      transaction.in_msg === undefined ? [] : [{ message: transaction.in_msg, listed: transaction }],
    )
    .filter(({ message }) => endOf(message.source) !== "")
    .slice(0, most);
}

function keyOf({ source, destination, created_lt }: Message): Record<string, string> {
  return { source: endOf(source), destination: endOf(destination), created_lt };
}

function sourceBreaches(got: Transaction, message: Message, listed: Transaction | undefined, exchange: Exchange): Breach[] {
  const contains = got.out_msgs.some((one) => isSameMessage(one, message));
  return [
    ...unless(contains, exchange, `a transaction that sent the message of ${message.created_lt}`, nameOf(got)),
    ...listing(got, listed, exchange),
  ];
}

function resultBreaches(got: Transaction, message: Message, listed: Transaction | undefined, exchange: Exchange): Breach[] {
  const contains = got.in_msg !== undefined && isSameMessage(got.in_msg, message);
  return [
    ...unless(contains, exchange, `a transaction that began with the message of ${message.created_lt}`, nameOf(got)),
    ...listing(got, listed, exchange),
  ];
}

/** What is located is what the listing shows. */
function listing(got: Transaction, listed: Transaction | undefined, exchange: Exchange): Breach[] {
  if (listed === undefined) return [];
  const { lt, hash } = listed.transaction_id;
  const isListed = got.transaction_id.lt === lt && got.transaction_id.hash === hash && got.data === listed.data;
  return unless(isListed, exchange, `transaction ${lt} with hash ${hash}, as it is listed`, nameOf(got));
}

function isSameMessage(a: Message, b: Message): boolean {
  const raw = ({ source, destination, created_lt }: Message): string =>
    [rawAddressOf(endOf(source)), rawAddressOf(endOf(destination)), created_lt].join(" ");
  return raw(a) === raw(b) && (a.hash === undefined || b.hash === undefined || a.hash === b.hash);
}

function nameOf({ transaction_id, out_msgs, in_msg }: Transaction): string {
  const sent = out_msgs.map(({ created_lt }) => created_lt).join(", ") || "none";
  return `transaction ${transaction_id.lt} with hash ${transaction_id.hash}; in: ${in_msg?.created_lt ?? "none"}, out: ${sent}`;
}

/** A message of the last minutes may not have been consumed yet. */
async function mayBeOnItsWay(context: Context, { utime }: Transaction, exchange: Exchange): Promise<boolean> {
  const now = Math.max(...(await accountsOf(context)).map(({ state }) => state.sync_utime));
  return answerOf(exchange)?.status === 404 && now - utime < longestWay;
}
