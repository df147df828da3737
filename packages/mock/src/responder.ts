/**
 * Chooses the responses of the mock, without Prism and without a server. Works in browsers.
 *
 * @example
 * ```ts
 * import { createResponder, exampleSource } from "@chain-query/mock/responder";
 *
 * const respond = createResponder({ source: exampleSource });
 * const { status, headers, body } = await respond(request);
 * ```
 *
 * @module
 */
export {
  type ApiRequest,
  type ApiResponse,
  exampleSource,
  failure,
  type Preference,
  RequestError,
  type Responder,
  type ResponseSource,
} from "./responses/exchange.ts";
export type { Handler } from "./responses/preference.ts";
export { createResponder, type ResponderOptions } from "./responses/responder.ts";
