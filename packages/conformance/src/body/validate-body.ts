/** Validates a single body against the schemas and decisions of the contract. */
import { responseValidators, validateFailure } from "../contract/schemas.ts";
import { has, isObject, parseJson, pointerOf, previewOf, valueAt } from "../json.ts";
import { decisionFindings } from "../rules/decisions.ts";
import { type Finding, findingsIn, type Target } from "../rules/schema.ts";
import { explanationOf } from "./known-deviations.ts";

/** A place where a body differs from the contract. */
export interface Deviation {
  /** JSON Pointer to the place, or to where a missing member would be. */
  readonly path: string;
  readonly expected: string;
  /** The value at the place, shortened. */
  readonly got: string;
  /** The place in the contract, such as `#/components/schemas/UnixTime/type`, or the decision, such as `D-28`. */
  readonly rule: string;
  /** The name of the known deviation that explains it, or `unexplained`. */
  readonly match: string;
}

/** `known` if every deviation is a known one; `unexplained` if at least one is not. */
export type BodyOutcome = "conforms" | "known" | "unexplained";

/** The outcome of one body. */
export interface BodyReport {
  readonly outcome: BodyOutcome;
  readonly deviations: readonly Deviation[];
}

/** The match of a deviation that no entry of the table explains. */
export const unexplained = "unexplained";

/** Instead of an operationId: the body is a failure of any operation. */
export const errorsFolder = "errors";

/** The operations of the contract, by operationId. */
export const operationIds: readonly string[] = [...responseValidators.keys()];

/**
 * Validates one parsed body: an envelope or a bare result of an operation, or with `"errors"` a failure of any.
 *
 * @example
 * ```ts
 * const { outcome, deviations } = validateBody("getConsensusBlock", await response.json());
 * if (outcome === "unexplained") console.error(deviations);
 * ```
 * @throws RangeError if the contract has no such operation.
 */
export function validateBody(operation: string, body: unknown): BodyReport {
  return validateItems(operation, body, Number.POSITIVE_INFINITY);
}

/** Validates a body like {@link validateBody}, but of an invalid body only the first items of each array against its schema. */
export function validateItems(operation: string, body: unknown, mostItems: number): BodyReport {
  const validators = responseValidators.get(operation);
  if (validators === undefined && operation !== errorsFolder) {
    throw new RangeError(`unknown operation ${JSON.stringify(operation)}; accepted: ${operationIds.join(", ")}`);
  }
  if (validators === undefined || isFailure(body)) {
    return reportOn({ kind: "failure", failure: body }, findingsIn(validateFailure(body, mostItems), body, []));
  }
  if (isEnvelope(body)) {
    const described = typeof valueAt(body, ["@extra"]) === "string";
    const target = { kind: "result", operation, result: valueAt(body, ["result"]), prefix: ["result"], described } as const;
    return reportOn(target, findingsIn(validators.envelope(body, mostItems), body, []));
  }
  return reportOn(
    { kind: "result", operation, result: body, prefix: [], described: false },
    findingsIn(validators.result(body, mostItems), body, []),
  );
}

/**
 * Validates the bytes of a body. Bytes that are not JSON in UTF-8 are an unexplained deviation.
 *
 * @example
 * ```ts
 * validateBytes("errors", new TextEncoder().encode("<html>502</html>")).outcome; // "unexplained"
 * ```
 */
export function validateBytes(operation: string, bytes: Uint8Array): BodyReport {
  const parsed = parseJson(bytes);
  return "value" in parsed ? validateBody(operation, parsed.value) : unreadableBody("JSON", parsed.problem);
}

/** The report on a body that cannot be read or parsed. */
export function unreadableBody(expected: string, got: string): BodyReport {
  return reportOf([{ path: "", expected, got, rule: "RFC 8259", match: unexplained }]);
}

/** A body with `error` but without `ok` is validated as a failure: the report then names the missing `ok`. */
function isFailure(body: unknown): boolean {
  return has(body, "ok") ? body["ok"] === false : has(body, "error") && has(body, "code") && !has(body, "@type");
}

/** Likewise a body with `result` but without `ok` is validated as an envelope, and so is anything that is not an object. */
function isEnvelope(body: unknown): boolean {
  return !isObject(body) || has(body, "ok") || (has(body, "result") && !has(body, "@type"));
}

function reportOn(target: Target, found: readonly Finding[]): BodyReport {
  return reportOf(
    [...found, ...decisionFindings(target)].map((finding) => ({
      path: pointerOf(finding.segments),
      expected: finding.expected,
      got: previewOf(finding.value),
      rule: finding.rule,
      match: explanationOf(finding, target) ?? unexplained,
    })),
  );
}

function reportOf(deviations: readonly Deviation[]): BodyReport {
  if (deviations.length === 0) return { outcome: "conforms", deviations };
  return { outcome: deviations.some(({ match }) => match === unexplained) ? "unexplained" : "known", deviations };
}
