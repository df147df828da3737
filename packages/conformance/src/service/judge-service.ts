/** Judges a running service: runs the selected checks and holds every answer against the laws of answers. */
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { operationIds } from "../body/judge-body.ts";
import { judgeExchange } from "../checks/answers/every-answer.ts";
import { type AnswerLaw, type Breach, type Check, type Context, gotOf, NotApplicable, RequestFailed } from "../checks/check.ts";
import { estimateRequests, type Profile, selectChecks } from "../checks/suite.ts";
import { requestOf } from "../contract/documented-requests.ts";
import { has } from "../json.ts";
import { type Report, type ReportedBreach, type Result, totalsOf, version } from "../report/report.ts";
import { isLoopback, parseBaseUrl } from "./base-url.ts";
import { answerOf, curlOf, type Exchange } from "./exchange.ts";
import { type HttpSender, openHttpSender } from "./http.ts";
import { keyRedactor } from "./key-redaction.ts";

/** How a service is judged. */
export interface ServiceOptions {
  /** Scheme, host, port and, if any, the path before `/api/v2`. */
  readonly baseUrl: string;
  /** `examples` by default. */
  readonly profile?: Profile;
  readonly apiKey?: string;
  /** Only checks of these operations. */
  readonly only?: readonly string[];
  /** Seed of everything random; random by default. */
  readonly seed?: number;
  /** 0 for as fast as the service answers. By default 0 for this machine, otherwise 1 without a key and 10 with one. */
  readonly requestsPerSecond?: number;
  /** Whether to check the limit without a key and the refusal of unknown keys. */
  readonly checkLimits?: boolean;
  /** How many valid and how many broken requests the fuzz sends in all; 25 by default, 0 for none. */
  readonly fuzz?: number;
  /** Accounts for the live checks to begin with, in raw or user-friendly form. */
  readonly accounts?: readonly string[];
  /** Milliseconds for one answer; 30 seconds by default. */
  readonly timeout?: number;
  /** Ends the run; the report then contains what was found so far. */
  readonly signal?: AbortSignal;
  /** Called once, before the first check. */
  readonly onStart?: (plan: Plan) => void;
  /** Called before each check. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The expected size of a run. */
export interface Plan {
  /** An estimate: the number of live requests depends on the data of the service. */
  readonly requests: number;
  /** 0 for as fast as the service answers. */
  readonly requestsPerSecond: number;
}

/** The state of a run. */
export interface Progress {
  readonly check: string;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

/** Thrown if a service cannot be judged at all; the message says why in one line. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
}

/** Breaches of one law that a report shows; it counts the others. */
const shownBreaches = 5;

const defaultFuzz = 25;

/** Unanswered requests in a row after which the run ends. */
const mostUnanswered = 5;

/**
 * Judges a running service by everything that the contract says about it.
 *
 * @example
 * ```ts
 * const { totals, results } = await judgeService({ baseUrl: "http://127.0.0.1:4010", requestsPerSecond: 0 });
 * if (totals.failed > 0) console.error(results.filter(({ outcome }) => outcome === "failed"));
 * ```
 * @throws ServiceError if nothing answers at the URL, or something that is not this API.
 * @throws RangeError if an option is invalid.
 */
export async function judgeService(options: ServiceOptions): Promise<Report> {
  const { profile = "examples", only = [], checkLimits = false, fuzz = defaultFuzz } = options;
  return judgeByChecks(selectChecks({ profile, only, checkLimits, fuzz }), options);
}

/** Judges a running service by the given checks. */
export async function judgeByChecks(checks: readonly Check[], options: ServiceOptions): Promise<Report> {
  const { profile = "examples", apiKey, only = [], fuzz = defaultFuzz, accounts = [], timeout = 30_000 } = options;
  const seed = options.seed ?? randomInt(2 ** 31);
  const baseUrl = parseBaseUrl(options.baseUrl);
  const unknown = only.find((operation) => !operationIds.includes(operation));
  if (unknown !== undefined)
    throw new RangeError(`unknown operation ${JSON.stringify(unknown)}; accepted: ${operationIds.join(", ")}`);
  const requestsPerSecond = options.requestsPerSecond ?? (isLoopback(baseUrl) ? 0 : apiKey === undefined ? 1 : 10);
  const unreachable = new AbortController();
  const signal = AbortSignal.any([unreachable.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const sender = openHttpSender({ baseUrl, apiKey, requestsPerSecond, timeout, signal });
  const { onProgress } = options;
  const onStart = (): void => options.onStart?.({ requests: estimateRequests(checks, fuzz), requestsPerSecond });
  const setting = { sender, signal, unreachable, baseUrl, onStart, onProgress, seed, fuzz, accounts };
  const run = await runChecks(checks, setting).finally(() => sender.close());
  const redact = keyRedactor(apiKey);
  // Requests are printed with `$CHAIN_API_KEY`; only what the service answered may contain the key itself.
  const results = run.results.map(({ breaches, ...result }) => ({
    ...result,
    breaches: breaches.map((breach) => ({ ...breach, expected: redact(breach.expected), got: redact(breach.got) })),
  }));
  return { subject: baseUrl, profile, seed, version, ...run, results, totals: totalsOf(results) };
}

interface Setting extends Pick<Context, "seed" | "fuzz" | "accounts"> {
  readonly sender: HttpSender;
  readonly signal: AbortSignal;
  /** Aborted when the service no longer answers. */
  readonly unreachable: AbortController;
  readonly baseUrl: string;
  readonly onStart: () => void;
  readonly onProgress: ServiceOptions["onProgress"] | undefined;
}

type Run = Pick<Report, "startedAt" | "milliseconds" | "requests" | "interrupted" | "interruption" | "results">;

async function runChecks(checks: readonly Check[], setting: Setting): Promise<Run> {
  const { sender, signal, unreachable, baseUrl, onStart, onProgress, seed, fuzz, accounts } = setting;
  const startedAt = new Date().toISOString();
  const begin = performance.now();
  const tally = new AnswerTally(baseUrl);
  let requests = 0;
  let unanswered = 0;
  const observe = async (pending: Promise<Exchange>, isRetried: boolean): Promise<Exchange> => {
    requests++;
    const exchange = await pending;
    tally.add(exchange);
    const status = answerOf(exchange)?.status;
    unanswered = status === undefined || (isRetried && status === 429) ? unanswered + 1 : 0;
    if (unanswered === mostUnanswered) unreachable.abort();
    return exchange;
  };
  const context = {
    ask: (request) => observe(sender.ask(request), true),
    askWithoutKey: (request) => observe(sender.askWithoutKey(request), false),
    wait: (milliseconds) => sleep(milliseconds, undefined, { signal }),
    memory: new Map(),
    seed,
    fuzz,
    accounts,
  } satisfies Omit<Context, "expect">;
  const results: Result[] = [];
  try {
    await expectThisApi(context, baseUrl);
    onStart();
    for (const check of checks) {
      const failed = results.filter(({ outcome }) => outcome === "failed").length;
      onProgress?.({ check: check.id, done: results.length, total: checks.length, failed });
      const result = await runCheck(check, context, baseUrl);
      // The outcome of a check that was aborted in its middle means nothing, unless its own requests ended the run.
      if (!signal.aborted || (unreachable.signal.aborted && result.outcome === "failed")) results.push(result);
      if (signal.aborted) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return {
    startedAt,
    milliseconds: Math.round(performance.now() - begin),
    requests,
    interrupted: signal.aborted,
    ...(unreachable.signal.aborted ? { interruption: `${baseUrl} no longer answers` } : {}),
    results: [...results, ...tally.results()],
  };
}

async function runCheck(check: Check, context: Omit<Context, "expect">, baseUrl: string): Promise<Result> {
  const begin = performance.now();
  let breaches: Breach[] = [];
  let why: string | undefined;
  const expect: Context["expect"] = (holds, exchange, expected, got = gotOf(exchange), law = check.law) => {
    if (!holds) breaches.push({ exchange, expected, got, law });
  };
  try {
    await check.run({ ...context, expect });
  } catch (error) {
    if (error instanceof NotApplicable) [why, breaches] = [error.message, []];
    else if (error instanceof RequestFailed) breaches = [error.breach];
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
    breaches: breaches.slice(0, shownBreaches).map((breach) => reported(breach, law, baseUrl)),
    more: Math.max(0, breaches.length - shownBreaches),
  };
}

/** Judges every answer of a run by the laws of answers. */
class AnswerTally {
  readonly #baseUrl: string;
  readonly #tallies = new Map<string, { law: AnswerLaw; operation: string; breaches: ReportedBreach[]; more: number }>();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  add(exchange: Exchange): void {
    const { operation } = exchange.request;
    for (const [law, breaches] of judgeExchange(exchange)) {
      const name = `${operation} ${law.id}`;
      const tally = this.#tallies.get(name) ?? { law, operation, breaches: [], more: 0 };
      this.#tallies.set(name, tally);
      for (const breach of breaches) {
        if (tally.breaches.length < shownBreaches) tally.breaches.push(reported(breach, law.law, this.#baseUrl));
        else tally.more++;
      }
    }
  }

  results(): Result[] {
    return [...this.#tallies.values()].map(({ law: { id, says, law }, operation, breaches, more }) => {
      return { id, operation, says, law, outcome: breaches.length > 0 ? "failed" : "passed", milliseconds: 0, breaches, more };
    });
  }
}

function reported({ exchange, expected, got, law }: Breach, lawOfCheck: string, baseUrl: string): ReportedBreach {
  return { request: curlOf(exchange, baseUrl), expected, got, law: law ?? lawOfCheck };
}

/** Sends the simplest request; throws ServiceError unless the answer has the envelope of this API. */
async function expectThisApi({ ask }: Pick<Context, "ask">, baseUrl: string): Promise<void> {
  const request = requestOf("getMasterchainInfo");
  const exchange = await ask(request);
  const answer = answerOf(exchange);
  if (answer === undefined) throw new ServiceError(`${baseUrl} cannot be reached: ${exchange.outcome}`);
  const { status, contentType, body } = answer;
  if (status === 401 || status === 403)
    throw new ServiceError(`${baseUrl} does not accept the key: it answers ${status} to ${request.path}`);
  if (has(body, "ok") && typeof body["ok"] === "boolean" && status !== 404) return;
  throw new ServiceError(
    `${baseUrl} is not this API: it answers ${status} ${contentType || "without a content type"} to ${request.path}`,
  );
}
