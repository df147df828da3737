/** The decisions of the contract by their id, such as `D-14`. */
import { type Decision, decisions } from "@chain-query/openapi/operations";

export const decisionsById: ReadonlyMap<string, Decision> = new Map(decisions.map((decision) => [decision.id, decision]));

/** Describes a law, with the title if it is a decision: `D-14 Paging`. */
export function describeLaw(law: string): string {
  const title = decisionsById.get(law)?.title;
  return title === undefined ? law : `${law} ${title}`;
}
