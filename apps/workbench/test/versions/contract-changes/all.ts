/** All kinds of change for the test of the law of versions. */
import { ofAnswers } from "./answers.ts";
import type { ContractChange } from "./change.ts";
import { ofNames } from "./names.ts";
import { ofRequests } from "./requests.ts";

export const changes: readonly ContractChange[] = [...ofNames, ...ofAnswers, ...ofRequests];
