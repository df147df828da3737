/** The shape of a refusal: which requests are invalid, and with which status each is refused. */

import { inputOf, requestOf, typicalRequest } from "../../contract/documented-requests.ts";
import { has } from "../../json.ts";
import { answerOf, type Exchange, type Request } from "../../service/exchange.ts";
import { type Check, gotOf } from "../check.ts";

/** One invalid request. */
export interface Refusal {
  readonly operation: string;
  /** What is wrong with it, such as `limit-0`. */
  readonly name: string;
  /** Where the contract says that it is wrong. */
  readonly law: string;
  readonly request: Request;
  /** 422 where nothing else is said. */
  readonly statuses?: readonly number[];
  /** Whether the refusal may come from what stands before the API, which knows nothing of its envelope. */
  readonly maybeBeforeTheApi?: boolean;
}

/** A typical request of an operation with some members changed; undefined takes a member away. */
export function changed(operation: string, change: Readonly<Record<string, unknown>>): Request {
  const input = { ...inputOf(typicalRequest(operation)), ...change };
  return requestOf(operation, Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
}

/** The check that an invalid request is refused with a failure. */
export function refusalCheck({ operation, name, law, request, statuses = [422], maybeBeforeTheApi = false }: Refusal): Check {
  return {
    id: `negative/${operation}/${name}`,
    says: `refuses ${name} with ${statuses.join(" or ")} and a failure`,
    law,
    operations: [operation],
    run: async ({ ask }) => {
      const exchange = await ask(request);
      const answer = answerOf(exchange);
      const isFailure = has(answer?.body, "ok") && answer.body["ok"] === false;
      if (maybeBeforeTheApi && wasCut(exchange)) return [];
      if (answer !== undefined && statuses.includes(answer.status) && (isFailure || maybeBeforeTheApi)) return [];
      return [{ exchange, expected: `${statuses.join(" or ")} and a failure`, got: gotOf(exchange) }];
    },
  };
}

/** A request line without end may also be refused by ending the connection, which a sender sees before any answer. */
function wasCut({ outcome }: Exchange): boolean {
  return typeof outcome === "string" && /ECONNRESET|EPIPE|socket hang up|aborted/.test(outcome);
}
