/** Which checks a run is made of. */
import type { Check } from "./check.ts";
import { exampleChecks } from "./examples.ts";
import { fuzzChecks } from "./fuzz/checks.ts";
import { limitChecks } from "./limits.ts";
import { liveChecks } from "./live/checks.ts";
import { negativeChecks } from "./negative/checks.ts";

/** `examples` is what a stateless stand-in can satisfy; `live` is what only a consistent service does. */
export type Profile = "examples" | "live";

/** What narrows or widens a profile. */
export interface Selection {
  readonly profile: Profile;
  /** Only checks that judge one of these operations; all where it is empty. */
  readonly only: readonly string[];
  readonly checkLimits: boolean;
  readonly fuzz: number;
}

const ofProfile: Readonly<Record<Profile, readonly Check[]>> = { examples: exampleChecks, live: liveChecks };

/** The checks of a run, in the order in which they are run. */
export function checksOf({ profile, only, checkLimits, fuzz }: Selection): Check[] {
  const all = [...ofProfile[profile], ...negativeChecks, ...(fuzz > 0 ? fuzzChecks : []), ...(checkLimits ? limitChecks : [])];
  return all.filter(({ operations }) => only.length === 0 || operations.some((operation) => only.includes(operation)));
}

/** About how many requests checks make; those of the live profile depend on what they find. */
export function requestsOf(checks: readonly Check[], fuzz: number): number {
  const each = checks.map(({ id }) => {
    if (id.startsWith("fuzz/")) return Math.ceil((2 * fuzz) / fuzzChecks.length);
    return id.startsWith("live/") || id.startsWith("limits/") ? perLiveCheck : 1;
  });
  return each.reduce((sum, one) => sum + one, 1);
}

const perLiveCheck = 4;
