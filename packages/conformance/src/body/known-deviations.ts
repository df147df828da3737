/**
 * Known deviations of older deployments. An entry explains one difference, and only in a body that shows other signs of the
 * older generation; every other difference stays unexplained.
 */
import { validateAddressOrEmpty } from "../contract/schemas.ts";
import { has, isObject, valueAt } from "../json.ts";
import { type Finding, isResultOf, type ResultTarget, type Target } from "../rules/schema.ts";

/** A known deviation, and why it occurs. */
export interface KnownDeviation {
  readonly name: string;
  readonly reason: string;
}

interface Entry extends KnownDeviation {
  /** `at` is the path to the place from the result or the failure, with `*` for each index. */
  readonly explains: (finding: Finding, target: Target, at: string) => boolean;
}

const table: readonly Entry[] = [
  {
    name: "float-timestamp",
    reason: "The older generation keeps the consensus time with a fraction of a second.",
    explains: (finding, target, at) =>
      isResultOf(target, "getConsensusBlock") &&
      finding.kind === "wrong" &&
      at === "timestamp" &&
      isFractionalTime(finding.value),
  },
  {
    name: "untyped-consensus-block",
    reason: "The older generation leaves out @type in its consensus block, whose time has a fraction.",
    explains: (finding, target, at) =>
      isResultOf(target, "getConsensusBlock") &&
      finding.kind === "missing" &&
      at === "@type" &&
      isFractionalTime(valueAt(target.result, ["timestamp"])),
  },
  {
    name: "zero-balance-as-number",
    reason: "The older generation answers the number 0 as the balance of an account that was never seen.",
    explains: (finding, target, at) =>
      isResultOf(target, "getAddressInformation") &&
      finding.kind === "wrong" &&
      at === "balance" &&
      finding.value === 0 &&
      valueAt(target.result, ["state"]) === "uninitialized" &&
      valueAt(target.result, ["last_transaction_id", "lt"]) === "0",
  },
  {
    name: "account-without-extra-currencies",
    reason: "Account states of the older generation had no extra currencies at first.",
    explains: (finding, target, at) =>
      isResultOf(target, "getAddressInformation") &&
      !target.described &&
      finding.kind === "missing" &&
      at === "extra_currencies" &&
      valueAt(target.result, ["@type"]) === "raw.fullAccountState",
  },
  {
    name: "raw-transaction-located",
    reason: "The locate operations of the older generation answer a raw.transaction; ext.transaction came later.",
    explains: (finding, target, at) => isLocated(target) && at === "@type" && finding.value === "raw.transaction",
  },
  {
    name: "raw-message-located",
    reason: "The messages of a raw.transaction that the older generation locates are raw.message objects.",
    explains: (finding, target, at) =>
      isRawLocated(target) && /^(in_msg|out_msgs\.\*)\.@type$/.test(at) && finding.value === "raw.message",
  },
  {
    name: "transaction-without-address",
    reason: "A raw.transaction of the older generation had no address at first.",
    explains: (finding, target, at) =>
      finding.kind === "missing" &&
      ((isRawLocated(target) && at === "address") ||
        (isOlderPage(target) && at === "transactions.*.address" && typeOfOwner(finding, target) === "raw.transaction")),
  },
  {
    name: "transaction-without-account",
    reason: "A raw.transaction has no account member; the older generation answers it instead of an ext.transaction.",
    explains: (finding, target, at) => isRawLocated(target) && finding.kind === "missing" && at === "account",
  },
  {
    name: "message-without-hash",
    reason: "A raw.message of the older generation had no hash at first.",
    explains: (finding, target, at) => isOlderMessageMember(finding, target, at, "hash"),
  },
  {
    name: "message-without-extra-currencies",
    reason: "A raw.message of the older generation had no extra currencies at first.",
    explains: (finding, target, at) => isOlderMessageMember(finding, target, at, "extra_currencies"),
  },
  {
    name: "flat-message-address",
    reason: "The older generation lists the source and destination of a message as text instead of an accountAddress object.",
    explains: (finding, target, at) =>
      isResultOf(target, "getTransactionsStd") &&
      finding.kind === "wrong" &&
      /^transactions\.\*\.(in_msg|out_msgs\.\*)\.(source|destination)$/.test(at) &&
      isFlatPage(target.result) &&
      typeOfOwner(finding, target) === "raw.message",
  },
  {
    name: "limiter-text-in-result",
    reason: "A rate limiter in front of older deployments puts the text of its 429 into result, and sends no error.",
    explains: (finding, target, at) =>
      target.kind === "failure" &&
      isLimiterResponse(target.failure) &&
      ((finding.kind === "missing" && at === "error") || (finding.kind === "decision" && at === "result")),
  },
];

/** Names and reasons of the known deviations. */
export const knownDeviations: readonly KnownDeviation[] = table.map(({ name, reason }) => ({ name, reason }));

/** The name of the known deviation that explains a finding; undefined if none does. */
export function explanationOf(finding: Finding, target: Target): string | undefined {
  const at = inTarget(finding, target)
    .map((segment) => (/^\d+$/.test(segment) ? "*" : segment))
    .join(".");
  return table.find(({ explains }) => explains(finding, target, at))?.name;
}

function inTarget({ segments }: Finding, target: Target): readonly string[] {
  return target.kind === "result" ? segments.slice(target.prefix.length) : segments;
}

/** The `@type` of the object whose member a finding is about. */
function typeOfOwner(finding: Finding, target: Target): unknown {
  const validated = target.kind === "result" ? target.result : target.failure;
  return valueAt(validated, [...inTarget(finding, target).slice(0, -1), "@type"]);
}

function isFractionalTime(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value < 2 ** 32 && !Number.isInteger(value);
}

function isLocated(target: Target): target is ResultTarget {
  return isResultOf(target, "tryLocateResultTx", "tryLocateSourceTx");
}

function isRawLocated(target: Target): target is ResultTarget {
  return isLocated(target) && valueAt(target.result, ["@type"]) === "raw.transaction";
}

/** The older generation has @extra inside the result, the described one beside it. */
function hasInnerExtra(result: unknown): boolean {
  return has(result, "@extra") && typeof result["@extra"] === "string";
}

function isOlderPage(target: Target): target is ResultTarget {
  return isResultOf(target, "getTransactionsStd") && (hasInnerExtra(target.result) || isFlatPage(target.result));
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

function isOlderMessageMember(finding: Finding, target: Target, at: string, member: string): boolean {
  const located = isRawLocated(target) && (at === `in_msg.${member}` || at === `out_msgs.*.${member}`);
  const listed =
    isOlderPage(target) && (at === `transactions.*.in_msg.${member}` || at === `transactions.*.out_msgs.*.${member}`);
  return finding.kind === "missing" && (located || listed) && typeOfOwner(finding, target) === "raw.message";
}

function isLimiterResponse(failure: unknown): boolean {
  if (!isObject(failure) || Object.hasOwn(failure, "error")) return false;
  return failure["code"] === 429 && typeof failure["result"] === "string" && failure["result"] !== "";
}
