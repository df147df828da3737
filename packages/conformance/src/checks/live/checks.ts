import type { Check } from "../check.ts";
import { accountChecks } from "./account-states.ts";
import { blockChecks } from "./blocks.ts";
import { cellChecks } from "./cells.ts";
import { historyChecks } from "./history.ts";
import { timeChecks } from "./lookup-by-time.ts";
import { messageChecks } from "./messages.ts";
import { boundChecks } from "./page-bounds.ts";

/** What only a consistent service satisfies, found from its own data. */
export const liveChecks: readonly Check[] = [
  ...blockChecks,
  ...timeChecks,
  ...accountChecks,
  ...historyChecks,
  ...boundChecks,
  ...cellChecks,
  ...messageChecks,
];
