/** Authenticates and rate-limits requests (D-24, D-25, D-38). Every route of the server is behind the gate. */
import { exposedHeaders, HttpError } from "../failure.ts";
import type { ApiKeyFinder, ApiKeyRecord } from "./api-keys.ts";
import {
  type CreateLimiter,
  type Decision,
  type Limiter,
  type LimiterEvents,
  memoryLimiter,
  rememberRefusals,
} from "./limiter.ts";

/** The parts of a request that the gate reads. */
interface GateRequest {
  /** The API key; undefined if none was sent. */
  readonly key: string | undefined;
  /** The client to count if there is no key. */
  readonly client: string;
  /** Ends the wait for the keys. */
  readonly deadline: { readonly signal: AbortSignal };
}

/** Response headers that describe a limit. */
type LimitHeaders = Readonly<Record<string, string>>;

/**
 * Admits a request or rejects with an {@link HttpError}. Undefined if no limit applies; otherwise the headers of the limit.
 *
 * @param isOperation - Whether the route reads the chain; otherwise it is a page, a health check or a CORS preflight.
 */
export type Gate = (request: GateRequest, isOperation: boolean) => Admission;

type Admission = Promise<LimitHeaders | undefined> | undefined;

/** Options of {@link createGate}. */
export interface GateOptions {
  readonly keys: Pick<ApiKeyFinder, "find">;
  readonly createLimiter: CreateLimiter;
  /** Requests per second of an address without a key; 0 for no limit. */
  readonly keylessRate: number;
  /** The network that is served; a key for another network is refused. */
  readonly network: string;
  readonly onRefusal: (policy: Policy) => void;
  readonly limiterEvents: LimiterEvents;
}

/** The limit that a request counts under. */
export type Policy = "keyless" | "key" | "unknown-key" | "page";

/** A page loads several files at once, and health checks are frequent. */
const pageRate = 50;
/** Attempts with unknown keys are limited even if requests without a key are not. */
const unknownKeyRate = 10;

/** Creates the gate. */
export function createGate(options: GateOptions): Gate {
  const { keys, createLimiter, keylessRate, network, onRefusal, limiterEvents } = options;
  const keyless = keylessRate > 0 ? createLimiter("keyless", keylessRate, limiterEvents) : undefined;
  // Each instance counts these alone.
  const page = keylessRate > 0 ? memoryLimiter("page", pageRate, limiterEvents) : undefined;
  const counted = createLimiter("unknown-key", unknownKeyRate, limiterEvents);
  const unknownKey = counted.refusal === undefined ? rememberRefusals(counted) : counted;
  const limiterOfRate = new Map<number, Limiter>();

  const count = async (policy: Policy, limiter: Limiter, rate: number, owner: string): Promise<LimitHeaders> =>
    decide(policy, rate, await limiter.take(owner));

  const decide = (policy: Policy, rate: number, decision: Decision): LimitHeaders => {
    const seconds = Math.max(1, Math.ceil(decision.renewal / 1000));
    const headers = {
      ratelimit: `"${policy}";r=${decision.remaining};t=${seconds}`,
      "ratelimit-policy": `"${policy}";q=${rate};w=1`,
      ...exposedHeaders,
    };
    if (decision.allowed) return headers;
    onRefusal(policy);
    throw new HttpError(429, refusalText(policy, rate), { headers: { ...headers, "retry-after": `${seconds}` } });
  };

  const limiterOf = ({ rate }: ApiKeyRecord): Limiter | undefined => (rate === 0 ? undefined : limiterFor(rate));

  const admitKey = (record: ApiKeyRecord): Admission => {
    const limiter = limiterOf(record);
    const counted = limiter && count("key", limiter, record.rate, record.id);
    if (record.network === undefined || record.network === network) return counted;
    return Promise.resolve(counted).then(() => {
      throw new HttpError(403, "the API key is not valid for this network");
    });
  };

  const admitSent = (key: string, request: GateRequest): Admission => {
    const beforeRead = (): void => {
      const refusal = unknownKey.refusal?.(request.client);
      if (refusal !== undefined) decide("unknown-key", unknownKeyRate, refusal);
    };
    const admit = (record: ApiKeyRecord | undefined): Admission =>
      record === undefined ? refuseUnknownKey(key, request.client) : admitKey(record);
    const found = keys.find(key, beforeRead, request.deadline.signal);
    return found instanceof Promise ? found.then(admit) : admit(found);
  };

  const limiterFor = (rate: number): Limiter => {
    const limiter = limiterOfRate.get(rate) ?? createLimiter(`key-${rate}`, rate, limiterEvents);
    limiterOfRate.set(rate, limiter);
    return limiter;
  };

  const refuseUnknownKey = async (key: string, client: string): Promise<never> => {
    await count("unknown-key", unknownKey, unknownKeyRate, client);
    throw new HttpError(401, key === "" ? "X-API-Key is empty; send a key, or no such header" : "API key does not exist");
  };

  return (request, isOperation) => {
    if (request.key !== undefined) return admitSent(request.key, request);
    if (isOperation) return keyless && count("keyless", keyless, keylessRate, request.client);
    return page && count("page", page, pageRate, request.client);
  };
}

function refusalText(policy: Policy, rate: number): string {
  const requests = `${rate} request${rate === 1 ? "" : "s"} per second`;
  const texts: Readonly<Record<Policy, string>> = {
    keyless: `${requests} without an API key`,
    key: `${requests} with this API key`,
    page: `${requests} for pages`,
    "unknown-key": "too many requests with an unknown API key",
  };
  return `rate limit exceeded: ${texts[policy]}`;
}
