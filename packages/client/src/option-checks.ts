/** Checks of options. Browser builds for production take no-option-checks.ts in place of this file: see `imports` in package.json. */
import type { Hooks } from "./hooks.ts";
import { check, type Kind, keyRule, type Rule } from "./operations/check.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import type { Retry } from "./transport/retry.ts";
import type { RateLimit } from "./transport/settings.ts";

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const isRecord = (value: unknown): boolean => isObject(value) && !Array.isArray(value);
const isFunction = (value: unknown): boolean => typeof value === "function";
const isEach = (of: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(of);
const integer = (least: number) => (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least;

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
  return [isUrl, "an absolute http(s) URL"];
}

const headers: Rule = [(value) => isRecord(value) && new Headers(value as HeadersInit), "an object of headers", true];
const positive: Rule = [(value) => typeof value === "number" && value > 0, "a positive number"];
const count: Rule = [integer(0), "an integer from 0"];
const size: Rule = [integer(1), "an integer from 1"];
const callback: Rule = [isFunction, "a function"];

const call: Record<keyof CallOptions, Kind> = {
  signal: [(value) => isFunction(Object(value).addEventListener) && "aborted" in Object(value), "an AbortSignal"],
  timeoutMs: positive,
  deadlineMs: positive,
  maxRetries: count,
  headers,
};

const client: Record<keyof ClientOptions, Kind> = {
  baseUrl: urlRule(undefined),
  apiKey: keyRule,
  timeoutMs: positive,
  deadlineMs: positive,
  retry: [
    (value) => value === false || isRecord(value),
    "false or an object, { maxRetries, baseDelayMs, maxDelayMs, statuses }",
  ],
  rateLimit: [isRateLimit, "false, an object, { requests, perMs, maxConcurrency }, or a limiter"],
  middleware: [isEach(isObject), "an array of objects"],
  hooks: [(value) => isRecord(value) || isEach(isRecord)(value), "an object of hooks or an array of them"],
  validate: callback,
  fetch: callback,
  headers,
  dedupe: "boolean",
};

const retry: Record<keyof Retry, Kind> = {
  maxRetries: count,
  baseDelayMs: count,
  maxDelayMs: count,
  statuses: [isEach(integer(100)), "an array of HTTP statuses"],
};

const hooks: Record<keyof Hooks, Kind> = {
  onRequest: callback,
  onResponse: callback,
  onRetry: callback,
  onSettled: callback,
};

const limit: Record<keyof RateLimit, Kind> = { requests: size, perMs: positive, maxConcurrency: positive };

type Name = "call" | "client" | "retry" | "hooks" | "limit";

const kinds: Record<Name, Readonly<Record<string, Kind>>> = { call, client, retry, hooks, limit };

/** Checks options and returns those that are not undefined. */
export type CheckOptions = (
  where: string,
  given: object | null | undefined,
  name: Name,
  required?: readonly string[],
) => Record<string, unknown>;

/** Throws an `InvalidArgumentError` for an option that is unknown, wrong or missing. */
export const checkOptions: CheckOptions = (where, given, name, required) => {
  const isClient = name === "client";
  const { baseUrl, hooks = [] } = Object(given) as Partial<ClientOptions>;
  const accepted = isClient ? { ...client, baseUrl: urlRule(baseUrl) } : kinds[name];
  const checked = check(where, given, accepted, required, "options");
  for (const each of isClient ? [hooks].flat() : []) {
    // Hooks may be an object with other members of its own.
    const events = Object.entries(each).filter(([member]) => /^on[A-Z]/.test(member));
    check(`${where}: hooks`, Object.fromEntries(events), kinds.hooks, [], "options");
  }
  return checked;
};
