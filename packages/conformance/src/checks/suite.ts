/** Selects the checks of a run. */
import type { Check } from "./check.ts";
import { fuzzChecks } from "./fuzz.ts";
import { rejectionChecks } from "./invalid-requests.ts";
import { accountChecks } from "./live/account-states.ts";
import { blockChecks } from "./live/blocks.ts";
import { cellChecks } from "./live/cells.ts";
import { historyChecks } from "./live/history.ts";
import { messageChecks } from "./live/messages.ts";
import { exampleChecks, extraChecks, limitChecks } from "./stateless.ts";

/** `examples` can be satisfied by a stateless mock; `live` only by a service with consistent data. */
export type Profile = "examples" | "live";

/** The options that select checks. */
export interface Selection {
  readonly profile: Profile;
  /** Only checks of these operations; all checks if empty. */
  readonly only: readonly string[];
  readonly checkLimits: boolean;
  readonly fuzz: number;
}

const profiles: Readonly<Record<Profile, readonly Check[]>> = {
  examples: exampleChecks,
  live: [...blockChecks, ...accountChecks, ...historyChecks, ...cellChecks, ...messageChecks],
};

/** The checks of a run, in order. */
export function selectChecks({ profile, only, checkLimits, fuzz }: Selection): Check[] {
  const optional = [...(fuzz > 0 ? fuzzChecks : []), ...(checkLimits ? limitChecks : [])];
  const all = [...profiles[profile], ...extraChecks, ...rejectionChecks, ...optional];
  return all.filter(({ operations }) => only.length === 0 || operations.some((operation) => only.includes(operation)));
}

const averageOfLiveCheck = 4;

/** Estimates how many requests checks make; the number of live requests depends on the data of the service. */
export function estimateRequests(checks: readonly Check[], fuzz: number): number {
  const each = checks.map(({ id }) => {
    if (id.startsWith("fuzz/")) return Math.ceil((2 * fuzz) / fuzzChecks.length);
    return id.startsWith("live/") || id.startsWith("limits/") ? averageOfLiveCheck : 1;
  });
  return each.reduce((sum, one) => sum + one, 1);
}
