/** What was wrong, as lines. */
import type { Report } from "@chain-query/conformance";

/** A service that fails at all fails thousands of times. */
const maxFaults = 20;

/** The first faults, and how many more there are. */
export function firstFaults(faults: readonly string[]): string[] {
  const more = faults.length - maxFaults;
  return more > 0 ? [...faults.slice(0, maxFaults), `and ${more} more`] : [...faults];
}

/** The failed checks of a report. One that is not complete is a fault too. */
export function faultsOfReport({ results, interrupted, interruption }: Report, when: string): string[] {
  const faults = results.filter(({ outcome }) => outcome === "failed").map(({ id }) => `${id} failed`);
  if (interrupted) faults.push(`interrupted after ${results.length} checks: ${interruption ?? "stopped by its caller"}`);
  return faults.map((fault) => `the judge ${when} the load: ${fault}`);
}
