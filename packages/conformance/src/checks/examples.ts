import { documentedRequests } from "../contract/documented-requests.ts";
import { answerOf } from "../service/exchange.ts";
import { type Check, gotOf } from "./check.ts";

/** Every documented request leads to the status that is documented; what the answer looks like, the laws of answers say. */
export const exampleChecks: readonly Check[] = documentedRequests.map(({ condition, summary, request, statuses }) => ({
  id: `examples/${request.operation}/${condition}`,
  says: `answers ${statuses.join(" or ")}: ${summary}`,
  law: `#/paths/${request.path.replaceAll("/", "~1")}/${request.method.toLowerCase()}/responses`,
  operations: [request.operation],
  run: async ({ ask }) => {
    const exchange = await ask(request);
    const status = answerOf(exchange)?.status;
    if (status !== undefined && statuses.includes(status)) return [];
    return [{ exchange, expected: `status ${statuses.join(" or ")}`, got: gotOf(exchange) }];
  },
}));
