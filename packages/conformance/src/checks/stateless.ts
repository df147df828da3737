/** Checks that need no data of the service: documented requests, `@extra`, and, on demand, the limit without a key and unknown keys. */

import { operations } from "@chain-query/openapi/operations";
import { documentedRequests, requestOf, typicalRequest } from "../contract/documented-requests.ts";
import { has, isObject, previewOf } from "../json.ts";
import { type Exchange, type Request, responseOf } from "../service/exchange.ts";
import { type Check, describeResponse } from "./check.ts";

export const exampleChecks: readonly Check[] = documentedRequests.map(({ condition, summary, request, statuses }) => ({
  id: `examples/${request.operation}/${condition}`,
  description: `responds with ${statuses.join(" or ")}: ${summary}`,
  rule: `#/paths/${request.path.replaceAll("/", "~1")}/${request.method.toLowerCase()}/responses`,
  operations: [request.operation],
  run: async ({ send, expect }) => {
    const exchange = await send(request);
    const status = responseOf(exchange)?.status;
    expect(status !== undefined && statuses.includes(status), exchange, `status ${statuses.join(" or ")}`);
  },
}));

type Place = "query" | "body";

export const extraChecks: readonly Check[] = operations.flatMap(({ id, method }) =>
  (method === "GET" ? (["query"] as const) : (["body", "query"] as const)).map(
    (place): Check => ({
      id: `extra/${id}/${place}`,
      description: `repeats the @extra of its ${place}, or rejects it with 422`,
      rule: "D-05",
      operations: [id],
      run: async ({ send, expect, seed }) => {
        // Characters that a query and JSON escape.
        const extra = `${id} ${seed} "é" 100%`;
        const exchange = await send(withExtra(typicalRequest(id), place, extra));
        expect(isRight(exchange, extra), exchange, `@extra ${previewOf(extra)}, or 422`, gotIn(exchange));
      },
    }),
  ),
);

function withExtra(request: Request, place: Place, extra: string): Request {
  if (place === "query") return { ...request, query: { ...request.query, "@extra": extra } };
  return { ...request, body: { ...(isObject(request.body) ? request.body : {}), "@extra": extra } };
}

/** A rejection needs no `@extra`, but must not have the one of another request. */
function isRight(exchange: Exchange, extra: string): boolean {
  const response = responseOf(exchange);
  if (!isObject(response?.body)) return false;
  const { body, status } = response;
  return has(body, "@extra") ? body["@extra"] === extra : status === 422;
}

function gotIn(exchange: Exchange): string {
  const body = responseOf(exchange)?.body;
  if (!isObject(body)) return describeResponse(exchange);
  return has(body, "@extra") ? `@extra ${previewOf(body["@extra"])}` : "no @extra";
}

const head = requestOf("getMasterchainInfo");
const second = 1000;

export const limitChecks: readonly Check[] = [
  {
    id: "limits/keyless",
    description:
      "without a key the second request within a second is rejected with 429 and a failure, and served a second later",
    rule: "D-24",
    operations: ["getMasterchainInfo"],
    run: async ({ sendWithoutKey, wait, expect }) => {
      await wait(2 * second);
      const both = await Promise.all([sendWithoutKey(head), sendWithoutKey(head)]);
      const served = both.find((exchange) => statusOf(exchange) === 200);
      const rejected = both.find((exchange) => statusOf(exchange) === 429);
      const got = both.map(describeResponse).join("; ");
      if (served === undefined) return expect(false, both[0], "one of two requests served", got);
      if (rejected === undefined) return expect(false, both[1], "429 for one of two requests at once", got);
      const response = responseOf(rejected);
      if (!has(response?.body, "error")) return expect(false, rejected, "a failure");
      const { retryAfter } = response;
      if (retryAfter !== undefined && !/^\d+$/.test(retryAfter)) {
        const place = "#/components/responses/TooManyRequests/headers/Retry-After";
        return expect(false, rejected, "Retry-After in whole seconds, if sent", retryAfter, place);
      }
      await wait(Math.min(60, Math.max(1, Number(retryAfter ?? 1))) * second + 100);
      const later = await sendWithoutKey(head);
      expect(statusOf(later) === 200, later, "200 a second later");
    },
  },
  {
    id: "limits/unknown-key",
    description: "a key that was never issued is rejected with 401, although the request would be served without a key",
    rule: "D-38",
    operations: ["getMasterchainInfo"],
    run: async ({ send, expect }) => {
      const exchange = await send({ ...head, headers: { "X-API-Key": "not-a-key-of-this-service" } });
      expect(statusOf(exchange) === 401, exchange, "401 and a failure");
    },
  },
];

function statusOf(exchange: Exchange): number | undefined {
  return responseOf(exchange)?.status;
}
