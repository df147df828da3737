/**
 * Checks responses against the contract. Its rules are compiled when this package is built, so it works where `eval` is forbidden.
 *
 * @module
 */
import type { Validate } from "./options.ts";
import { responses } from "./validate/responses.gen.ts";

export type { Validate };

/**
 * Returns one line for each problem of a response. An envelope with `ok: false` is checked as the contract's failure. Members that
 * the contract does not name are accepted. It never throws: an unknown operation is a problem too.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl, validate }); // a response that breaks the contract is a ResponseValidationError
 * validate("getMasterchainInfo", body); // ['result.last.seqno: expected integer, got "5"']
 * ```
 */
export const validate: Validate = (operation, envelope) => {
  const rules = Object.hasOwn(responses, operation) ? responses[operation] : undefined;
  if (rules === undefined) return [`${operation} is not an operation of the contract`];
  const rule = Object(envelope).ok === false ? rules.failure : rules.success;
  return rule(envelope).map(([path, text]) => `${path.slice(1) || "the response"}: ${text}`);
};
