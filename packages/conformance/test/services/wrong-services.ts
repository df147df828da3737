/** Services that are right but for one thing, each with the check that has to notice it. */

import { wrongAccounts } from "./wrong/accounts.ts";
import { wrongBlocks } from "./wrong/blocks.ts";
import { wrongEnvelopes } from "./wrong/envelopes.ts";
import { wrongListings } from "./wrong/listings.ts";
import type { WrongService } from "./wrong/mistakes.ts";
import { wrongLimits, wrongToQuestions } from "./wrong/questions.ts";
import { wrongRefusals } from "./wrong/refusals.ts";
import { wrongTransactions } from "./wrong/transactions.ts";

export const wrongServices: readonly WrongService[] = [
  ...wrongListings,
  ...wrongTransactions,
  ...wrongAccounts,
  ...wrongBlocks,
  ...wrongEnvelopes,
  ...wrongRefusals,
  ...wrongToQuestions,
  ...wrongLimits,
];
