/**
 * Chooses the answers of the mock, without Prism and without a server. Works in browsers.
 *
 * @example
 * ```ts
 * import { createResponder, exampleSource } from "@chain-query/mock/answering";
 *
 * const respond = createResponder({ source: exampleSource });
 * const { status, headers, body } = await respond(request);
 * ```
 *
 * @module
 */
export { type ApiRequest, type ApiResponse, failure, Refusal, type Responder } from "./answers/exchange.ts";
export type { Handler } from "./answers/overrides.ts";
export type { Preference } from "./answers/preference.ts";
export { createResponder, type ResponderOptions } from "./answers/responder.ts";
export { type AnswerSource, exampleSource } from "./answers/source.ts";
