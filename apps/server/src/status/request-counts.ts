/** Request counts and latencies, read from the metrics text, so that the status page and Prometheus never disagree. */
import { page, unread } from "../observability/metrics.ts";

/** Responses to the operations of the contract since the service started, of all processes. */
export interface RequestCounts {
  readonly answered: number;
  /** Responses with a status from 400 to 499. */
  readonly refused: number;
  /** Responses with a status of 500 and above. */
  readonly failed: number;
  /** Number of responses by their maximum time in seconds, as in a cumulative histogram. */
  readonly within: ReadonlyMap<number, number>;
}

const line = /^chain_query_request_duration_seconds_(count|bucket)\{([^}]*)\} (\d+)$/;
const label = /(\w+)="([^"]*)"/g;

/** Adds up the histogram of a text in Prometheus' format. Pages are left out, since the status page would count its own requests. */
export function countsIn(metricsText: string): RequestCounts {
  const within = new Map<number, number>();
  const byKind = { succeeded: 0, refused: 0, failed: 0 };
  for (const text of metricsText.split("\n")) {
    const [, kind, labels = "", value] = line.exec(text) ?? [];
    const { operation, status, le } = Object.fromEntries([...labels.matchAll(label)].map(([, name, text]) => [name, text]));
    if (operation === undefined || operation === page || operation === unread) continue;
    const count = Number(value);
    if (kind === "count") byKind[kindOf(Number(status))] += count;
    else {
      const bound = le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le);
      within.set(bound, (within.get(bound) ?? 0) + count);
    }
  }
  const { succeeded, refused, failed } = byKind;
  return { answered: succeeded + refused + failed, refused, failed, within };
}

function kindOf(status: number): "succeeded" | "refused" | "failed" {
  if (status >= 500) return "failed";
  return status >= 400 ? "refused" : "succeeded";
}

/** The difference of two counts; undefined if a process ended in between, which resets its counters. */
export function countedSince(before: RequestCounts, after: RequestCounts): RequestCounts | undefined {
  const within = new Map([...after.within].map(([bound, count]) => [bound, count - (before.within.get(bound) ?? 0)] as const));
  const refused = after.refused - before.refused;
  const failed = after.failed - before.failed;
  const answered = after.answered - before.answered;
  return [answered, refused, failed, ...within.values()].some((count) => count < 0)
    ? undefined
    : { answered, refused, failed, within };
}

/**
 * A quantile of the response times in seconds, with linear interpolation inside a bucket, like Prometheus' `histogram_quantile`. Undefined
 * without responses.
 *
 * @param share - From 0 to 1, such as 0.99.
 */
export function quantile({ within }: RequestCounts, share: number): number | undefined {
  const buckets = [...within].sort(([one], [other]) => one - other);
  const all = buckets.at(-1)?.[1] ?? 0;
  if (all === 0) return undefined;
  const wanted = share * all;
  let [below, countBelow] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= wanted && count > countBelow) {
      // The last bucket has no upper bound.
      return Number.isFinite(bound) ? below + ((bound - below) * (wanted - countBelow)) / (count - countBelow) : below;
    }
    [below, countBelow] = [bound, count];
  }
  return below;
}
