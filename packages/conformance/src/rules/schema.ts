/** Places where a body differs from the contract, and the findings of its schemas: one for each place. */
import { schemas } from "@chain-query/openapi/operations";
import type { ErrorObject } from "ajv/dist/2020.js";
import { placeOf } from "../contract/schemas.ts";
import { pointerOf, previewOf, segmentsOf, valueAt } from "../json.ts";

/** A place where a body differs from the contract, before it is compared with the known deviations. */
export interface Finding {
  /** Path to the place from the top of the body. */
  readonly segments: readonly string[];
  /** `missing`: a required member is absent. `wrong`: the value breaks the schema. `decision`: it breaks a decision. */
  readonly kind: "missing" | "wrong" | "decision";
  readonly expected: string;
  /** The value at the place; undefined if absent. */
  readonly value: unknown;
  /** The place in the contract's schemas, or the number of the decision. */
  readonly rule: string;
}

/** The validated part of a body: a result, in its envelope or bare, or a failure. */
export type Target =
  | {
      readonly kind: "result";
      readonly operation: string;
      readonly result: unknown;
      /** The path to the result: `["result"]` in an envelope, `[]` if the body is the bare result. */
      readonly prefix: readonly string[];
      /** Whether the envelope has the `@extra` of the generation that the contract describes. */
      readonly described: boolean;
    }
  | { readonly kind: "failure"; readonly failure: unknown };

export type ResultTarget = Extract<Target, { kind: "result" }>;

export function isResultOf(target: Target, ...operations: string[]): target is ResultTarget {
  return target.kind === "result" && operations.includes(target.operation);
}

/** Of several broken rules at one place, the first of these keywords is reported. */
const priority = ["discriminator", "const", "enum", "type", "pattern", "format"];

/** The findings for the errors of `body`; `prefix` is the path from the top of the body to the validated value. */
export function findingsIn(errors: readonly ErrorObject[], body: unknown, prefix: readonly string[]): Finding[] {
  const byPlace = new Map<string, ErrorObject>();
  for (const error of errors) {
    const place = pointerOf(segmentsAt(error));
    const other = byPlace.get(place);
    if (other === undefined || rank(error) < rank(other)) byPlace.set(place, error);
  }
  return [...byPlace.values()].map((error) => {
    const segments = [...prefix, ...segmentsAt(error)];
    const rule = placeOf(error);
    const value = valueAt(body, segments);
    const missing = value === undefined;
    const expected = missing ? `a member that ${ownerIn(rule)} requires` : expectation(error, rule);
    return { segments, kind: missing ? "missing" : "wrong", expected, value, rule };
  });
}

function rank({ keyword }: ErrorObject): number {
  const place = priority.indexOf(keyword);
  return place < 0 ? priority.length : place;
}

/** The wrong place: for an absent member or an unknown discriminator, the member itself. */
function segmentsAt({ instancePath, keyword, params }: ErrorObject): string[] {
  const segments = segmentsOf(instancePath);
  if (keyword === "required") return [...segments, String(params["missingProperty"])];
  if (keyword === "discriminator") return [...segments, String(params["tag"])];
  return segments;
}

const expectations: Readonly<Record<string, (error: ErrorObject, rule: string) => string>> = {
  type: ({ params }) => String(params["type"]),
  const: ({ params }) => previewOf(params["allowedValue"]),
  discriminator: ({ params }, rule) => `one of ${tagsOf(ownerIn(rule), String(params["tag"])).join(", ")}`,
  pattern: ({ params }, rule) => `${ownerIn(rule)} (${params["pattern"]})`,
  format: ({ params }) => String(params["format"]),
  minLength: ({ params }) => `a text of ${params["limit"]} characters or more`,
  maxLength: ({ params }) => `a text of ${params["limit"]} characters or fewer`,
  minimum: ({ params }) => `${params["limit"]} or more`,
  maximum: ({ params }) => `${params["limit"]} or less`,
};

function expectation(error: ErrorObject, rule: string): string {
  return (
    expectations[error.keyword]?.(error, rule) ?? `a value that ${ownerIn(rule)} allows: ${error.message ?? error.keyword}`
  );
}

/** The name of the schema that a rule belongs to. */
function ownerIn(rule: string): string {
  const [, , name] = segmentsOf(rule);
  return name ?? "the contract";
}

function tagsOf(schema: string, tag: string): string[] {
  return (schemas[schema]?.oneOf ?? []).map(({ properties }) => previewOf(properties?.[tag]?.const));
}
