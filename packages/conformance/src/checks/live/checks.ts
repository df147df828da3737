import type { Check } from "../../check.ts";
import { accountChecks } from "./accounts.ts";
import { blockChecks } from "./blocks.ts";
import { boundChecks } from "./bounds.ts";
import { cellChecks } from "./cells.ts";
import { historyChecks } from "./history.ts";
import { messageChecks } from "./messages.ts";
import { timeChecks } from "./times.ts";

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
