/**
 * What the chain of the contract's examples answers, to any request: one truth for mock, playground, fakes and MSW handlers. Works in
 * browsers.
 *
 * @example
 * ```ts
 * import { answerTo } from "@chain-query/openapi/answers";
 *
 * const { status, body } = answerTo("lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 841 });
 * // 404, { ok: false, error: "block was not found: seqno 841 is past the head, 840", code: 404 }
 * ```
 *
 * @module
 */
import { type OperationId, operationsById } from "@chain-query/openapi/operations";
import { type Answer, failure, findExample, parseRequest } from "./documented.ts";
import { typicalAnswer } from "./typical.ts";

export { type Answer, findExample, type Inputs, type ParsedRequest, parseRequest } from "./documented.ts";
export { typicalAnswer } from "./typical.ts";

/**
 * The answer to a request. To a documented request it is the documented answer, to an invalid one a 422 with the words of the service,
 * to any other the operation's typical answer, with values from the request.
 *
 * @param sent - The parsed body of a POST, or the parameters of a GET as an object of texts.
 * @param headers - Keyed by lower-case name; some documented requests have a key.
 *
 * @example
 * ```ts
 * answerTo("getMasterchainInfo", {}).body["ok"]; // true
 * ```
 */
export function answerTo(operationId: OperationId, sent: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const { inputs, problems, key } = parseRequest(operationId, sent);
  const documented = findExample(key, headers)?.response;
  const other = () => (problems.length > 0 ? invalid(problems) : typicalAnswer(operationsById[operationId], inputs));
  return withExtra(extraOf(sent), documented ?? other());
}

/** The failure of an invalid request. */
export function invalid(problems: readonly string[]): Answer {
  return failure(422, problems.join("; "));
}

/** The `@extra` in a query or a body, which answers repeat (D-05). The schemas of requests do not declare it. */
export function extraOf(sent: unknown): string | undefined {
  const extra = typeof sent === "object" && sent !== null && "@extra" in sent ? sent["@extra"] : undefined;
  return typeof extra === "string" ? extra : undefined;
}

/** An answer with the `@extra` of its request. */
export function withExtra<Any extends { readonly body: unknown }>(extra: string | undefined, answer: Any): Any {
  if (extra === undefined || typeof answer.body !== "object" || answer.body === null) return answer;
  return { ...answer, body: { ...answer.body, "@extra": extra } };
}
