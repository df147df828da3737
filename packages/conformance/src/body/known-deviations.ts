/**
 * Known deviations of older deployments. An entry explains one difference, and only in a body that shows other signs of the
 * older generation; every other difference stays unexplained.
 */
import { validateAddressOrEmpty } from "../contract/schemas.ts";
import { has, isObject, valueAt } from "../json.ts";
import type { Finding, Subject } from "./finding.ts";

/** A known deviation, and why it occurs. */
export interface KnownDeviation {
  readonly name: string;
  readonly why: string;
}

interface Entry extends KnownDeviation {
  /** `at` is the path to the place from the result or the failure, with `*` for each index. */
  readonly explains: (finding: Finding, subject: Subject, at: string) => boolean;
}

const table: readonly Entry[] = [
  {
    name: "float-timestamp",
    why: "The older generation keeps the consensus time with a fraction of a second.",
    explains: (finding, subject, at) =>
      isResultOf(subject, "getConsensusBlock") &&
      finding.kind === "wrong" &&
      at === "timestamp" &&
      isFractionalTime(finding.value),
  },
  {
    name: "untyped-consensus-block",
    why: "The older generation leaves out @type in its consensus block, whose time has a fraction.",
    explains: (finding, subject, at) =>
      isResultOf(subject, "getConsensusBlock") &&
      finding.kind === "missing" &&
      at === "@type" &&
      isFractionalTime(valueAt(subject.result, ["timestamp"])),
  },
  {
    name: "zero-balance-as-number",
    why: "The older generation answers the number 0 as the balance of an account that was never seen.",
    explains: (finding, subject, at) =>
      isResultOf(subject, "getAddressInformation") &&
      finding.kind === "wrong" &&
      at === "balance" &&
      finding.value === 0 &&
      valueAt(subject.result, ["state"]) === "uninitialized" &&
      valueAt(subject.result, ["last_transaction_id", "lt"]) === "0",
  },
  {
    name: "account-without-extra-currencies",
    why: "Account states of the older generation had no extra currencies at first.",
    explains: (finding, subject, at) =>
      isResultOf(subject, "getAddressInformation") &&
      !subject.described &&
      finding.kind === "missing" &&
      at === "extra_currencies" &&
      valueAt(subject.result, ["@type"]) === "raw.fullAccountState",
  },
  {
    name: "raw-transaction-located",
    why: "The locate operations of the older generation answer a raw.transaction; ext.transaction came later.",
    explains: (finding, subject, at) => isLocated(subject) && at === "@type" && finding.value === "raw.transaction",
  },
  {
    name: "raw-message-located",
    why: "The messages of a raw.transaction that the older generation locates are raw.message objects.",
    explains: (finding, subject, at) =>
      isRawLocated(subject) && /^(in_msg|out_msgs\.\*)\.@type$/.test(at) && finding.value === "raw.message",
  },
  {
    name: "transaction-without-address",
    why: "A raw.transaction of the older generation had no address at first.",
    explains: (finding, subject, at) =>
      finding.kind === "missing" &&
      ((isRawLocated(subject) && at === "address") ||
        (isOlderPage(subject) && at === "transactions.*.address" && typeOfOwner(finding, subject) === "raw.transaction")),
  },
  {
    name: "transaction-without-account",
    why: "A raw.transaction has no account member; the older generation answers it instead of an ext.transaction.",
    explains: (finding, subject, at) => isRawLocated(subject) && finding.kind === "missing" && at === "account",
  },
  {
    name: "message-without-hash",
    why: "A raw.message of the older generation had no hash at first.",
    explains: (finding, subject, at) => isOlderMessageMember(finding, subject, at, "hash"),
  },
  {
    name: "message-without-extra-currencies",
    why: "A raw.message of the older generation had no extra currencies at first.",
    explains: (finding, subject, at) => isOlderMessageMember(finding, subject, at, "extra_currencies"),
  },
  {
    name: "flat-message-address",
    why: "The older generation lists the source and destination of a message as text instead of an accountAddress object.",
    explains: (finding, subject, at) =>
      isResultOf(subject, "getTransactionsStd") &&
      finding.kind === "wrong" &&
      /^transactions\.\*\.(in_msg|out_msgs\.\*)\.(source|destination)$/.test(at) &&
      isFlatPage(subject.result) &&
      typeOfOwner(finding, subject) === "raw.message",
  },
  {
    name: "limiter-text-in-result",
    why: "A rate limiter in front of older deployments puts the text of its 429 into result, and sends no error.",
    explains: (finding, subject, at) =>
      subject.kind === "failure" &&
      isLimiterAnswer(subject.failure) &&
      ((finding.kind === "missing" && at === "error") || (finding.kind === "law" && at === "result")),
  },
];

/** Names and reasons of the known deviations. */
export const knownDeviations: readonly KnownDeviation[] = table.map(({ name, why }) => ({ name, why }));

/** The name of the known deviation that explains a finding; undefined if none does. */
export function explanationOf(finding: Finding, subject: Subject): string | undefined {
  const at = inSubject(finding, subject)
    .map((segment) => (/^\d+$/.test(segment) ? "*" : segment))
    .join(".");
  return table.find(({ explains }) => explains(finding, subject, at))?.name;
}

type ResultSubject = Extract<Subject, { kind: "result" }>;

function isResultOf(subject: Subject, ...operations: string[]): subject is ResultSubject {
  return subject.kind === "result" && operations.includes(subject.operation);
}

function inSubject({ segments }: Finding, subject: Subject): readonly string[] {
  return subject.kind === "result" ? segments.slice(subject.prefix.length) : segments;
}

/** The `@type` of the object whose member a finding is about. */
function typeOfOwner(finding: Finding, subject: Subject): unknown {
  const judged = subject.kind === "result" ? subject.result : subject.failure;
  return valueAt(judged, [...inSubject(finding, subject).slice(0, -1), "@type"]);
}

function isFractionalTime(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value < 2 ** 32 && !Number.isInteger(value);
}

function isLocated(subject: Subject): subject is ResultSubject {
  return isResultOf(subject, "tryLocateResultTx", "tryLocateSourceTx");
}

function isRawLocated(subject: Subject): subject is ResultSubject {
  return isLocated(subject) && valueAt(subject.result, ["@type"]) === "raw.transaction";
}

/** The older generation has @extra inside the result, the described one beside it. */
function hasInnerExtra(result: unknown): boolean {
  return has(result, "@extra") && typeof result["@extra"] === "string";
}

function isOlderPage(subject: Subject): subject is ResultSubject {
  return isResultOf(subject, "getTransactionsStd") && (hasInnerExtra(subject.result) || isFlatPage(subject.result));
}

/** Computed once for each page: a page of a thousand transactions has thousands of deviations. */
const flatPages = new WeakMap<object, boolean>();

/** Whether all messages of a page, at least one, have both addresses as text: the older generation has all as text or none. */
function isFlatPage(page: unknown): boolean {
  if (!isObject(page)) return false;
  const flat = flatPages.get(page) ?? hasFlatMessagesOnly(page);
  flatPages.set(page, flat);
  return flat;
}

function hasFlatMessagesOnly(page: unknown): boolean {
  const transactions = valueAt(page, ["transactions"]);
  if (!Array.isArray(transactions)) return false;
  const messages = transactions.flatMap((transaction: unknown) => [
    ...[valueAt(transaction, ["in_msg"])].filter((message) => message !== undefined),
    ...[valueAt(transaction, ["out_msgs"])].flat(),
  ]);
  return messages.length > 0 && messages.every((message) => isFlatEnd(message, "source") && isFlatEnd(message, "destination"));
}

function isFlatEnd(message: unknown, end: string): boolean {
  return validateAddressOrEmpty(valueAt(message, [end])).length === 0;
}

function isOlderMessageMember(finding: Finding, subject: Subject, at: string, member: string): boolean {
  const located = isRawLocated(subject) && (at === `in_msg.${member}` || at === `out_msgs.*.${member}`);
  const listed =
    isOlderPage(subject) && (at === `transactions.*.in_msg.${member}` || at === `transactions.*.out_msgs.*.${member}`);
  return finding.kind === "missing" && (located || listed) && typeOfOwner(finding, subject) === "raw.message";
}

function isLimiterAnswer(failure: unknown): boolean {
  if (!isObject(failure) || Object.hasOwn(failure, "error")) return false;
  return failure["code"] === 429 && typeof failure["result"] === "string" && failure["result"] !== "";
}
