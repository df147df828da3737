/** Selects the checks of a run. */
import type { Check } from "./check.ts";
import { exampleChecks } from "./examples.ts";
import { extraChecks } from "./extra.ts";
import { fuzzChecks } from "./fuzz/checks.ts";
import { limitChecks } from "./limits.ts";
import { accountChecks } from "./live/account-states.ts";
import { blockChecks } from "./live/blocks.ts";
import { cellChecks } from "./live/cells.ts";
import { historyChecks } from "./live/history.ts";
import { timeChecks } from "./live/lookup-by-time.ts";
import { messageChecks } from "./live/messages.ts";
import { pageBoundChecks } from "./live/page-bounds.ts";
import { bodyRefusals } from "./negative/bodies.ts";
import { addressRefusals, memberRefusals } from "./negative/members.ts";
import { refusalCheck } from "./negative/refusal.ts";

/** `examples` can be satisfied by a stateless mock; `live` only by a service with consistent data. */
export type Profile = "examples" | "live";

/** What narrows or widens a profile. */
export interface Selection {
  readonly profile: Profile;
  /** Only checks of these operations; all checks if empty. */
  readonly only: readonly string[];
  readonly checkLimits: boolean;
  readonly fuzz: number;
}

const profiles: Readonly<Record<Profile, readonly Check[]>> = {
  examples: exampleChecks,
  live: [
    ...blockChecks,
    ...timeChecks,
    ...accountChecks,
    ...historyChecks,
    ...pageBoundChecks,
    ...cellChecks,
    ...messageChecks,
  ],
};

const negativeChecks = [...bodyRefusals, ...memberRefusals, ...addressRefusals].map(refusalCheck);

/** The checks of a run, in order. */
export function selectChecks({ profile, only, checkLimits, fuzz }: Selection): Check[] {
  const optional = [...(fuzz > 0 ? fuzzChecks : []), ...(checkLimits ? limitChecks : [])];
  const all = [...profiles[profile], ...extraChecks, ...negativeChecks, ...optional];
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
