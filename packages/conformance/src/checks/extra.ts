/** Checks that an answer repeats the identifier that its request has in `@extra`. */
import { operations } from "@chain-query/openapi/operations";
import { typicalRequest } from "../contract/documented-requests.ts";
import { has, isObject } from "../json.ts";
import { previewOf } from "../preview.ts";
import { answerOf, type Exchange, type Request } from "../service/exchange.ts";
import { type Check, gotOf } from "./check.ts";

type Place = "query" | "body";

export const extraChecks: readonly Check[] = operations.flatMap(({ id, method }) =>
  (method === "GET" ? (["query"] as const) : (["body", "query"] as const)).map(
    (place): Check => ({
      id: `extra/${id}/${place}`,
      says: `repeats the @extra of its ${place}, or refuses it with 422`,
      law: "D-05",
      operations: [id],
      run: async ({ ask, expect, seed }) => {
        // Characters that a query and JSON escape.
        const extra = `${id} ${seed} "é" 100%`;
        const exchange = await ask(withExtra(typicalRequest(id), place, extra));
        expect(isRight(exchange, extra), exchange, `@extra ${previewOf(extra)}, or 422`, gotIn(exchange));
      },
    }),
  ),
);

function withExtra(request: Request, place: Place, extra: string): Request {
  if (place === "query") return { ...request, query: { ...request.query, "@extra": extra } };
  return { ...request, body: { ...(isObject(request.body) ? request.body : {}), "@extra": extra } };
}

/** A refusal needs no `@extra`, but one of another request would mislead. */
function isRight(exchange: Exchange, extra: string): boolean {
  const answer = answerOf(exchange);
  if (!isObject(answer?.body)) return false;
  const { body, status } = answer;
  return has(body, "@extra") ? body["@extra"] === extra : status === 422;
}

function gotIn(exchange: Exchange): string {
  const body = answerOf(exchange)?.body;
  if (!isObject(body)) return gotOf(exchange);
  return has(body, "@extra") ? `@extra ${previewOf(body["@extra"])}` : "no @extra";
}
