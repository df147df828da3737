/**
 * How the mock chooses its answers, without Prism and without a server: for a mock in another place, such as a page of a browser,
 * which brings what reads the contract itself. Where there is no `Buffer`, the place brings one as well.
 *
 * @example
 * ```ts
 * import { answering, answers } from "@chain-query/mock/answering";
 *
 * const respond = answering(answers(contract, noOverrides, { dynamic: false, seed: 1 }));
 * const { status, headers, body } = await respond(question);
 * ```
 *
 * @module
 */
export { answers, type Manner } from "./answers.ts";
export { type Answer, answering, failure, type Question, Refusal, type Responder } from "./exchange.ts";
export type { Overrides } from "./override.ts";
export type { Preference } from "./preference.ts";
export type { Contract, Operation } from "./prism.ts";
