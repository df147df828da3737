/** Services that differ from the conforming one in one thing, each with the check that must find it. */
import { accountFaults, blockFaults } from "./blocks.ts";
import type { Fault } from "./fault.ts";
import { limitFaults, requestFaults } from "./requests.ts";
import { envelopeFaults, invalidRequestFaults } from "./responses.ts";
import { listingFaults, transactionFaults } from "./transactions.ts";

export const faults: readonly Fault[] = [
  ...listingFaults,
  ...transactionFaults,
  ...accountFaults,
  ...blockFaults,
  ...envelopeFaults,
  ...invalidRequestFaults,
  ...requestFaults,
  ...limitFaults,
];
