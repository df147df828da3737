/** What a check is: a law, and how to find out whether a service keeps it. */

import { has } from "../json.ts";
import { previewOf } from "../preview.ts";
import { answerOf, type Exchange, type Request } from "../service/exchange.ts";

/** One law and the way to try it. */
export interface Check {
  /** Path-like and unique, such as `live/pages-join`. */
  readonly id: string;
  /** What holds where the check passes, as a sentence without its full stop. */
  readonly says: string;
  /** A decision such as `D-14`, or a place in the contract such as `#/components/schemas/Hash`. */
  readonly law: string;
  /** The operations that it judges; it is listed under the first. */
  readonly operations: readonly [string, ...string[]];
  readonly run: (context: Context) => Promise<readonly Breach[]>;
}

/** What a check has to work with. */
export interface Context {
  /** Sends with the key and at the pace; a 429 is waited out. */
  ask(request: Request): Promise<Exchange>;
  /** Sends at once and without the key. */
  hurry(request: Request): Promise<Exchange>;
  /** From which all that is random is made. */
  readonly seed: number;
  /** How many requests of each kind the fuzz makes. */
  readonly fuzz: number;
  /** Accounts to look at, as the caller named them. */
  readonly accounts: readonly string[];
  /** What is found out once and then known to all checks of a run. */
  readonly memory: Map<string, Promise<unknown>>;
}

/** A place where a service breaks a law. */
export interface Breach {
  readonly exchange: Exchange;
  readonly expected: string;
  readonly got: string;
  /** The place in the contract, where it is more exact than the law of the check. */
  readonly law?: string;
}

/** Thrown by a check that finds nothing in the service's data to try its law on; the message says what is missing. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** Thrown by a check whose request was not served as it had to be. */
export class Unserved extends Error {
  override readonly name = "Unserved";
  readonly breach: Breach;

  constructor(breach: Breach) {
    super(`expected ${breach.expected}, got ${breach.got}`);
    this.breach = breach;
  }
}

/** What came back, in a few words. */
export function gotOf(exchange: Exchange): string {
  const answer = answerOf(exchange);
  if (answer === undefined) return `no answer: ${exchange.outcome}`;
  const { status, body, contentType } = answer;
  if (has(body, "error")) return `${status}, ${previewOf(body["error"])}`;
  if (has(body, "ok")) return `${status}, ok is ${previewOf(body["ok"])}`;
  return body === undefined ? `${status}, ${contentType || "no content type"}, no JSON` : `${status}, ${previewOf(body)}`;
}
