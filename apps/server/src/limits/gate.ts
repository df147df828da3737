/** Authenticates and rate-limits requests (D-24, D-25, D-38). Every route of the server is behind the gate. */
import { Refusal } from "../failure.ts";
import type { KeyCaller, KeyFinder, KeyRecord } from "./keys.ts";
import { type CreateLimiter, type Limiter, type LimiterEvents, rememberRefusals, type Verdict } from "./limiter.ts";

/** What the gate has to know of a request. */
export interface GateRequest {
  /** The value of the X-Api-Key header; undefined if it was not sent. */
  readonly key: string | undefined;
  /** The client to count if there is no key. */
  readonly client: () => string;
  /** Whether the route is one of the contract's operations; otherwise it is a page, a health check or a CORS preflight. */
  readonly isOperation: boolean;
}

/** Response headers that describe a limit. */
export type LimitHeaders = Readonly<Record<string, string>>;

/** Admits a request or rejects with a {@link Refusal}. Undefined if no limit applies; otherwise the headers of the limit. */
export type Gate = (request: GateRequest) => Admission;

type Admission = Promise<LimitHeaders | undefined> | undefined;

/** How the gate is set up. */
export interface GateOptions {
  readonly keys: Pick<KeyFinder, "find">;
  readonly createLimiter: CreateLimiter;
  /** Creates the limiter of pages and health checks, which each instance counts alone. */
  readonly createPageLimiter: CreateLimiter;
  /** Requests per second of an address without a key; 0 for no limit. */
  readonly keylessRate: number;
  /** The network that is served; a key for another network is refused. */
  readonly network: string;
  /** Reads the head that several instances share, for a request that has arrived. Never rejects. */
  readonly refreshHead?: (() => Promise<void>) | undefined;
  readonly onRefusal: (policy: Policy) => void;
  readonly limiterEvents: LimiterEvents;
}

/** The limit that a request counts under. */
export type Policy = "keyless" | "key" | "unknown-key" | "page";

/** A page loads several files at once, and health checks are frequent. */
const pageRate = 50;
/** Attempts with unknown keys are limited even if requests without a key are not. */
const unknownKeyRate = 10;

const exposedHeaders = { "access-control-expose-headers": "Retry-After, RateLimit, RateLimit-Policy" } as const;

/** Creates the gate. */
export function createGate(options: GateOptions): Gate {
  const { keys, createLimiter, createPageLimiter, keylessRate, network, refreshHead, onRefusal, limiterEvents } = options;
  const keyless = keylessRate > 0 ? createLimiter("keyless", keylessRate, limiterEvents) : undefined;
  const page = keylessRate > 0 ? createPageLimiter("page", pageRate, limiterEvents) : undefined;
  const counted = createLimiter("unknown-key", unknownKeyRate, limiterEvents);
  const unknownKey = counted.refusal === undefined ? rememberRefusals(counted) : counted;
  const limiterOfRate = new Map<number, Limiter>();

  const count = async (policy: Policy, limiter: Limiter, rate: number, owner: string): Promise<LimitHeaders> =>
    decide(policy, rate, await limiter.take(owner));

  const decide = (policy: Policy, rate: number, verdict: Verdict): LimitHeaders => {
    const seconds = Math.max(1, Math.ceil(verdict.renewal / 1000));
    const headers = {
      ratelimit: `"${policy}";r=${verdict.remaining};t=${seconds}`,
      "ratelimit-policy": `"${policy}";q=${rate};w=1`,
      ...exposedHeaders,
    };
    if (verdict.allowed) return headers;
    onRefusal(policy);
    throw new Refusal(429, refusalText(policy, rate), { ...headers, "retry-after": `${seconds}` });
  };

  /** Counts a request for an operation, and reads the shared head in the same round trip, unless the owner is known to be refused. */
  const countOperation = (policy: Policy, limiter: Limiter | undefined, rate: number, owner: () => string): Admission => {
    if (limiter === undefined) return refreshHead?.().then(() => undefined);
    const name = owner();
    const counted = count(policy, limiter, rate, name);
    if (refreshHead === undefined || limiter.refusal?.(name) !== undefined) return counted;
    return Promise.all([counted, refreshHead()]).then(([headers]) => headers);
  };

  const countKey = ({ id, rate }: KeyRecord): Admission =>
    countOperation("key", rate === 0 ? undefined : limiterFor(rate), rate, () => id);

  const admitKey = (record: KeyRecord, counted = countKey(record)): Admission => {
    if (record.network === undefined || record.network === network) return counted;
    return Promise.resolve(counted).then(() => {
      throw new Refusal(403, "the API key is not valid for this network");
    });
  };

  /** Looks a key up. One that this process knows is counted in the same round trip in which a shared store confirms it. */
  const admitSent = (key: string, client: () => string): Admission => {
    let counted: Admission;
    const caller: KeyCaller = {
      onLikely: (record) => {
        counted = countKey(record);
        // Whether the key exists is decided first.
        counted?.catch(() => {});
      },
      beforeRead: () => {
        const refusal = unknownKey.refusal?.(client());
        if (refusal !== undefined) decide("unknown-key", unknownKeyRate, refusal);
      },
    };
    const admit = (record: KeyRecord | undefined): Admission =>
      record === undefined ? refuseUnknownKey(key, client()) : admitKey(record, counted);
    const found = keys.find(key, caller);
    return found instanceof Promise ? found.then(admit) : admit(found);
  };

  const limiterFor = (rate: number): Limiter => {
    const limiter = limiterOfRate.get(rate) ?? createLimiter(`key-${rate}`, rate, limiterEvents);
    limiterOfRate.set(rate, limiter);
    return limiter;
  };

  const refuseUnknownKey = async (key: string, client: string): Promise<never> => {
    await count("unknown-key", unknownKey, unknownKeyRate, client);
    throw new Refusal(401, key === "" ? "X-API-Key is empty; send a key, or no such header" : "API key does not exist");
  };

  return ({ key, client, isOperation }) => {
    if (key !== undefined) return admitSent(key, client);
    if (isOperation) return countOperation("keyless", keyless, keylessRate, client);
    return page && count("page", page, pageRate, client());
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
