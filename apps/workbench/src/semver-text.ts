/** What a reader is told of a release that must not be. */
import type { Refusal } from "./semver-law.ts";

/** Lines for each change beyond which a list helps nobody. */
const most = 20;

/** The changes, why they are refused, and on the last line what to do. */
export function refusalText({ changes, reason, remedy }: Refusal, since: string): string {
  const lines = changes.slice(0, most).map(({ gate, level, where, what }) => `  ${level}  ${gate}: ${where}: ${what}`);
  const rest = changes.length > most ? [`  and ${changes.length - most} more`] : [];
  const heading = changes.length > 0 ? [`Changed since ${since}, the last release:`] : [];
  return [...heading, ...lines, ...rest, `${reason}.`, `Mend it: ${remedy}`].join("\n");
}
