/** What a check is, what it works with, and how it reports that a service breaks a law. */
import type { Deviation } from "../body/judge-body.ts";
import { has } from "../json.ts";
import { previewOf } from "../preview.ts";
import { type Answer, answerOf, type Exchange, type Request } from "../service/exchange.ts";

/** One law and the requests that test it. */
export interface Check {
  /** Path-like and unique, such as `live/pages-join`. */
  readonly id: string;
  /** What holds if the check passes, as a sentence without its full stop. */
  readonly says: string;
  /** A decision such as `D-14`, or a place in the contract such as `#/components/schemas/Hash`. */
  readonly law: string;
  /** The operations that it judges; reports list it under the first. */
  readonly operations: readonly [string, ...string[]];
  readonly run: (context: Context) => Promise<void>;
}

/** A law of every answer, or of every answer of some operations. */
export interface AnswerLaw extends Pick<Check, "id" | "says" | "law"> {
  /** All operations if undefined. */
  readonly operations?: readonly string[];
  readonly breaches: (exchange: Exchange, answer: Answer, deviations: readonly Deviation[]) => Breach[];
}

/** What a check works with. */
export interface Context {
  /** Sends with the key and at the configured rate; waits and retries after a 429. */
  ask(request: Request): Promise<Exchange>;
  /** Sends at once and without the key; does not retry. */
  askWithoutKey(request: Request): Promise<Exchange>;
  /** Reports a breach unless `holds`. */
  expect(holds: boolean, exchange: Exchange, expected: string, got?: string, law?: string): void;
  wait(milliseconds: number): Promise<void>;
  /** Seed of everything random. */
  readonly seed: number;
  /** How many requests of each kind the fuzz sends. */
  readonly fuzz: number;
  /** Accounts to look at, as given by the caller. */
  readonly accounts: readonly string[];
  /** What several checks of a run need and only the first of them requests, by name. */
  readonly memory: Map<string, Promise<unknown>>;
}

/** A place where a service breaks a law. */
export interface Breach {
  readonly exchange: Exchange;
  readonly expected: string;
  readonly got: string;
  /** The place in the contract, if more exact than the law of the check. */
  readonly law?: string;
}

/** Thrown by a check that finds nothing to test its law on; the message says what is missing. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** Thrown by a check whose request must succeed and did not. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";
  readonly breach: Breach;

  constructor(exchange: Exchange, expected: string) {
    super(`expected ${expected}, got ${gotOf(exchange)}`);
    this.breach = { exchange, expected, got: gotOf(exchange) };
  }
}

/** A short description of what came back. */
export function gotOf(exchange: Exchange): string {
  const answer = answerOf(exchange);
  if (answer === undefined) return `no answer: ${exchange.outcome}`;
  const { status, body, contentType, problem } = answer;
  if (has(body, "error")) return `${status}, ${previewOf(body["error"])}`;
  if (has(body, "ok")) return `${status}, ok is ${previewOf(body["ok"])}`;
  if (problem !== undefined) return `${status}, ${contentType || "no content type"}, ${problem}`;
  return `${status}, ${previewOf(body)}`;
}

/** The value that an earlier check of the run found under this name, otherwise what `find` returns. */
export function once<Value>({ memory }: Context, name: string, find: () => Promise<Value>): Promise<Value> {
  const known = memory.get(name) as Promise<Value> | undefined;
  const value = known ?? find();
  if (known === undefined) memory.set(name, value);
  return value;
}
