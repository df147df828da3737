/** Invalid requests, and the check that a service refuses one. */
import { inputOf, requestOf, typicalRequest } from "../../contract/documented-requests.ts";
import { has } from "../../json.ts";
import { answerOf, type Exchange, type Request } from "../../service/exchange.ts";
import type { Check } from "../check.ts";

/** One invalid request. */
export interface Refusal {
  readonly operation: string;
  /** What is wrong with it, such as `limit-0`. */
  readonly name: string;
  /** The place in the contract, or the decision, that makes it invalid. */
  readonly law: string;
  readonly request: Request;
  /** 422 by default. */
  readonly statuses?: readonly number[];
  /** Whether a proxy or the HTTP server may refuse it, without the envelope of the API. */
  readonly refusedBeforeApi?: boolean;
}

/** A typical request of an operation with some members changed; undefined removes a member. */
export function changed(operation: string, change: Readonly<Record<string, unknown>>): Request {
  const input = { ...inputOf(typicalRequest(operation)), ...change };
  return requestOf(operation, Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
}

/** The check that an invalid request is refused with a failure. */
export function refusalCheck({ operation, name, law, request, statuses = [422], refusedBeforeApi = false }: Refusal): Check {
  return {
    id: `negative/${operation}/${name}`,
    says: `refuses ${name} with ${statuses.join(" or ")} and a failure`,
    law,
    operations: [operation],
    run: async ({ ask, expect }) => {
      const exchange = await ask(request);
      const answer = answerOf(exchange);
      const isFailure = has(answer?.body, "ok") && answer.body["ok"] === false;
      const isRefused = answer !== undefined && statuses.includes(answer.status) && (isFailure || refusedBeforeApi);
      const isRight = isRefused || (refusedBeforeApi && wasCut(exchange));
      expect(isRight, exchange, `${statuses.join(" or ")} and a failure`);
    },
  };
}

/** A server may also close the connection before it has read a very long request line; the sender then gets no answer. */
function wasCut({ outcome }: Exchange): boolean {
  return typeof outcome === "string" && /ECONNRESET|EPIPE|socket hang up|aborted/.test(outcome);
}
