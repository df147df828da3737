/** What is to be said at the end of a run, whatever was judged. The printed reports are made of this and of nothing else. */

/** A run, with everything that a report needs. */
export interface Report {
  /** The base URL, or the folder. */
  readonly subject: string;
  readonly profile: "examples" | "live" | "bodies";
  /** From which everything random was made; undefined where nothing was. */
  readonly seed: number | undefined;
  /** Version of this package. */
  readonly version: string;
  /** As ISO 8601. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly requests: number;
  /** Whether the run was ended before it was through. */
  readonly interrupted: boolean;
  /** What ended it, where it was not somebody. */
  readonly interruption?: string;
  readonly results: readonly Result[];
  readonly totals: Totals;
}

/** What came of one check. */
export interface Result {
  readonly id: string;
  /** The operation under which it is listed. */
  readonly operation: string;
  /** What holds where it passes. */
  readonly says: string;
  /** A decision, or a place in the contract. */
  readonly law: string;
  readonly outcome: "passed" | "failed" | "not applicable";
  /** Why it was not applicable. */
  readonly why?: string;
  readonly milliseconds: number;
  /** The first places where the law is broken. */
  readonly breaches: readonly ReportedBreach[];
  /** How many more there are. */
  readonly more: number;
}

/** One place where a law is broken. */
export interface ReportedBreach {
  /** A line for a shell, or the name of a file. */
  readonly request: string;
  readonly expected: string;
  readonly got: string;
  readonly law: string;
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly notApplicable: number;
}

/** Counts the results, of one operation where it is named. */
export function totalsOf(results: readonly Result[], operation?: string): Totals {
  const counted = results.filter((result) => operation === undefined || result.operation === operation);
  const count = (outcome: Result["outcome"]): number => counted.filter((result) => result.outcome === outcome).length;
  return { passed: count("passed"), failed: count("failed"), notApplicable: count("not applicable") };
}

/** The operations of a report, in the order of their first result. */
export function operationsIn({ results }: Report): string[] {
  return [...new Set(results.map(({ operation }) => operation))];
}

/** 0 where everything passed, 1 where something failed, 2 where nothing failed and the run was not through. */
export function exitCodeOf({ totals, interrupted }: Report): 0 | 1 | 2 {
  if (totals.failed > 0) return 1;
  return interrupted || totals.passed === 0 ? 2 : 0;
}
