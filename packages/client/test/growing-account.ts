/** A deployment in memory whose one account gets transactions while it is read, and which fails and lags as real ones do. */
import { type ChainClient, createClient } from "../src/index.ts";

/** How the deployment behaves. Each request uses one element of each list, in an order that does not repeat itself soon. */
export interface Behaviour {
  /** Logical times of the whole history, oldest first. */
  lts: readonly string[];
  /** Transactions there are before the first request. */
  atFirst: number;
  /** Transactions that come before each request. */
  growth: readonly number[];
  /** Transactions that the node of a request does not have yet. */
  lag: readonly number[];
  /** The failure of a request: a status, 0 for a broken connection, or undefined. */
  failures: readonly (number | undefined)[];
  /** Transactions at the start of the history that need `archival`. */
  pruned: number;
  /** Whether a page begins with its cursor. */
  inclusive: boolean;
  /** Whether a page names where the next one starts. */
  named: boolean;
  /** Whether `to_lt` is applied by the server, or left to the client. */
  appliesToLt: boolean;
  /** Whether pages are in the reverse order. */
  reversed: boolean;
  /** How much shorter than `limit` the pages are. */
  shortBy: readonly number[];
  /** Items before its cursor that a page of a broken server repeats. */
  repeats: number;
}

export const calm: Behaviour = {
  lts: [],
  atFirst: 0,
  growth: [0],
  lag: [0],
  failures: [undefined],
  pruned: 0,
  inclusive: true,
  named: true,
  appliesToLt: true,
  reversed: false,
  shortBy: [0],
  repeats: 0,
};

/** The element of a list that a request uses, counted from 0. */
export function elementFor<Value>(request: number, list: readonly Value[]): Value {
  const mixed = Math.imul(request + 1, 0x9e3779b1);
  return list[(Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77) >>> 8) % list.length] as Value;
}

/** A hash in hexadecimal, which ends with the digits of the logical time. */
export const hashOf = (lt: string): string => lt.padStart(64, "0");

const failure = (status: number) => Response.json({ ok: false, error: "no", code: status }, { status });

/** Starts the deployment. `requests` are the queries so far; after 5,000 it rejects, so that a test ends. */
export function growingAccount(behaviour: Behaviour): { chain: ChainClient; requests: URLSearchParams[] } {
  const { lts, growth, lag, failures, pruned, inclusive, named, appliesToLt, reversed, shortBy, repeats } = behaviour;
  const requests: URLSearchParams[] = [];
  let visible = behaviour.atFirst;
  const id = (lt = "0") => ({ "@type": "internal.transactionId", lt, hash: hashOf(lt) });
  const elementNow = <Value>(list: readonly Value[]) => elementFor(requests.length, list);

  const fetch = async (request: Request): Promise<Response> => {
    const query = new URL(request.url).searchParams;
    const grown = elementNow(growth);
    visible = Math.min(lts.length, visible + grown);
    const failing = elementNow(failures);
    const known = Math.max(0, visible - elementNow(lag));
    const less = elementNow(shortBy);
    requests.push(query);
    if (requests.length > 5_000) return failure(401);
    if (failing === 0) throw new TypeError("fetch failed", { cause: new Error("broken") });
    if (failing !== undefined) return failure(failing);

    const history = lts.slice(0, known).reverse();
    const lt = query.get("lt");
    const at = lt === null ? 0 : history.indexOf(lt);
    if (at < 0 || (lt !== null && query.get("hash") !== hashOf(lt))) return failure(404);
    const from = lt !== null && !inclusive ? at + 1 : at;
    const end = query.has("archival") ? history.length : history.length - pruned;
    if (from >= end && from < history.length) return failure(500);
    const least = lt !== null && inclusive && !named ? 2 : 1;
    const page = history.slice(
      from,
      Math.min(Math.max(end, 0), from + Math.max(least, Number(query.get("limit") ?? 10) - less)),
    );
    const toLt = BigInt(query.get("to_lt") ?? 0);
    const shown = appliesToLt ? page.filter((each) => BigInt(each) > toLt) : page;
    const next = inclusive ? history[from + page.length] : page.at(-1);
    const repeated = lt === null ? [] : history.slice(Math.max(0, from - repeats), from);
    const transactions = [...repeated, ...(reversed ? shown.toReversed() : shown)].map((each) => ({
      transaction_id: id(each),
      out_msgs: [],
    }));
    const result = { transactions, ...(named && { previous_transaction_id: id(shown.length > 0 ? next : undefined) }) };
    return Response.json({ ok: true, result });
  };
  const chain = createClient({
    baseUrl: "http://node.invalid",
    rateLimit: false,
    retry: false,
    timeoutMs: Number.POSITIVE_INFINITY,
    fetch,
  });
  return { chain, requests };
}
