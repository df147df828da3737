/** Judges a single body against the schemas and decisions of the contract. */
import { answerValidators, validateFailure } from "../contract/schemas.ts";
import { has, isObject, pointerOf, valueAt } from "../json.ts";
import { parseJson } from "../parse-json.ts";
import { previewOf } from "../preview.ts";
import { lawFindingsIn } from "./decision-laws.ts";
import type { Finding, Subject } from "./finding.ts";
import { explanationOf } from "./known-deviations.ts";
import { findingsIn } from "./schema-findings.ts";

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
export type Verdict = "conforms" | "known" | "unexplained";

/** The judgement of one body. */
export interface BodyReport {
  readonly verdict: Verdict;
  readonly deviations: readonly Deviation[];
}

/** The match of a deviation that no entry of the table explains. */
export const unexplained = "unexplained";

/** Instead of an operationId: the body is a failure of any operation. */
export const errorsFolder = "errors";

/** The operations of the contract, by operationId. */
export const operationIds: readonly string[] = [...answerValidators.keys()];

/**
 * Judges one parsed body: an envelope or a bare result of an operation, or with `"errors"` a failure of any.
 *
 * @example
 * ```ts
 * const { verdict, deviations } = judgeBody("getConsensusBlock", await response.json());
 * if (verdict === "unexplained") console.error(deviations);
 * ```
 * @throws RangeError if the contract has no such operation.
 */
export function judgeBody(operation: string, body: unknown): BodyReport {
  return judgeItems(operation, body, Number.POSITIVE_INFINITY);
}

/** Judges a body like {@link judgeBody}, but of an invalid body only the first items of each array against its schema. */
export function judgeItems(operation: string, body: unknown, mostItems: number): BodyReport {
  const validators = answerValidators.get(operation);
  if (validators === undefined && operation !== errorsFolder) {
    throw new RangeError(`unknown operation ${JSON.stringify(operation)}; accepted: ${operationIds.join(", ")}`);
  }
  if (validators === undefined || isFailure(body)) {
    return reportOn({ kind: "failure", failure: body }, findingsIn(validateFailure(body, mostItems), body, []));
  }
  if (isEnvelope(body)) {
    const described = typeof valueAt(body, ["@extra"]) === "string";
    const subject = { kind: "result", operation, result: valueAt(body, ["result"]), prefix: ["result"], described } as const;
    return reportOn(subject, findingsIn(validators.envelope(body, mostItems), body, []));
  }
  return reportOn(
    { kind: "result", operation, result: body, prefix: [], described: false },
    findingsIn(validators.result(body, mostItems), body, []),
  );
}

/**
 * Judges the bytes of a body. Bytes that are not JSON in UTF-8 are an unexplained deviation.
 *
 * @example
 * ```ts
 * judgeBytes("errors", new TextEncoder().encode("<html>502</html>")).verdict; // "unexplained"
 * ```
 */
export function judgeBytes(operation: string, bytes: Uint8Array): BodyReport {
  const parsed = parseJson(bytes);
  return "value" in parsed ? judgeBody(operation, parsed.value) : unreadableBody("JSON", parsed.problem);
}

/** The report on a body that cannot be read or parsed. */
export function unreadableBody(expected: string, got: string): BodyReport {
  return reportOf([{ path: "", expected, got, rule: "RFC 8259", match: unexplained }]);
}

/** A body with `error` but without `ok` is judged as a failure: the report then names the missing `ok`. */
function isFailure(body: unknown): boolean {
  return has(body, "ok") ? body["ok"] === false : has(body, "error") && has(body, "code") && !has(body, "@type");
}

/** Likewise a body with `result` but without `ok` is judged as an envelope, and so is anything that is not an object. */
function isEnvelope(body: unknown): boolean {
  return !isObject(body) || has(body, "ok") || (has(body, "result") && !has(body, "@type"));
}

function reportOn(subject: Subject, found: readonly Finding[]): BodyReport {
  return reportOf(
    [...found, ...lawFindingsIn(subject)].map((finding) => ({
      path: pointerOf(finding.segments),
      expected: finding.expected,
      got: previewOf(finding.value),
      rule: finding.rule,
      match: explanationOf(finding, subject) ?? unexplained,
    })),
  );
}

function reportOf(deviations: readonly Deviation[]): BodyReport {
  if (deviations.length === 0) return { verdict: "conforms", deviations };
  return { verdict: deviations.some(({ match }) => match === unexplained) ? "unexplained" : "known", deviations };
}
