/** Who may ask, and how often (D-24, D-25, D-38). Every route of the server is behind this. */
import { Refusal } from "../failure.ts";
import { exposed } from "../routes/cors.ts";
import type { KeyRecord, KeyStore } from "./key-store.ts";
import type { Limiter, LimiterKind } from "./limiter.ts";

/** What a request asks for, as far as limits are concerned. */
export interface Visitor {
  /** The text of the key header; absent where none was sent. */
  readonly key: string | undefined;
  /** Whom to count where there is no key. */
  readonly client: () => string;
  /** Whether it is one of the contract's operations, or anything else of the server: pages, health, a browser's preflight. */
  readonly isOperation: boolean;
}

/** Headers that tell the state of a limit. */
export type LimitHeaders = Readonly<Record<string, string>>;

/**
 * Lets a request in, or refuses it with a {@link Refusal}. Undefined where no limit counts it; otherwise what the answer tells of
 * the limit.
 */
export type Gate = (visitor: Visitor) => Promise<LimitHeaders | undefined> | undefined;

/** How the gate is set up. */
export interface GateOptions {
  readonly keys: Pick<KeyStore, "find">;
  readonly limiter: LimiterKind;
  /** Requests per second of an address without a key; 0 for no limit. */
  readonly keylessRate: number;
  /** The network that is served; a key for another one is refused. */
  readonly network: string;
  /** Is told of each refusal by its policy, and of a count that could not be kept. */
  readonly onRefusal: (policy: Policy) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** What a request is counted under. */
export type Policy = "keyless" | "key" | "unknown-key" | "page";

/** Pages come with what belongs to them, and health is asked for often. */
const pageRate = 50;
/** Guesses are counted whatever the limit without a key is. */
const unknownKeyRate = 10;

/** Sets up the gate. */
export function gateOf(options: GateOptions): Gate {
  const { keys, limiter, keylessRate, network, onRefusal, onTrouble } = options;
  const keyless = keylessRate > 0 ? limiter("keyless", keylessRate) : undefined;
  const page = keylessRate > 0 ? limiter("page", pageRate) : undefined;
  const unknownKey = limiter("unknown-key", unknownKeyRate);
  const ofRate = new Map<number, Limiter>();

  const count = async (policy: Policy, by: Limiter, rate: number, owner: string): Promise<LimitHeaders> => {
    const verdict = await by.take(owner).catch((error: unknown) => {
      onTrouble(error);
      return undefined;
    });
    // A count that cannot be kept is the operator's trouble, not the caller's.
    if (verdict === undefined) return {};
    const seconds = Math.max(1, Math.ceil(verdict.renewal / 1000));
    const headers = {
      ratelimit: `"${policy}";r=${verdict.remaining};t=${seconds}`,
      "ratelimit-policy": `"${policy}";q=${rate};w=1`,
      ...exposed,
    };
    if (verdict.allowed) return headers;
    onRefusal(policy);
    throw new Refusal(429, wordsFor(policy, rate), { ...headers, "retry-after": `${seconds}` });
  };

  const known = ({ id, rate, network: keyNetwork }: KeyRecord): Promise<LimitHeaders | undefined> | undefined => {
    const counted = rate === 0 ? undefined : count("key", ofThisRate(rate), rate, id);
    if (keyNetwork === undefined || keyNetwork === network) return counted;
    return Promise.resolve(counted).then(() => {
      throw new Refusal(403, "the API key is not valid for this network");
    });
  };

  const ofThisRate = (rate: number): Limiter => {
    const limit = ofRate.get(rate) ?? limiter(`key-${rate}`, rate);
    ofRate.set(rate, limit);
    return limit;
  };

  const unknown = async (client: string): Promise<never> => {
    await count("unknown-key", unknownKey, unknownKeyRate, client);
    throw new Refusal(401, "API key does not exist");
  };

  return ({ key, client, isOperation }) => {
    if (key !== undefined) {
      const record = keys.find(key);
      return record === undefined ? unknown(client()) : known(record);
    }
    const [policy, by, rate] = isOperation ? (["keyless", keyless, keylessRate] as const) : (["page", page, pageRate] as const);
    return by === undefined ? undefined : count(policy, by, rate, client());
  };
}

function wordsFor(policy: Policy, rate: number): string {
  const requests = `${rate} request${rate === 1 ? "" : "s"} per second`;
  if (policy === "keyless") return `rate limit exceeded: ${requests} without an API key`;
  if (policy === "key") return `rate limit exceeded: ${requests} with this API key`;
  return policy === "page"
    ? `rate limit exceeded: ${requests} for pages`
    : "rate limit exceeded: too many requests with an unknown API key";
}
