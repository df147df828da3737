/** Services that differ from the conforming one in one thing, each with the check that must find it. */
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
