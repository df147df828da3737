/** Histories of accounts: Alice's is documented; another account has other times, amounts and hashes, and a bounced transfer. */
import {
  type AccountId,
  parseAddress,
  parseHash,
  sameHash,
  toBase64Hash,
  toFriendlyAddress,
  toRawAddress,
} from "@chain-query/openapi/address";
import { operationsById } from "@chain-query/openapi/operations";
import type { RequestInputs } from "@chain-query/openapi/requests";
import { successes } from "./documented.ts";

interface TransactionId {
  "@type": string;
  lt: string;
  hash: string;
}

interface Address {
  "@type": string;
  account_address: string;
}

/** A message as getTransactionsStd shows it. */
export interface Message {
  "@type": string;
  hash: string;
  source: Address;
  destination: Address;
  value: string;
  extra_currencies: readonly object[];
  created_lt: string;
  msg_data: { readonly "@type": string; readonly text?: string };
}

/** A transaction as getTransactionsStd shows it. */
export interface Transaction {
  "@type": string;
  address: Address;
  utime: number;
  transaction_id: TransactionId;
  fee: string;
  in_msg?: Message;
  out_msgs: readonly Message[];
}

interface Page {
  transactions: readonly Transaction[];
  previous_transaction_id: TransactionId;
}

const documentedPages = successes(operationsById.getTransactionsStd).map(({ response }) => response.body["result"] as Page);
const documented = joinPages(documentedPages);
const alice = documented[0]?.address.account_address ?? "";
/** The contract marks the end of a history with lt 0 and a hash of zeros. */
export const endOfHistory: TransactionId = {
  "@type": "internal.transactionId",
  lt: "0",
  hash: toBase64Hash(new Uint8Array(32)),
};

/** The last transaction of Alice is that many blocks before the head, of 120 seconds and 2,000,000 logical times each. */
const blocksToHead = 60;
export const secondsOfBlock = 120;
const timesOfBlock = 2_000_000n;

const addressOf = (account_address: string): Address => ({ "@type": "accountAddress", account_address });
const dave = "EQCALMNsWm7ImRlI_rb1Tf9aMAu8_WtoNbFbLkqwf3GWaPfz";
/** What would remain of Alice's transfer to Dave, whose account is frozen, if it had come back. Accounts like hers have it. */
const bounced: Transaction & { readonly [member: string]: unknown } = {
  "@type": "raw.transaction",
  address: addressOf(alice),
  utime: 1_767_297_840,
  data: "te6cckECBgEAAWwAA7N0atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAAAEe0UsF2TeJV8D8WHQKs7mXBUf5GNu2i4SGJiv4DWRs2ia2AWgAAAABHd0nBaVbTMAABRTiCgBAwQBAaACAM9YAQBZhti03ZEyMpH9beqb/rRgF3n61tBrYrZclWD+4yzRABGrUEii/AnP5hZHoiupc/ePWFnYhCbBiEiNVq6+AjlfjBhqAAYII1oAAAAAjyuchNKtpXB/////rX8AAIAAAAAAAAAAwACCcgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIBEwxASMGGoBhTiAEFAJosiA+gAAAAAAAAAAAFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAL1rOSI=",
  transaction_id: { "@type": "internal.transactionId", lt: "1203000001", hash: "jcQWHQUULJlHS0978SlP0o649GzZFSuU3vVEc7swr4c=" },
  fee: "40001",
  storage_fee: "1",
  other_fee: "40000",
  out_msgs: [],
  in_msg: {
    "@type": "raw.message",
    hash: "Fw0HxY3R8WWB/b2zUkj7GQA6eil8lK+lYIAcCU4/QuQ=",
    source: addressOf(dave),
    destination: addressOf(alice),
    value: "400000",
    extra_currencies: [],
    ...{ fwd_fee: "266669", ihr_fee: "0" },
    created_lt: "1201000002",
    ...{ body_hash: "RyItzbQeaHdQlLcNYZg3xNOCb18fLVUytcsA3oSAvW8=" },
    msg_data: { "@type": "msg.dataRaw", ...{ body: "te6cckEBAQEAEgAAIP////9a/gABAAAAAAAAAAFT3e3G", init_state: "" } },
  },
};
const pattern = [bounced, ...documented].sort((one, other) => other.utime - one.utime);

/** All transactions that an account has at the head, newest first. */
export function historyOf(account: AccountId): readonly Transaction[] {
  const own = friendlyForm(account);
  if (own === alice) return documented;
  const received = onlyTransaction(own);
  if (received !== undefined) return [received];
  const seed = account.hash.reduce((mixed, byte) => Math.imul(mixed ^ byte, 0x01000193) >>> 0, 0x811c9dc5 ^ account.workchain);
  const blocks = 1 + (seed % blocksToHead);
  const more = BigInt(1 + (seed % 999_999_999));
  const mask = parseAddress(alice).hash.map((byte, index) => byte ^ (account.hash[index] ?? 0));
  mask[31] = (mask[31] ?? 0) ^ (account.workchain & 0xff);

  const hashOf = (hash: string): string => toBase64Hash(parseHash(hash).map((byte, index) => byte ^ (mask[index] ?? 0)));
  // Alice takes the place of the account where it sends to itself.
  const swapped = new Map([
    [alice, own],
    [own, alice],
  ]);
  const addressFor = ({ account_address: text, ...rest }: Address) => ({ ...rest, account_address: swapped.get(text) ?? text });
  const messageFor = (message: Message): Message => {
    const { source, destination, value } = message;
    // All that it receives is more, and what it sends to Dave, who returns it.
    const isMore = value !== "0" && (source.account_address !== alice || destination.account_address === dave);
    return {
      ...message,
      hash: hashOf(message.hash),
      source: addressFor(source),
      destination: addressFor(destination),
      value: isMore ? String(BigInt(value) + more) : value,
    };
  };
  return pattern.map((transaction) => {
    const { in_msg, ...rest } = shiftTime(transaction, BigInt(blocks) * timesOfBlock);
    const { address, utime, transaction_id, out_msgs } = rest;
    return {
      ...rest,
      address: addressFor(address),
      utime: utime + blocks * secondsOfBlock,
      transaction_id: { ...transaction_id, hash: hashOf(transaction_id.hash) },
      out_msgs: out_msgs.map(messageFor),
      ...(in_msg === undefined ? {} : { in_msg: messageFor(in_msg) }),
    };
  });
}

/** The one transaction of an account whose documented state is that after a transfer of Alice. */
function onlyTransaction(own: string): Transaction | undefined {
  const example = successes(operationsById.getAddressInformation).find(({ request }) => request.body?.["address"] === own);
  const state = example?.response.body["result"] as { balance: string; last_transaction_id: TransactionId } | undefined;
  const sent = documented.find(({ out_msgs }) => out_msgs.some(({ destination }) => destination.account_address === own));
  const in_msg = sent?.out_msgs.find(({ destination }) => destination.account_address === own);
  const [like] = documented.slice(-1);
  if (state === undefined || sent === undefined || in_msg === undefined || like === undefined) return undefined;
  const fee = String(BigInt(in_msg.value) - BigInt(state.balance));
  const { last_transaction_id: transaction_id } = state;
  const utime = sent.utime + secondsOfBlock;
  return { ...like, address: addressOf(own), utime, transaction_id, ...{ fee, storage_fee: fee }, in_msg };
}

/**
 * A page of the history of an account. It begins at the transaction with this lt and hash. If the history has no such transaction, all
 * its logical times are shifted, so that its newest transaction has this lt and hash; those that would have none are left out.
 */
export function historyPage(page: object, { address, lt, hash, limit, to_lt }: RequestInputs["getTransactionsStd"]): object {
  const history = startingAt(historyOf(address), lt, hash);
  const transactions = history.filter(({ transaction_id }) => BigInt(transaction_id.lt) > to_lt).slice(0, limit);
  const [next = endOfHistory] = history.slice(transactions.length).map(({ transaction_id }) => transaction_id);
  return { ...page, transactions, previous_transaction_id: transactions.length > 0 ? next : endOfHistory };
}

function startingAt(history: readonly Transaction[], lt?: bigint, hash?: Uint8Array): readonly Transaction[] {
  const [newest] = history;
  if (lt === undefined || hash === undefined || newest === undefined) return history;
  const known = history.findIndex(({ transaction_id: id }) => id.lt === String(lt) && sameHash(id.hash, hash));
  if (known >= 0) return history.slice(known);
  const [first, ...others] = history.map((transaction) => shiftTime(transaction, lt - BigInt(newest.transaction_id.lt)));
  if (first === undefined) return [];
  const earlier = others.filter(({ transaction_id }) => transaction_id.lt !== "0");
  return [{ ...first, transaction_id: { ...first.transaction_id, hash: toBase64Hash(hash) } }, ...earlier];
}

function shiftTime({ in_msg, ...transaction }: Transaction, shift: bigint): Transaction {
  const shifted = (lt: string): string => {
    const sum = BigInt(lt) + shift;
    return String(sum < 0n ? 0n : sum);
  };
  const { transaction_id, out_msgs } = transaction;
  return {
    ...transaction,
    transaction_id: { ...transaction_id, lt: shifted(transaction_id.lt) },
    // An external message has no logical time.
    ...(in_msg === undefined
      ? {}
      : { in_msg: in_msg.created_lt === "0" ? in_msg : { ...in_msg, created_lt: shifted(in_msg.created_lt) } }),
    out_msgs: out_msgs.map((message) => ({ ...message, created_lt: shifted(message.created_lt) })),
  };
}

/** The transactions of consecutive pages, from the first page on. */
function joinPages(pages: readonly Page[]): Transaction[] {
  const joined: Transaction[] = [];
  let page = pages[0];
  while (page !== undefined) {
    joined.push(...page.transactions);
    const { lt } = page.previous_transaction_id;
    page = pages.find(({ transactions }) => transactions[0]?.transaction_id.lt === lt);
  }
  return joined;
}

/** The address as in responses: user-friendly, or raw if the workchain does not fit the byte of the user-friendly form. */
export function friendlyForm({ workchain, hash }: AccountId): string {
  return workchain >= -128 && workchain <= 127 ? toFriendlyAddress({ workchain, hash }) : toRawAddress({ workchain, hash });
}
