/** Turns the judgement of recorded bodies into a report, as for a service. */

import { unexplained } from "../body/judge-body.ts";
import type { BodiesReport, FileReport } from "../body/recorded-folder.ts";
import { type Report, type Result, totalsOf, version } from "./report.ts";

/** A body with only known deviations counts as not applicable; `why` names the deviations. */
export function reportOfBodies(folder: string, { files }: BodiesReport, startedAt: Date): Report {
  const results = files.map(resultOf);
  return {
    subject: folder,
    profile: "bodies",
    seed: undefined,
    version,
    startedAt: startedAt.toISOString(),
    milliseconds: Date.now() - startedAt.getTime(),
    requests: 0,
    interrupted: false,
    results,
    totals: totalsOf(results),
  };
}

function resultOf({ file, operation, verdict, deviations }: FileReport): Result {
  const breaches = deviations
    .filter(({ match }) => match === unexplained)
    .map(({ path, expected, got, rule }) => ({ request: `${file}${path === "" ? "" : `#${path}`}`, expected, got, law: rule }));
  const known = [...new Set(deviations.map(({ match }) => match))].filter((match) => match !== unexplained);
  return {
    id: file,
    operation,
    says: "the recorded body matches the contract",
    law: breaches[0]?.law ?? "#/components/schemas",
    outcome: verdict === "conforms" ? "passed" : verdict === "known" ? "not applicable" : "failed",
    ...(verdict === "known" ? { why: `known of an older generation: ${known.join(", ")}` } : {}),
    milliseconds: 0,
    breaches,
    more: 0,
  };
}
