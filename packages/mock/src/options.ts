/** Options of a mock, their accepted values and their checks. */
import type { Conditions, Fault } from "./conditions.ts";
import type { RecordedRequest } from "./responses/exchange.ts";

/** A request and its response. */
export interface LogEntry {
  /** When the request arrived. */
  time: Date;
  request: RecordedRequest;
  /** 0 if the connection was closed without a response. */
  status: number;
  /** Duration in milliseconds. */
  ms: number;
}

/** Options of a mock. */
export interface MockOptions extends Conditions {
  /** Default: 0, any free port. */
  port?: number;
  /** Default: 127.0.0.1, reachable from this machine only. */
  host?: string;
  /** Whether to generate responses to requests without an example. Default: false, the operation's typical response. */
  dynamic?: boolean;
  /** Makes generated responses and conditions repeatable. Default: 1. */
  seed?: number;
  /** How many of the latest requests `mock.requests` keeps. Default: 1000. */
  keepRequests?: number;
  /** Whether to answer only requests of the contract, without JSON-RPC, other methods and keys in URLs. Default: false. */
  contractOnly?: boolean;
  /** Called after every request. */
  log?: (entry: LogEntry) => void;
}

/** Thrown for an invalid option. The message is one line: the option, the accepted values, and the value. */
export class OptionError extends Error {
  override readonly name = "OptionError";
  /** The command prints the message without a stack. */
  readonly isUserError = true;
}

/** Ranges of whole numbers. */
export const ranges: Readonly<Record<"seed" | "rate" | "keepRequests", readonly [least: number, most: number]>> = {
  seed: [0, 2 ** 32 - 1],
  rate: [1, 1_000_000],
  keepRequests: [0, 1_000_000],
};

interface Rule<Value> {
  /** Completes "expected …". */
  readonly accepted: string;
  readonly isValid: (value: Value) => boolean;
}

const longestLatency = 600_000;
const isShare = (value: number): boolean => value >= 0 && value <= 1;
const isKey = (value: string): boolean => /^[\x21-\x7e]+$/.test(value);

/** Accepted values, the same for the library and the command. */
export const rules: {
  readonly latency: Rule<readonly [number, number]>;
  readonly fault: Rule<Fault>;
  readonly faults: Rule<readonly Fault[]>;
  readonly share: Rule<number>;
  readonly key: Rule<string>;
  readonly keys: Rule<readonly string[]>;
} = {
  latency: {
    accepted: `milliseconds from 0 to ${longestLatency}, the lower bound first`,
    isValid: ([least, most]) => least >= 0 && least <= most && most <= longestLatency,
  },
  fault: {
    accepted: "a share from 0 to 1 and a status from 400 to 599",
    isValid: ({ rate, status }) => isShare(rate) && Number.isInteger(status) && status >= 400 && status < 600,
  },
  faults: { accepted: "shares that add up to 1 at most", isValid: (faults) => shareSum(faults) <= 1 },
  share: { accepted: "a share from 0 to 1", isValid: isShare },
  key: { accepted: "visible ASCII characters", isValid: isKey },
  keys: { accepted: "one or more keys of visible ASCII characters", isValid: (keys) => keys.length > 0 && keys.every(isKey) },
};

/** The share of requests that fail with any status. */
export function shareSum(faults: readonly Fault[]): number {
  return faults.reduce((sum, { rate }) => sum + rate, 0);
}

/** Throws an {@link OptionError} that names the first invalid option. */
export function checkOptions(options: MockOptions): void {
  const { latency = 0, drop = 0, rateLimit, apiKeys, seed = 1, keepRequests = 1000 } = options;
  const faults = [options.fail ?? []].flat();
  check("latency", rules.latency, typeof latency === "number" ? [latency, latency] : latency);
  for (const fault of faults) check("fail", rules.fault, fault);
  check("fail", rules.faults, faults);
  check("drop", rules.share, drop);
  check("seed", wholeNumber(...ranges.seed), seed);
  check("keepRequests", wholeNumber(...ranges.keepRequests), keepRequests);
  if (typeof rateLimit === "object") check("rateLimit.withKey", wholeNumber(...ranges.rate), rateLimit.withKey ?? 1);
  if (apiKeys !== undefined && !rules.keys.isValid(apiKeys)) throw new OptionError(`apiKeys: expected ${rules.keys.accepted}`);
}

function wholeNumber(least: number, most: number): Rule<number> {
  return {
    accepted: `a whole number from ${least} to ${most}`,
    isValid: (value) => Number.isInteger(value) && value >= least && value <= most,
  };
}

function check<Value>(name: string, { accepted, isValid }: Rule<Value>, value: Value): void {
  if (!isValid(value)) throw new OptionError(`${name}: expected ${accepted}, got ${JSON.stringify(value)}`);
}
