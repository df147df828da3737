/** The outcome of a run over a service or a folder. All printed and written reports are made from it. */
import { readFileSync } from "node:fs";
import { type Decision, decisions } from "@chain-query/openapi/operations";

/** Version of this package. */
export const version: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;

/** The outcome of a run. */
export interface Report {
  /** The base URL, or the folder. */
  readonly target: string;
  readonly profile: "examples" | "live" | "bodies";
  /** Seed of everything random; undefined for recorded bodies. */
  readonly seed: number | undefined;
  /** Version of this package. */
  readonly version: string;
  /** As ISO 8601. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly requests: number;
  /** Whether the run ended before its last check. */
  readonly interrupted: boolean;
  /** Why it ended, unless the caller ended it. */
  readonly interruption?: string;
  readonly results: readonly Result[];
  readonly totals: Totals;
}

/** The result of one check. */
export interface Result {
  readonly id: string;
  /** The operation under which it is listed. */
  readonly operation: string;
  /** The tested property. */
  readonly description: string;
  /** A decision, or a place in the contract. */
  readonly rule: string;
  readonly outcome: "passed" | "failed" | "not applicable";
  /** The reason if it was not applicable. */
  readonly reason?: string;
  readonly milliseconds: number;
  /** The first places where the rule is broken. */
  readonly violations: readonly ReportedViolation[];
  /** The number of violations that are not listed. */
  readonly omitted: number;
}

/** A place where a rule is broken. */
export interface ReportedViolation {
  /** A curl command, or the name of a file. */
  readonly request: string;
  readonly expected: string;
  readonly got: string;
  readonly rule: string;
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly notApplicable: number;
}

/** Counts the results, only those of one operation if given. */
export function totalsOf(results: readonly Result[], operation?: string): Totals {
  const counted = results.filter((result) => operation === undefined || result.operation === operation);
  const count = (outcome: Result["outcome"]): number => counted.filter((result) => result.outcome === outcome).length;
  return { passed: count("passed"), failed: count("failed"), notApplicable: count("not applicable") };
}

/** The operations of a report, in the order of their first result. */
export function operationsIn({ results }: Report): string[] {
  return [...new Set(results.map(({ operation }) => operation))];
}

/** 0 if everything passed, 1 if something failed, 2 if nothing failed but the run was interrupted or nothing passed. */
export function exitCodeOf({ totals, interrupted }: Report): 0 | 1 | 2 {
  if (totals.failed > 0) return 1;
  return interrupted || totals.passed === 0 ? 2 : 0;
}

const decisionsById: ReadonlyMap<string, Decision> = new Map(decisions.map((decision) => [decision.id, decision]));

/** Describes a rule, with the title if it is a decision: `D-14 Paging`. */
export function describeRule(rule: string): string {
  const title = decisionsById.get(rule)?.title;
  return title === undefined ? rule : `${rule} ${title}`;
}
