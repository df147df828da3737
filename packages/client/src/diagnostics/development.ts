/** Checks options, and explains which arguments are accepted. Browser builds for production take production.ts in place of this file. */

import { checkRequest } from "@chain-query/openapi/requests";
import type { OperationId } from "@chain-query/types";
import { type ApiError, ChainQueryError, type ParseError, ServerError } from "../errors.ts";
import type { Hooks } from "../hooks.ts";
import type { Kind } from "../operations/int64.ts";
import { operations } from "../operations/operations.gen.ts";
import type { CallOptions, ClientOptions } from "../options.ts";
import { isKey } from "../transport/key.ts";
import type { Limiter, OutgoingRequest, RateLimit, TransportSettings } from "../transport/settings.ts";
import type { Retry } from "../transport/timing.ts";
import {
  callbackRule,
  check,
  formatValue,
  integerRule,
  isFunction,
  matchesKind,
  passes,
  positiveRule,
  type Rule,
  signalRule,
  throwInvalid,
  throwInvalidValue,
  unknownMember,
  withArticle,
} from "./rules.ts";

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const isRecord = (value: unknown): boolean => isObject(value) && !Array.isArray(value);
const isEach = (of: Rule[0]) => (value: unknown) => Array.isArray(value) && value.every(of);

function isUrl(value: unknown): unknown {
  return typeof value === "string" && /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/i.test(value) && new URL(value);
}

/** A limiter has these methods; the limits of one have none. */
function isRateLimit(value: unknown): boolean {
  const { acquire, pause } = Object(value);
  return value === false || (isRecord(value) && [acquire, pause].every((each) => each === undefined || isFunction(each)));
}

/** The rule whose words fit the value. */
function urlRule(value: unknown): Rule {
  if (typeof value === "object") return [isUrl, "an absolute http(s) URL as a string"];
  // Credentials and queries may be secret.
  if (/[@?#\s]/.test(`${value}`)) return [isUrl, "an absolute http(s) URL without credentials, query and spaces", true];
  const scheme = /^(localhost|127\.|\[)/.test(`${value}`) ? "http" : "https";
  const whole = `${scheme}://${value}`;
  const isHost = typeof value === "string" && !/^\w+:\/+/.test(value) && passes(isUrl, whole);
  return [isUrl, `an absolute http(s) URL${isHost ? ` such as "${whole}"` : ""}`];
}

const headers: Rule = [isRecord, "an object of headers", true];

/** Names the header that no request can have. */
function checkHeaders(where: string, headers: unknown): void {
  for (const [name, value] of Object.entries(Object(headers))) {
    // The whole name may be a secret in the wrong place.
    const odd = /[^\w!#$%&'*+.^`|~-]/.exec(name)?.[0];
    const shown = `a name ${odd ? `with ${formatValue(odd)}` : "of no characters"}`;
    if (!isHeader(name, "")) throwInvalidValue(where, "headers", "an object of headers", shown);
    if (!isHeader(name, value))
      throwInvalidValue(where, `headers["${name}"]`, "a text in Latin letters on one line", formatValue(value, true));
  }
}

function isHeader(name: string, value: unknown): boolean {
  try {
    new Headers({ [name]: value } as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
const countRule = integerRule(0);
const sizeRule = integerRule(1);

const call: Record<keyof CallOptions, Rule> = {
  signal: signalRule,
  timeoutMs: positiveRule,
  deadlineMs: positiveRule,
  maxRetries: countRule,
  headers,
};

const client: Record<keyof ClientOptions, Rule> = {
  baseUrl: urlRule(undefined),
  apiKey: [(value) => isFunction(value) || isKey(value), "visible ASCII without spaces, a function or undefined", true],
  timeoutMs: positiveRule,
  deadlineMs: positiveRule,
  retry: [
    (value) => value === false || isRecord(value),
    "false or an object, { maxRetries, baseDelayMs, maxDelayMs, statuses }",
  ],
  rateLimit: [isRateLimit, "false, an object, { requests, perMs, maxConcurrency }, or a limiter"],
  hooks: [(value) => isRecord(value) || isEach(isRecord)(value), "an object of hooks or an array of them"],
  validate: callbackRule,
  fetch: callbackRule,
  headers,
};

const retry: Record<keyof Retry, Rule> = {
  maxRetries: countRule,
  baseDelayMs: countRule,
  maxDelayMs: countRule,
  statuses: [isEach(integerRule(100)[0]), "an array of HTTP statuses"],
};

const hooks: Record<keyof Hooks, Rule> = {
  onCall: callbackRule,
  onWait: callbackRule,
  onRequest: callbackRule,
  onResponse: callbackRule,
  onRetry: callbackRule,
  onSettled: callbackRule,
};

const limit: Record<keyof RateLimit, Rule> = { requests: sizeRule, perMs: positiveRule, maxConcurrency: positiveRule };

const { address, limit: pageSize, lt, hash, toLt, archival } = operations.getTransactionsStd.members;
const inputRule = (kind: Kind): Rule => [(value) => matchesKind(kind, value), accepted(kind)];

const transactions: Readonly<Record<string, Rule>> = {
  address: inputRule(address),
  pageSize: inputRule(pageSize),
  maxItems: inputRule(["number", 0]),
  cursor: [isRecord, "an object"],
  toLt: inputRule(toLt),
  archival: inputRule(archival),
};

const cursor: Readonly<Record<string, Rule>> = { lt: inputRule(lt), hash: inputRule(hash), exclusive: inputRule("boolean") };

interface Options {
  /** The name of the options in messages, unless the caller gives one. */
  readonly where?: string;
  readonly rules: Readonly<Record<string, Rule>>;
  readonly required?: readonly string[];
}

type Name = "call" | "client" | "change" | "retry" | "hooks" | "limit" | "transactions" | "cursor";

const kinds: Record<Name, Options> = {
  call: { rules: call },
  client: { where: "createClient", rules: client, required: ["baseUrl"] },
  change: { where: "withOptions", rules: client },
  retry: { where: "createClient: retry", rules: retry },
  hooks: { where: "createClient: hooks", rules: hooks },
  limit: { where: "createLimiter", rules: limit, required: ["requests", "perMs"] },
  transactions: { where: "transactions", rules: transactions, required: ["address"] },
  cursor: { where: "transactions: cursor", rules: cursor, required: ["lt", "hash"] },
};

/** Checks options and returns those that are not undefined. */
export type CheckOptions = (
  kind: keyof typeof kinds,
  given: object | null | undefined,
  where?: string,
) => Record<string, unknown>;

/** Throws an `InvalidArgumentError` for an option that is unknown, wrong or missing. */
export const checkOptions: CheckOptions = (...about) => checked(() => checkedOptions(...about));

const checkedOptions: CheckOptions = (kind, given, place) => {
  const { where = place ?? "", rules, required = [] } = kinds[kind];
  const { baseUrl, apiKey, hooks = [], headers } = Object(given) as Partial<ClientOptions>;
  const own = rules === client ? { ...client, baseUrl: urlRule(baseUrl) } : rules;
  for (const [name, value] of Object.entries(rules === client ? { baseUrl, apiKey } : {})) {
    const stray = strayEnd(value);
    if (stray) throwInvalid(where, `${name} ${stray}`);
  }
  const passed = check(where, given, own, kind === "cursor" && !given ? [] : required, unknownOption);
  checkHeaders(where, headers);
  if (rules !== client) return passed;
  for (const each of [hooks].flat()) {
    // Hooks may be an object with other members of its own.
    const events = Object.entries(each).filter(([member]) => /^on[A-Z]/.test(member));
    checkedOptions("hooks", Object.fromEntries(events));
  }
  return passed;
};

/** Throws an `InvalidArgumentError` for a rejected member of an input, or a wrong choice of members. */
export type ThrowInvalidInput = (
  operation: string,
  name: string,
  given: unknown,
  kinds: Readonly<Record<string, Kind>>,
  oneOf?: readonly string[],
) => never;

export const throwInvalidInput: ThrowInvalidInput = (operation, ...about) =>
  checked(() => throwInvalid(operation, describeInvalidInput(...about)));

function describeInvalidInput(
  name: string,
  given: unknown,
  kinds: Readonly<Record<string, Kind>>,
  oneOf?: readonly string[],
): string {
  const names = Object.keys(kinds).join(", ");
  if (given && (typeof given !== "object" || Array.isArray(given))) {
    return `input must be an object, { ${names} }, got ${formatValue(given, true)}`;
  }
  if (oneOf) return `input must have exactly one of ${oneOf.join(", ")}, got ${name || "none"}`;
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) return unknownOption("input", names, name);
  const value: unknown = Object(given)[name];
  const isHexadecimal = typeof kind === "object" && typeof value === "string" && /^(0x)?[\da-f]{16}$/i.test(value);
  const hasLostDigits = Number.isInteger(value) && !Number.isSafeInteger(value);
  const hint = isHexadecimal
    ? `; write 0x${value.replace(/^0x/i, "")}n`
    : hasLostDigits
      ? "; a number of this size has lost digits, write a bigint or a string"
      : "";
  return `${name} must be ${accepted(kind)}, got ${formatValue(value)}${hint}`;
}

/** Names an unknown member, and the accepted one that it resembles, if any. */
const unknownOption: typeof unknownMember = (what, names, name) => {
  const known = names.split(", ");
  const near =
    known.find((each) => normalizedName(each) === normalizedName(name)) ??
    known.find((each) => resembles(normalizedName(each), normalizedName(name)));
  return unknownMember(what, names, name) + (near ? `; did you mean ${near}?` : "");
};

/** Without case, underscores and units, and in the singular of -y: time_out is timeoutMs, and retries is retry. */
const normalizedName = (name: string): string => name.replace(/_|Ms$/g, "").replace(/ies$/, "y").toLowerCase();

/** Whether one name is a part of the other, or becomes it by inserting, removing or replacing one letter, or by swapping two. */
function resembles(a: string, b: string): boolean {
  if (b.length > 2 && (a.includes(b) || b.includes(a))) return true;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restOfA, restOfB] = [a.slice(start), b.slice(start)];
  const [first = "", second = ""] = restOfA;
  const swapped = second + first + restOfA.slice(2);
  const edits = [
    [restOfA.slice(1), restOfB],
    [restOfA, restOfB.slice(1)],
    [restOfA.slice(1), restOfB.slice(1)],
    [swapped, restOfB],
  ];
  return start > 0 && edits.some(([left, right]) => left === right);
}

/** Throws an `InvalidArgumentError` for a request that breaks the contract: a mistyped address or hash, or a logical time without its hash. */
export const checkWire = (operation: string, wire: object): void => {
  // Integers have been checked with the input.
  if (!withText.has(operation)) return;
  const request = checkRequest(operation as OperationId, wire);
  if (!request.ok) checked(() => throwInvalid(operation, request.problems.join("; ")));
};

/** Throws for a cursor of the service that no request can have. */
export const checkCursor = (address: string, cursor: { lt: string; hash: string } | undefined): void => {
  if (cursor) checkWire("getTransactionsStd", { address, lt: cursor.lt, hash: cursor.hash });
};

const withText = new Set(
  Object.entries(operations).flatMap(([id, { members }]) => (Object.values(members).includes("string") ? [id] : [])),
);

/** The accepted values of a kind. */
function accepted(kind: Kind): string {
  if (typeof kind === "string") return withArticle(kind);
  const [sentAs, least, most = 2n ** (least === undefined ? 64n : 63n) - 1n] = kind;
  const forms = sentAs === "decimal" ? " as bigint, safe integer or decimal digits" : "";
  return `an integer from ${least ?? -(2n ** 63n)} to ${most}${forms}`;
}

/** What the codes of Node.js for a wrong host or port mean. */
const meanings: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host",
  ECONNREFUSED: "nothing listens there",
};

/** Why `fetch` failed: Node.js throws "fetch failed" and puts the reason into its cause, which may have only a code. */
export const reasonOf = (thrown: unknown): string => {
  const { cause: reason = thrown, message: outer } = Object(thrown);
  const { code, message } = Object(reason);
  const meaning = meanings[code];
  if (meaning) return `${code}, ${meaning}; check baseUrl`;
  // OpenSSL reports with a code and lines of its own that a server does not speak TLS.
  if (/^(EPROTO|ERR_SSL_.*(VERSION|PACKET|PROTOCOL|HTTP_REQUEST).*)$/.test(code)) {
    return `${code}, the port does not speak TLS; set baseUrl to http:// if that is meant`;
  }
  return /^E[A-Z]+$/.test(code) ? code : `${message || code || outer || reason}`.replace(/\s+/g, " ").trim();
};

/** Why a key is not accepted. @param thrown - What its function threw. */
export const describeKey = (key: unknown, thrown: unknown): string => {
  const got = thrown === undefined ? `, got ${formatValue(key, true)}` : "";
  return `apiKey ${strayEnd(key) ?? `must be or return visible ASCII without spaces${got}`}`;
};

/** What a text from a file or a variable has at its ends that does not belong to it. */
function strayEnd(value: unknown): string | undefined {
  if (typeof value !== "string" || value.trim() === value) return undefined;
  const isEnd = value.trimEnd() !== value;
  const stray = isEnd ? value.slice(-1) : value.slice(0, 1);
  const what = /[\r\n]/.test(stray) ? "a line break" : stray === "\uFEFF" ? "a byte order mark" : "a space";
  return `${isEnd ? "ends" : "begins"} with ${what}; trim it`;
}

/** The message of a response that is not of the contract. @param shown - The start of the body. @param received - The body, parsed. */
export type DescribeResponse = (
  about: Pick<ParseError, "request" | "status">,
  shown: string,
  text: string,
  received: { readonly ok?: unknown } | undefined,
  headers: Headers,
) => string;

export const describeResponse: DescribeResponse = ({ request, status }, shown, text, received, headers) => {
  const seen = `unexpected response to ${request}: HTTP ${status}: `;
  // Browsers hide where a redirect leads, and report status 0. 304 leads nowhere.
  if (status === 0 || (status >= 300 && status < 400 && status !== 304)) {
    const target = (headers.get("location") ?? "no visible Location").replace(/[?#].*/, "");
    return `${seen}redirect to ${target}; ${newBaseUrl(request, target) ?? "set baseUrl to where it leads"}`;
  }
  if (received === undefined && isCut(text)) {
    return `${seen}the body is not complete JSON: it ends after ${text.length} characters: ${shown}`;
  }
  const isOther = status === 404 || (text !== "" && received?.ok === undefined);
  return `${isOther ? "check baseUrl: " : ""}${seen}${shown}`;
};

/** The `baseUrl` with which the same call asks the target of a redirect. */
function newBaseUrl(request: string, target: string): string | undefined {
  const url = request.replace(/^\w+ /, "");
  const path = /\/api\/v2\/\w+$/.exec(url)?.[0] ?? "";
  let to: string;
  try {
    to = new URL(target, url).href;
  } catch {
    return undefined;
  }
  return path && to.endsWith(path) && to !== url ? `use baseUrl: "${to.slice(0, -path.length)}"` : undefined;
}

/** Whether a text begins like JSON and has fewer closing brackets than opening ones, besides those in its strings. */
function isCut(text: string): boolean {
  const rest = text.replace(/"(?:[^"\\]|\\.?)*("|$)/gs, "");
  const count = (brackets: RegExp) => rest.split(brackets).length;
  return /^\s*[{[]/.test(text) && count(/[{[]/) > count(/[}\]]/);
}

/** Makes `console.log(chain)` show the address and the names of the methods. */
export const label = (client: object, { baseUrl }: ClientOptions): void => {
  for (const [name, value] of Object.entries(client)) Object.defineProperty(value, "name", { value: name });
  Object.defineProperty(client, Symbol.toStringTag, { value: `ChainClient ${baseUrl}` });
};

/** Adds a hint to a 500, and gives the error of a call the stack of its caller, which ten frames of the transport would hide. */
export const annotate = (error: unknown, members: object, wire: Readonly<Record<string, unknown>>): void => {
  if (!(error instanceof ChainQueryError)) return;
  if (error instanceof ServerError && error.status === 500 && "archival" in members && wire["archival"] !== true) {
    error.message += "; archival: true may reach older history";
  }
  writeStack(error, annotate);
};

/**
 * Writes the stack anew: from the caller of a function of the client, and with the page about the error and the request id in its head,
 * since loggers print the stack without the members of the error.
 */
function writeStack(error: ChainQueryError, below: (...given: never[]) => unknown): void {
  const { captureStackTrace } = Error as { captureStackTrace?: (target: object, below: unknown) => void };
  captureStackTrace?.(error, below);
  const { docs, requestId } = error as ChainQueryError & Pick<ApiError, "requestId">;
  const head = `${error}`;
  const lines = [`docs: ${docs}`, ...(requestId === undefined ? [] : [`request id: ${requestId}`])];
  // Some engines have no head in their stacks.
  if (error.stack?.startsWith(head)) error.stack = [head, ...lines].join("\n  ") + error.stack.slice(head.length);
}

/** Runs a check, and writes the stack of its error. */
function checked<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof ChainQueryError) writeStack(error, checked);
    throw error;
  }
}

const warned = new WeakSet<Limiter>();

/** Warns once for each limiter of the default rate if a call is going to wait more than a second. */
export const noticeWait = (
  { apiKey, rateLimit, limiter }: TransportSettings,
  { headers }: OutgoingRequest,
  { operation }: { operation: string },
  waitMs: number | undefined,
): void => {
  if (!limiter || (apiKey ?? rateLimit ?? headers.get("x-api-key") ?? undefined) !== undefined || warned.has(limiter)) return;
  if (waitMs === undefined || waitMs <= 1_000) return;
  warned.add(limiter);
  const wait = `${operation} waits ${Math.ceil(waitMs)} ms for the rate limit of clients without a key`;
  console.warn(`@chain-query/client: ${wait}; pass apiKey, or set rateLimit to what the service allows`);
};
