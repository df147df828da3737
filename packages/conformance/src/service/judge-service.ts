import { randomInt } from "node:crypto";
import { operationIds } from "../body/judge-body.ts";
import { judgeExchange } from "../checks/answers/every-answer.ts";
import type { AnswerLaw } from "../checks/answers/law.ts";
import { type Breach, type Check, type Context, NotApplicable, Unserved } from "../checks/check.ts";
import { checksOf, type Profile, requestsOf } from "../checks/suite.ts";
import { requestOf } from "../contract/documented-requests.ts";
import { has } from "../json.ts";
import { type Report, type ReportedBreach, type Result, totalsOf } from "../report/report.ts";
import { version } from "../version.ts";
import { baseUrlIn, isLoopback } from "./base-url.ts";
import { curlOf } from "./curl.ts";
import { answerOf, type Exchange } from "./exchange.ts";
import { openWire, type Wire } from "./http.ts";
import { concealmentOf } from "./key-redaction.ts";

/** How a service is judged. */
export interface ServiceOptions {
  /** Scheme, host, port and, where there is one, the path before `/api/v2`. */
  readonly baseUrl: string;
  /** `examples` where it is left out. */
  readonly profile?: Profile;
  readonly apiKey?: string;
  /** Only checks that judge one of these operations. */
  readonly only?: readonly string[];
  /** From which everything random is made; a random one where it is left out. */
  readonly seed?: number;
  /** 0 for as fast as the service answers. Where it is left out 0 for this machine, else 1 without a key and 10 with one. */
  readonly requestsPerSecond?: number;
  /** Whether to try the limit without a key, and a key that nobody was given. */
  readonly checkLimits?: boolean;
  /** How many valid and how many broken requests the fuzz makes in all; 25 where it is left out, 0 for none. */
  readonly fuzz?: number;
  /** Accounts for the live checks to begin with, in either form. */
  readonly accounts?: readonly string[];
  /** Milliseconds for one answer; 30 seconds where it is left out. */
  readonly timeout?: number;
  /** Ends the run; the report then has what was found so far. */
  readonly signal?: AbortSignal;
  /** Told once, when it is known that there is something to judge. */
  readonly onStart?: (plan: Plan) => void;
  /** Told before each check. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How much a run is going to be. */
export interface Plan {
  /** About as many; how many they are shows only on the way. */
  readonly requests: number;
  /** 0 for as fast as the service answers. */
  readonly requestsPerSecond: number;
}

/** How far a run is. */
export interface Progress {
  readonly check: string;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

/** Thrown where a service cannot be judged at all; the message says in one line why. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
}

/** More of one kind tell nothing new. */
const mostBreaches = 5;

/** After as many requests in a row without an answer there is nobody left to judge. */
const mostSilence = 5;

/**
 * Judges a running service by everything that the contract says of it.
 *
 * @example
 * ```ts
 * const { totals, results } = await judgeService({ baseUrl: "http://127.0.0.1:4010", requestsPerSecond: 0 });
 * if (totals.failed > 0) console.error(results.filter(({ outcome }) => outcome === "failed"));
 * ```
 * @throws ServiceError where nothing answers there, or something that is not this API.
 * @throws RangeError where an option makes no sense.
 */
export async function judgeService(options: ServiceOptions): Promise<Report> {
  const { profile = "examples", apiKey, only = [], checkLimits = false, fuzz = 25, accounts = [], timeout = 30_000 } = options;
  const seed = options.seed ?? randomInt(2 ** 31);
  const baseUrl = baseUrlIn(options.baseUrl);
  const unknown = only.find((operation) => !operationIds.includes(operation));
  if (unknown !== undefined)
    throw new RangeError(`no operation is named ${JSON.stringify(unknown)}; there are ${operationIds.join(", ")}`);
  const requestsPerSecond = options.requestsPerSecond ?? (isLoopback(baseUrl) ? 0 : apiKey === undefined ? 1 : 10);
  const silence = new AbortController();
  const signal = AbortSignal.any([silence.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const wire = openWire({ baseUrl, apiKey, requestsPerSecond, timeout, signal });
  const checks = checksOf({ profile, only, checkLimits, fuzz });
  const onStart = (): void => options.onStart?.({ requests: requestsOf(checks, fuzz), requestsPerSecond });
  try {
    const { onProgress } = options;
    const run = await runAll(checks, { wire, seed, fuzz, accounts, signal, silence, baseUrl, onStart, onProgress });
    const results = run.results.map(concealedBy(concealmentOf(apiKey)));
    return { subject: baseUrl, profile, seed, version, ...run, results, totals: totalsOf(results) };
  } finally {
    wire.close();
  }
}

interface Setting extends Pick<Context, "seed" | "fuzz" | "accounts"> {
  readonly wire: Wire;
  readonly signal: AbortSignal;
  /** Aborted where the service no longer answers. */
  readonly silence: AbortController;
  readonly baseUrl: string;
  readonly onStart: () => void;
  readonly onProgress: ServiceOptions["onProgress"] | undefined;
}

type Run = Pick<Report, "startedAt" | "milliseconds" | "requests" | "interrupted" | "interruption" | "results">;

async function runAll(
  checks: readonly Check[],
  { wire, seed, fuzz, accounts, signal, silence, baseUrl, onStart, onProgress }: Setting,
): Promise<Run> {
  const startedAt = new Date().toISOString();
  const begin = performance.now();
  const tally = answerTally(baseUrl);
  let requests = 0;
  let unanswered = 0;
  const observed = async (exchange: Promise<Exchange>, isPatient: boolean): Promise<Exchange> => {
    requests++;
    const seen = await exchange;
    tally.add(seen);
    const status = answerOf(seen)?.status;
    unanswered = status === undefined || (isPatient && status === 429) ? unanswered + 1 : 0;
    if (unanswered === mostSilence) silence.abort();
    return seen;
  };
  const context: Context = {
    ask: (request) => observed(wire.ask(request), true),
    hurry: (request) => observed(wire.hurry(request), false),
    memory: new Map(),
    seed,
    fuzz,
    accounts,
  };
  const results: Result[] = [];
  try {
    await recognise(context, baseUrl);
    onStart();
    for (const check of checks) {
      const failed = results.filter(({ outcome }) => outcome === "failed").length;
      onProgress?.({ check: check.id, done: results.length, total: checks.length, failed });
      const result = await resultOf(check, context, baseUrl);
      // What a check says that was cut off in its middle is no result, unless it was cut off by what it found.
      if (!signal.aborted || (silence.signal.aborted && result.outcome === "failed")) results.push(result);
      if (signal.aborted) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const milliseconds = Math.round(performance.now() - begin);
  const interruption = silence.signal.aborted ? { interruption: `${baseUrl} no longer answers` } : {};
  return {
    startedAt,
    milliseconds,
    requests,
    interrupted: signal.aborted,
    ...interruption,
    results: [...results, ...tally.results()],
  };
}

async function resultOf(check: Check, context: Context, baseUrl: string): Promise<Result> {
  const begin = performance.now();
  let breaches: readonly Breach[] = [];
  let why: string | undefined;
  try {
    breaches = await check.run(context);
  } catch (error) {
    if (error instanceof NotApplicable) why = error.message;
    else if (error instanceof Unserved) breaches = [error.breach];
    else throw error;
  }
  const { id, says, law, operations } = check;
  return {
    id,
    operation: operations[0],
    says,
    law,
    outcome: why !== undefined ? "not applicable" : breaches.length > 0 ? "failed" : "passed",
    ...(why === undefined ? {} : { why }),
    milliseconds: Math.round(performance.now() - begin),
    breaches: breaches.slice(0, mostBreaches).map((breach) => reported(breach, law, baseUrl)),
    more: Math.max(0, breaches.length - mostBreaches),
  };
}

/** Holds every answer of a run against the laws of all answers. */
function answerTally(baseUrl: string): { add: (exchange: Exchange) => void; results: () => Result[] } {
  const tallies = new Map<string, { law: AnswerLaw; operation: string; breaches: ReportedBreach[]; more: number }>();
  const add = (exchange: Exchange): void => {
    const { operation } = exchange.request;
    for (const [law, breaches] of judgeExchange(exchange)) {
      const name = `${operation} ${law.id}`;
      const tally = tallies.get(name) ?? { law, operation, breaches: [], more: 0 };
      tallies.set(name, tally);
      for (const breach of breaches) {
        if (tally.breaches.length < mostBreaches) tally.breaches.push(reported(breach, law.law, baseUrl));
        else tally.more++;
      }
    }
  };
  const results = (): Result[] =>
    [...tallies.values()].map(({ law: { id, says, law }, operation, breaches, more }) => {
      return { id, operation, says, law, outcome: breaches.length > 0 ? "failed" : "passed", milliseconds: 0, breaches, more };
    });
  return { add, results };
}

function reported({ exchange, expected, got, law }: Breach, otherwise: string, baseUrl: string): ReportedBreach {
  return { request: curlOf(exchange, baseUrl), expected, got, law: law ?? otherwise };
}

/** Asks the simplest question there is: only what answers it in the contract's envelope is worth judging. */
async function recognise({ ask }: Context, baseUrl: string): Promise<void> {
  const request = requestOf("getMasterchainInfo");
  const exchange = await ask(request);
  const answer = answerOf(exchange);
  if (answer === undefined) throw new ServiceError(`${baseUrl} cannot be reached: ${exchange.outcome}`);
  const { status, contentType, body } = answer;
  if (status === 401 || status === 403)
    throw new ServiceError(`${baseUrl} does not take the key: it answers ${status} to ${request.path}`);
  if (has(body, "ok") && typeof body["ok"] === "boolean" && status !== 404) return;
  throw new ServiceError(
    `${baseUrl} is not this API: it answers ${status} ${contentType || "without a content type"} to ${request.path}`,
  );
}

/** The requests themselves never have it: `$CHAIN_API_KEY` stands for it there. */
function concealedBy(conceal: (text: string) => string): (result: Result) => Result {
  return ({ breaches, ...result }) => ({
    ...result,
    breaches: breaches.map((breach) => ({ ...breach, expected: conceal(breach.expected), got: conceal(breach.got) })),
  });
}
