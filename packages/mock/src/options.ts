import type { Conditions, Fault } from "./conditions.ts";
import { OptionError } from "./option-error.ts";
import type { RecordedRequest } from "./record.ts";

/** One request and what became of it. */
export interface LogEntry {
  /** When it arrived. */
  time: Date;
  request: RecordedRequest;
  /** 0 where the connection was ended instead. */
  status: number;
  /** How long the answer took, in milliseconds. */
  ms: number;
}

/** Where a mock listens, how it answers and how reliable it is. */
export interface MockOptions extends Conditions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** 127.0.0.1 by default: this machine only. */
  host?: string;
  /** Whether a request that no example is of gets an answer made from its schema instead of the operation's typical one. */
  dynamic?: boolean;
  /** A whole number on which generated answers and conditions depend, 1 by default: the same one makes the same run. */
  seed?: number;
  /** How many of the latest requests `mock.requests` keeps, 1000 by default. */
  keepRequests?: number;
  /** Is called after every request. */
  log?: (entry: LogEntry) => void;
}

const longestLatency = 600_000;
export const greatestSeed: number = 2 ** 32 - 1;
export const greatestRate = 1_000_000;

/** Refuses options that make no sense, by name. */
export function checkOptions(options: MockOptions): void {
  const { latency = 0, fail = [], drop = 0, rateLimit, apiKeys, seed = 1, keepRequests = 1000 } = options;
  checkLatency("latency", latency);
  checkFaults("fail", [fail].flat());
  checkShare("drop", drop);
  checkWhole("seed", seed, 0, greatestSeed);
  checkWhole("keepRequests", keepRequests, 0, greatestRate);
  if (typeof rateLimit === "object") checkWhole("rateLimit.withKey", rateLimit.withKey ?? 1, 1, greatestRate);
  if (apiKeys !== undefined) checkKeys("apiKeys", apiKeys);
}

/** Checks milliseconds, or a pair of them. */
export function checkLatency(name: string, latency: number | readonly [number, number], text: unknown = latency): void {
  const [least, most] = typeof latency === "number" ? [latency, latency] : latency;
  if (least >= 0 && least <= most && most <= longestLatency) return;
  refuse(name, text, `milliseconds from 0 to ${longestLatency} are accepted, the lesser first where there are two`);
}

/** Checks shares of requests that fail, which together are no more than all. */
export function checkFaults(name: string, faults: readonly Fault[], text: unknown = faults): void {
  const good = faults.every(({ rate, status }) => isShare(rate) && Number.isInteger(status) && status >= 400 && status < 600);
  if (!good) refuse(name, text, "a share from 0 to 1 and a status from 400 to 599 are accepted");
  if (faults.reduce((sum, { rate }) => sum + rate, 0) > 1) refuse(name, text, "the shares are more than 1 together");
}

/** Checks a share of requests. */
export function checkShare(name: string, share: number, text: unknown = share): void {
  if (!isShare(share)) refuse(name, text, "a share from 0 to 1 is accepted");
}

/** Checks a whole number. */
export function checkWhole(name: string, value: number, least: number, most: number, text: unknown = value): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  refuse(name, text, `a whole number from ${least} to ${most} is accepted`);
}

/** Checks a list of keys. */
export function checkKeys(name: string, keys: readonly string[], text: unknown = keys): void {
  if (keys.length > 0 && keys.every((key) => /^[\x21-\x7e]+$/.test(key))) return;
  refuse(name, text, "one or more keys of visible ASCII characters are accepted");
}

function isShare(share: number): boolean {
  return share >= 0 && share <= 1;
}

function refuse(name: string, value: unknown, accepted: string): never {
  throw new OptionError(`${name} ${JSON.stringify(value)}: ${accepted}`);
}
