/** Checks that every documented request leads to the documented status. The laws of answers judge what the answer contains. */
import { documentedRequests } from "../contract/documented-requests.ts";
import { answerOf } from "../service/exchange.ts";
import type { Check } from "./check.ts";

export const exampleChecks: readonly Check[] = documentedRequests.map(({ condition, summary, request, statuses }) => ({
  id: `examples/${request.operation}/${condition}`,
  says: `answers ${statuses.join(" or ")}: ${summary}`,
  law: `#/paths/${request.path.replaceAll("/", "~1")}/${request.method.toLowerCase()}/responses`,
  operations: [request.operation],
  run: async ({ ask, expect }) => {
    const exchange = await ask(request);
    const status = answerOf(exchange)?.status;
    expect(status !== undefined && statuses.includes(status), exchange, `status ${statuses.join(" or ")}`);
  },
}));
