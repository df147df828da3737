/** Validates a running service: runs the selected checks and applies the rules of responses to every response. */
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "@chain-query/command-line";
import { operationIds } from "../body/validate-body.ts";
import {
  type Check,
  type Context,
  describeResponse,
  NotApplicable,
  RequestFailed,
  type ResponseRule,
  type Violation,
} from "../checks/check.ts";
import { estimateRequests, type Profile, selectChecks } from "../checks/suite.ts";
import { requestOf } from "../contract/documented-requests.ts";
import { has } from "../json.ts";
import { type Report, type ReportedViolation, type Result, totalsOf, version } from "../report/report.ts";
import { validateExchange } from "../rules/exchange.ts";
import { curlOf, type Exchange, redactor, responseOf } from "./exchange.ts";
import { isLoopback, openHttpSender, parseBaseUrl, proxyFor } from "./http.ts";

/** Options of a run. */
export interface ServiceOptions {
  /** Scheme, host, port and, if any, the path before `/api/v2`. */
  readonly baseUrl: string;
  /** `examples` by default. */
  readonly profile?: Profile;
  readonly apiKey?: string;
  /** Sent with every request, for example `{ Authorization: "Bearer …" }`. Reports contain the names, not the values. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Only checks of these operations. */
  readonly only?: readonly string[];
  /** Seed of everything random; random by default. */
  readonly seed?: number;
  /** 0 for as fast as the service answers. By default 0 for this machine, otherwise 1 without a key and 10 with one. */
  readonly requestsPerSecond?: number;
  /** Whether to check the limit without a key and the rejection of unknown keys. */
  readonly checkLimits?: boolean;
  /** How many valid and how many broken requests the fuzz sends in all; 25 by default, 0 for none. */
  readonly fuzz?: number;
  /** Accounts for the live checks to begin with, in raw or user-friendly form. */
  readonly accounts?: readonly string[];
  /** Milliseconds for one response; 30 seconds by default. */
  readonly timeout?: number;
  /** Ends the run; the report then contains the results so far. */
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

/** Thrown if a service cannot be validated; the message gives the reason in one line. */
export class ServiceError extends UserError {
  override readonly name = "ServiceError";
}

/** Violations of one rule that a report shows; it counts the others. */
const shownViolations = 5;

const defaultFuzz = 25;

/** Unanswered requests in a row after which the run ends. */
const mostUnanswered = 5;

/**
 * Validates a running service against the contract.
 *
 * @example
 * ```ts
 * const { totals, results } = await validateService({ baseUrl: "http://127.0.0.1:4010", requestsPerSecond: 0 });
 * if (totals.failed > 0) console.error(results.filter(({ outcome }) => outcome === "failed"));
 * ```
 * @throws ServiceError if no service of this API answers at the URL.
 * @throws RangeError if an option is invalid.
 */
export async function validateService(options: ServiceOptions): Promise<Report> {
  const { profile = "examples", only = [], checkLimits = false, fuzz = defaultFuzz } = options;
  return validateByChecks(selectChecks({ profile, only, checkLimits, fuzz }), options);
}

/** Validates a running service by the given checks. */
export async function validateByChecks(checks: readonly Check[], options: ServiceOptions): Promise<Report> {
  const { profile = "examples", apiKey, headers = {}, only = [], fuzz = defaultFuzz, accounts = [] } = options;
  const { timeout = 30_000, onStart, onProgress } = options;
  const seed = options.seed ?? randomInt(2 ** 31);
  const baseUrl = parseBaseUrl(options.baseUrl);
  const unknown = only.find((operation) => !operationIds.includes(operation));
  if (unknown !== undefined)
    throw new RangeError(`unknown operation ${JSON.stringify(unknown)}; accepted: ${operationIds.join(", ")}`);
  const requestsPerSecond = options.requestsPerSecond ?? (isLoopback(baseUrl) ? 0 : apiKey === undefined ? 1 : 10);
  /** Aborted when the service no longer answers. */
  const unreachable = new AbortController();
  const signal = AbortSignal.any([unreachable.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const sender = openHttpSender({ baseUrl, apiKey, headers, requestsPerSecond, timeout, signal });
  const startedAt = new Date().toISOString();
  const begin = performance.now();
  const tally = responseTally(baseUrl);
  let requests = 0;
  let unanswered = 0;
  const observe = async (pending: Promise<Exchange>, isRetried: boolean): Promise<Exchange> => {
    requests++;
    const exchange = await pending;
    tally.add(exchange);
    const status = responseOf(exchange)?.status;
    unanswered = status === undefined || (isRetried && status === 429) ? unanswered + 1 : 0;
    if (unanswered === mostUnanswered) unreachable.abort();
    return exchange;
  };
  const context = {
    send: (request) => observe(sender.send(request), true),
    sendWithoutKey: (request) => observe(sender.sendWithoutKey(request), false),
    wait: (milliseconds) => sleep(milliseconds, undefined, { signal }),
    shared: new Map(),
    seed,
    fuzz,
    accounts,
  } satisfies Omit<Context, "expect">;
  const found: Result[] = [];
  try {
    await expectThisApi(context, baseUrl);
    onStart?.({ requests: estimateRequests(checks, fuzz), requestsPerSecond });
    for (const check of checks) {
      const failed = found.filter(({ outcome }) => outcome === "failed").length;
      onProgress?.({ check: check.id, done: found.length, total: checks.length, failed });
      const result = await runCheck(check, context, baseUrl);
      // An aborted check has no outcome, unless its own requests ended the run.
      if (!signal.aborted || (unreachable.signal.aborted && result.outcome === "failed")) found.push(result);
      if (signal.aborted) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    sender.close();
  }
  const redact = redactor(apiKey, headers);
  // Requests are printed with variables; only text from the service may contain the secrets themselves.
  const results = [...found, ...tally.results()].map(({ violations, ...result }) => ({
    ...result,
    violations: violations.map(({ expected, got, ...rest }) => ({ ...rest, expected: redact(expected), got: redact(got) })),
  }));
  return {
    ...{ target: baseUrl, profile, seed, version, startedAt, milliseconds: Math.round(performance.now() - begin), requests },
    interrupted: signal.aborted,
    ...(unreachable.signal.aborted ? { interruption: `${baseUrl} no longer answers` } : {}),
    ...{ results, totals: totalsOf(results) },
  };
}

async function runCheck(check: Check, context: Omit<Context, "expect">, baseUrl: string): Promise<Result> {
  const begin = performance.now();
  let violations: Violation[] = [];
  let reason: string | undefined;
  const expect: Context["expect"] = (holds, exchange, expected, got = describeResponse(exchange), rule = check.rule) => {
    if (!holds) violations.push({ exchange, expected, got, rule });
  };
  try {
    await check.run({ ...context, expect });
  } catch (error) {
    if (error instanceof NotApplicable) [reason, violations] = [error.message, []];
    else if (error instanceof RequestFailed) violations = [error.violation];
    else throw error;
  }
  const { id, description, rule, operations } = check;
  return {
    id,
    operation: operations[0],
    description,
    rule,
    outcome: reason !== undefined ? "not applicable" : violations.length > 0 ? "failed" : "passed",
    ...(reason === undefined ? {} : { reason }),
    milliseconds: Math.round(performance.now() - begin),
    violations: violations.slice(0, shownViolations).map((violation) => reported(violation, rule, baseUrl)),
    omitted: Math.max(0, violations.length - shownViolations),
  };
}

interface Tally {
  readonly rule: ResponseRule;
  readonly operation: string;
  readonly violations: ReportedViolation[];
  omitted: number;
}

/** Validates every response of a run by the rules of responses. */
function responseTally(baseUrl: string): { add(exchange: Exchange): void; results(): Result[] } {
  const tallies = new Map<string, Tally>();
  return {
    add(exchange) {
      const { operation } = exchange.request;
      for (const [rule, violations] of validateExchange(exchange)) {
        const name = `${operation} ${rule.id}`;
        const tally: Tally = tallies.get(name) ?? { rule, operation, violations: [], omitted: 0 };
        tallies.set(name, tally);
        for (const violation of violations) {
          if (tally.violations.length === shownViolations) tally.omitted++;
          else tally.violations.push(reported(violation, rule.rule, baseUrl));
        }
      }
    },
    results: () =>
      [...tallies.values()].map(({ rule: { id, description, rule }, operation, violations, omitted }) => {
        const outcome = violations.length > 0 ? "failed" : "passed";
        return { ...{ id, operation, description, rule, outcome }, ...{ milliseconds: 0, violations, omitted } };
      }),
  };
}

function reported({ exchange, expected, got, rule }: Violation, ruleOfCheck: string, baseUrl: string): ReportedViolation {
  return { request: curlOf(exchange, baseUrl), expected, got, rule: rule ?? ruleOfCheck };
}

/** Sends the simplest request; throws ServiceError unless the response has the envelope of this API. */
async function expectThisApi({ send }: Pick<Context, "send">, baseUrl: string): Promise<void> {
  const request = requestOf("getMasterchainInfo");
  const exchange = await send(request);
  const response = responseOf(exchange);
  const proxy = proxyFor(baseUrl);
  const via = proxy === undefined ? "" : ` through the proxy ${new URL(proxy).host} of the environment`;
  if (response === undefined) throw new ServiceError(`${baseUrl} cannot be reached${via}: ${exchange.outcome}`);
  const { status, contentType, body } = response;
  if (status === 401 || status === 403)
    throw new ServiceError(`${baseUrl} does not accept the key: it responds with ${status} to ${request.path}`);
  if (has(body, "ok") && typeof body["ok"] === "boolean" && status !== 404) return;
  throw new ServiceError(
    `${baseUrl} is not this API: it responds${via} with ${status} ${contentType || "without a content type"} to ${request.path}`,
  );
}
