/** All kinds of change for the test of the law of versions. */
import { ofAnswers } from "./contract-changes/answers.ts";
import type { ContractChange } from "./contract-changes/change.ts";
import { ofNames } from "./contract-changes/names.ts";
import { ofRequests } from "./contract-changes/requests.ts";

export { before } from "./contract-changes/change.ts";

export const changes: readonly ContractChange[] = [...ofNames, ...ofAnswers, ...ofRequests];
