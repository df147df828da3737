/** Services that are right but for one thing, each with the check that has to notice it. */

import { accountFaults } from "./accounts.ts";
import { blockFaults } from "./blocks.ts";
import { envelopeFaults } from "./envelopes.ts";
import type { Fault } from "./fault.ts";
import { listingFaults } from "./listings.ts";
import { refusalFaults } from "./refusals.ts";
import { limitFaults, requestFaults } from "./requests.ts";
import { transactionFaults } from "./transactions.ts";

export const faults: readonly Fault[] = [
  ...listingFaults,
  ...transactionFaults,
  ...accountFaults,
  ...blockFaults,
  ...envelopeFaults,
  ...refusalFaults,
  ...requestFaults,
  ...limitFaults,
];
