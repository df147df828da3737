/**
 * Checks answers against the contract. Its rules are compiled when this package is built, so it works where `eval` is forbidden.
 *
 * @module
 */
import type { Validate } from "./calls/envelope.ts";
import { answers } from "./validate/answers.gen.ts";

export type { Validate };

/**
 * Returns one line for each problem of an answer. An envelope with `ok: false` is checked as the contract's failure. Members that
 * the contract does not name are accepted. It never throws: an unknown operation is a problem too.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl, validate }); // an answer that breaks the contract is a ResponseValidationError
 * validate("getMasterchainInfo", body); // ['result.last.seqno: expected integer, got "5"']
 * ```
 */
export const validate: Validate = (operation, envelope) => {
  const rules = Object.hasOwn(answers, operation) ? answers[operation] : undefined;
  if (rules === undefined) return [`${operation} is not an operation of the contract`];
  const rule = Object(envelope).ok === false ? rules.failure : rules.success;
  return rule(envelope).map(([path, text]) => `${path.slice(1) || "the answer"}: ${text}`);
};
