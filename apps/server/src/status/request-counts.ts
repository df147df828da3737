/** The counts of answers, read from the metrics' text, so that the status page and whoever gathers metrics never disagree. */

import { page, unread } from "../operating/metrics.ts";

/** Answers of the contract's operations since the service was started, of all its processes. */
export interface RequestCounts {
  readonly answered: number;
  /** Those with a status that the caller can mend, 400 to 499. */
  readonly refused: number;
  /** Those with 500 and above. */
  readonly failed: number;
  /** How many took at most so many seconds. */
  readonly within: ReadonlyMap<number, number>;
}

const line = /^chain_query_request_duration_seconds_(count|bucket)\{([^}]*)\} (\d+)$/;
const label = /(\w+)="([^"]*)"/g;

/** Adds up what a text in Prometheus' form tells. Pages are no requests: a status page that counted itself would never be at rest. */
export function countsIn(metricsText: string): RequestCounts {
  const within = new Map<number, number>();
  const byKind = { succeeded: 0, refused: 0, failed: 0 };
  for (const [, kind, labels, value] of linesOf(metricsText)) {
    const { operation, status, le } = Object.fromEntries(
      [...(labels ?? "").matchAll(label)].map(([, name, text]) => [name, text]),
    );
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

function linesOf(text: string): readonly RegExpExecArray[] {
  return text.split("\n").flatMap((one) => {
    const found = line.exec(one);
    return found === null ? [] : [found];
  });
}

function kindOf(status: number): "succeeded" | "refused" | "failed" {
  if (status >= 500) return "failed";
  return status >= 400 ? "refused" : "succeeded";
}

/** What was counted from one moment to a later one; undefined where a process that had counted ended in between. */
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
 * Seconds within which a share of the answers came, as Prometheus' `histogram_quantile` estimates it: inside a bucket they are taken
 * to be spread evenly. Undefined where nothing was answered.
 *
 * @param share - From 0 to 1, such as 0.99.
 */
export function secondsWithin({ within }: RequestCounts, share: number): number | undefined {
  const buckets = [...within].sort(([one], [other]) => one - other);
  const all = buckets.at(-1)?.[1] ?? 0;
  if (all === 0) return undefined;
  const wanted = share * all;
  let [below, countBelow] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= wanted && count > countBelow) {
      // Nothing is known above the last bound but one.
      return Number.isFinite(bound) ? below + ((bound - below) * (wanted - countBelow)) / (count - countBelow) : below;
    }
    [below, countBelow] = [bound, count];
  }
  return below;
}
