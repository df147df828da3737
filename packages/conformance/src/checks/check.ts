/** The interfaces of checks, of rules for responses and of their violations. */
import type { Deviation } from "../body/validate-body.ts";
import { has, previewOf } from "../json.ts";
import { type Exchange, type HttpResponse, type Request, responseOf } from "../service/exchange.ts";

/** A rule and the requests that test it. */
export interface Check {
  /** Path-like and unique, such as `live/pages-join`. */
  readonly id: string;
  /** The tested property, as a sentence without its full stop. */
  readonly description: string;
  /** A decision such as `D-14`, or a place in the contract such as `#/components/schemas/Hash`. */
  readonly rule: string;
  /** The operations that it validates; reports list the check under the first. */
  readonly operations: readonly [string, ...string[]];
  readonly run: (context: Context) => Promise<void>;
}

/** A rule of every response, or of every response of some operations. */
export interface ResponseRule extends Pick<Check, "id" | "description" | "rule"> {
  /** All operations if undefined. */
  readonly operations?: readonly string[];
  readonly violations: (exchange: Exchange, response: HttpResponse, deviations: readonly Deviation[]) => Violation[];
}

/** The context of a check. */
export interface Context {
  /** Sends with the key and at the configured rate; waits and retries after a 429. */
  send(request: Request): Promise<Exchange>;
  /** Sends at once and without the key; does not retry. */
  sendWithoutKey(request: Request): Promise<Exchange>;
  /** Reports a violation unless `holds`. */
  expect(holds: boolean, exchange: Exchange, expected: string, got?: string, rule?: string): void;
  wait(milliseconds: number): Promise<void>;
  /** Seed of everything random. */
  readonly seed: number;
  /** Number of fuzz requests of each kind. */
  readonly fuzz: number;
  /** Accounts from the options of the run. */
  readonly accounts: readonly string[];
  /** Values that several checks of a run share, by name. */
  readonly shared: Map<string, Promise<unknown>>;
}

/** A place where a service breaks a rule. */
export interface Violation {
  readonly exchange: Exchange;
  readonly expected: string;
  readonly got: string;
  /** The place in the contract, if more exact than the rule of the check. */
  readonly rule?: string;
}

/** Thrown by a check without suitable data; the message names the missing data. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** Thrown by a check whose request must succeed and did not. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";
  readonly violation: Violation;

  constructor(exchange: Exchange, expected: string) {
    super(`expected ${expected}, got ${describeResponse(exchange)}`);
    this.violation = { exchange, expected, got: describeResponse(exchange) };
  }
}

/** A short description of the response. */
export function describeResponse(exchange: Exchange): string {
  const response = responseOf(exchange);
  if (response === undefined) return `no response: ${exchange.outcome}`;
  const { status, body, contentType, problem } = response;
  if (has(body, "error")) return `${status}, ${previewOf(body["error"])}`;
  if (has(body, "ok")) return `${status}, ok is ${previewOf(body["ok"])}`;
  if (problem !== undefined) return `${status}, ${contentType || "no content type"}, ${problem}`;
  return `${status}, ${previewOf(body)}`;
}

/** Returns the value of this name from an earlier check of the run, otherwise the result of `find`. */
export function sharedOnce<Value>({ shared }: Context, name: string, find: () => Promise<Value>): Promise<Value> {
  const value = (shared.get(name) as Promise<Value> | undefined) ?? find();
  shared.set(name, value);
  return value;
}
